import { describe, expect, it } from 'vitest';
import { askedWords } from './asked-words.js';

describe('the words of a message that are searched for', () => {
  it('are all of a message of up to 1,000 characters', () => {
    const message = 'boats and sails '.repeat(62).padEnd(1_000, '.');
    expect(askedWords(message)).toBe(message);
    expect(askedWords(`${message}.`)).not.toBe(`${message}.`);
  });

  it('are whole words of the start and the end of a longer one', () => {
    const words = askedWords(`Which boat? ${'lighthouse '.repeat(500)}Or which sail?`);
    expect(words.length).toBeLessThanOrEqual(1_000);
    expect(words.length).toBeGreaterThan(950);
    expect(new Set(words.split(' '))).toEqual(new Set(['Which', 'boat?', 'lighthouse', 'Or', 'which', 'sail?']));
  });

  it('are not blank because much of the message is', () => {
    expect(askedWords(`${'\n'.repeat(2_000)}Which boat?${' '.repeat(2_000)}`)).toBe('Which boat?');
  });

  it('are cut anywhere in a text without spaces, and well-formed', () => {
    const words = askedWords(`a${'🚣'.repeat(2_000)}z`);
    expect(words).toHaveLength(1_000);
    expect(words.isWellFormed()).toBe(true);
  });
});
