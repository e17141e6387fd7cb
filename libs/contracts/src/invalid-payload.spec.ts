import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { InvalidPayload, parseOrRefuse } from './invalid-payload.js';

const schema = z.strictObject({
  name: z.string().min(1, 'must not be empty').default('nobody'),
  pets: z.array(z.strictObject({ legs: z.number().int('must be a whole number') })).optional(),
});

const refusalOf = (input: unknown): InvalidPayload => {
  try {
    parseOrRefuse('person', schema, input);
  } catch (error) {
    if (error instanceof InvalidPayload) return error;
  }
  throw new Error('This was taken.');
};

describe('parseOrRefuse', () => {
  it('gives what the inside uses: defaults filled in', () => {
    expect(parseOrRefuse('person', schema, {})).toEqual({ name: 'nobody' });
  });

  it('names every field at fault by its path, with its rule', () => {
    const { issues, code, kind, message, details } = refusalOf({
      name: '',
      pets: [{ legs: 4 }, { legs: 1.5, tail: 1 }],
    });
    expect([code, kind]).toEqual(['payload.invalid', 'invalid']);
    expect(issues).toEqual([
      { field: 'name', rule: 'must not be empty' },
      { field: 'pets.1.legs', rule: 'must be a whole number' },
      { field: 'pets.1.tail', rule: 'is not a known field' },
    ]);
    expect(details).toMatchObject({ field: 'name', rule: 'must not be empty' });
    expect(message).toContain('pets.1.legs must be a whole number');
  });

  it('names each of several unknown fields', () => {
    expect(refusalOf({ a: 1, b: 2 }).issues.map(({ field }) => field)).toEqual(['a', 'b']);
  });

  it.each([[null], [[]], ['text'], [7], [undefined]])('refuses %j as a whole', (input) => {
    const { issues, message } = refusalOf(input);
    expect(issues).toEqual([{ field: '', rule: expect.stringMatching(/\S/) }]);
    expect(message).toContain('(body)');
  });

  it('never repeats what was sent', () => {
    const { issues, message, details, stack } = refusalOf({ name: 4111_1111, pets: ['hunter2'] });
    expect(JSON.stringify([issues, message, details, stack])).not.toMatch(/hunter2|41111111/);
  });

  it('tells about the first twenty faults of a body with thousands', () => {
    const pets = Array.from({ length: 5_000 }, () => ({ legs: 0.5 }));
    expect(refusalOf({ pets }).issues).toHaveLength(20);
  });
});
