import { describe, expect, it } from 'vitest';
import { slotOf, slotWords } from './slot.js';

describe('the slot of a fact', () => {
  it.each([
    ['User lives in Hanoi.', 'user|home', 'hanoi'],
    ['User moved to Hue (October 2026).', 'user|home', 'hue'],
    ['Linh has recently moved from Hanoi to Hue.', 'linh|home', 'hue'],
    ["User's name is Mai.", 'user|name', 'mai'],
    ["User's favourite colour is the green.", 'user|favorite colour', 'green'],
    ["User's favorite colour is blue", 'user|favorite colour', 'blue'],
    ['User is 34 years old.', 'user|age', '34'],
    ['User works at Acme Corp.', 'user|employer', 'acme corp'],
    ['User is married.', 'user|marital status', 'married'],
    ['User likes coffee.', 'user|attitude to coffee', 'likes'],
    ["User doesn't like coffee any more.", 'user|attitude to coffee', 'dislikes'],
    ['User moved to Lisbon (October 2026), so their address is out of date.', 'user|home', 'lisbon'],
    ['User works at Acme because it is near.', 'user|employer', 'acme'],
    ['User hates coffee.', 'user|attitude to coffee', 'dislikes'],
  ])('of "%s" is %s', (text, key, value) => {
    expect(slotOf(text)).toEqual({ key, value });
  });

  it.each([
    'User wants to move to Hue.',
    'User used to live in Hanoi.',
    'User has a dog.',
    "User's sister is a doctor.",
    'User visited Paris (May 2023).',
    '',
  ])('does not exist for "%s"', (text) => {
    expect(slotOf(text)).toBeNull();
  });
});

describe('a slot of a hostile text', () => {
  // Spaces alone took 21 seconds at 100,000 characters.
  it.each([
    ['spaces', ' '],
    ['brackets', '('],
    ['possessives', "a's b "],
    ['verbs', 'likes '],
    ['moves', 'a moved to from '],
  ])('costs next to nothing: %s', (_, unit) => {
    const started = process.cpuUsage();
    for (const length of [300, 16_000, 1_000_000]) {
      slotOf(`User ${unit.repeat(length)}`.slice(0, length));
      slotOf(unit.repeat(length).slice(0, length));
    }
    const { user, system } = process.cpuUsage(started);
    expect((user + system) / 1_000).toBeLessThan(500);
  });

  it('is none, so that no key grows beyond what an index holds', () => {
    expect(slotOf(`User's name is ${'x'.repeat(5_000)}.`)).toBeNull();
  });
});

describe('the words a slot is asked for with', () => {
  it('name the attribute, whatever the fact says', () => {
    expect(slotWords(slotOf('User moved to Hue.'))).toContain('live');
  });

  it('are none for a fact without a slot', () => {
    expect(slotWords(null)).toBe('');
  });
});
