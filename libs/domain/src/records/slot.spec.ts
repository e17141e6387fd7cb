import { describe, expect, it } from 'vitest';
import { contradicts, saysTheSame, slotOf } from './slot.js';

const slot = (name: string, value: string, subject: string | null = null) =>
  slotOf({ subject, attribute: { name, value, single: true } }, 'a1')!;

describe('the slot of a fact', () => {
  it('belongs to the actor, or to the subject that is named', () => {
    expect(slot('home_city', 'Hue')).toEqual({ key: 'a1|home_city', value: 'hue' });
    expect(slot('home_city', 'Hue', 'Aunt  Linh').key).toBe('aunt linh|home_city');
    expect(slot('home_city', 'Hue', 'AUNT LINH').key).toBe('aunt linh|home_city');
  });

  it('is none without an attribute, or if several values are true together', () => {
    expect(slotOf({}, 'a1')).toBeNull();
    expect(slotOf({ attribute: { name: 'phone', value: '1', single: false } }, 'a1')).toBeNull();
  });

  it.each([
    ['NG 447-12 B', 'ng44712b'],
    ['１２', '12'],
    ['New York', 'NEW YORK'],
  ])('takes %s and %s for one value', (one, other) => {
    expect(saysTheSame(slot('x', one), slot('x', other))).toBe(true);
    expect(contradicts(slot('x', one), slot('x', other))).toBe(false);
  });

  it.each([
    ['Hoa', 'Hòa'],
    ['€', '$'],
    ['กา', 'กี'],
  ])('takes %s and %s for two', (one, other) => expect(contradicts(slot('x', one), slot('x', other))).toBe(true));

  it('contradicts nothing about another person or attribute', () => {
    expect(contradicts(slot('home', 'Hue'), slot('home', 'Oslo', 'Bo'))).toBe(false);
    expect(contradicts(slot('home', 'Hue'), slot('work', 'Oslo'))).toBe(false);
  });
});
