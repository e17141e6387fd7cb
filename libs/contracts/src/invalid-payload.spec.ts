import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { InvalidPayload, parseOrRefuse } from './invalid-payload.js';

const schema = z.strictObject({
  name: z.string().min(1, 'must not be empty').default('nobody'),
  pets: z.array(z.strictObject({ legs: z.number().int('must be a whole number') })).optional(),
});

const refusalOf = (input: unknown): InvalidPayload => {
  try {
    parseOrRefuse('body', schema, input);
  } catch (error) {
    if (error instanceof InvalidPayload) return error;
  }
  throw new Error('This was taken.');
};

describe('parseOrRefuse', () => {
  it('returns the parsed value with defaults', () => {
    expect(parseOrRefuse('body', schema, {})).toEqual({ name: 'nobody' });
  });

  it('names every invalid field by its path, with its rule', () => {
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

  it.each<[z.ZodType, unknown, string]>([
    [z.strictObject({ name: z.string() }), {}, 'name is required.'],
    [z.strictObject({ name: z.string() }), { name: null }, 'name must be text.'],
    [
      z.strictObject({ limit: z.number().int().min(5).max(200).default(9) }),
      { limit: 3 },
      'limit must be between 5 and 200.',
    ],
    [z.strictObject({ limit: z.coerce.number().int().min(5).optional() }), { limit: '3' }, 'limit must be at least 5.'],
    [z.strictObject({ limit: z.coerce.number().int().min(5) }), { limit: 'two' }, 'limit must be a whole number.'],
    [z.strictObject({ rate: z.number().max(1_000) }), { rate: 1e9 }, 'rate must be at most 1,000.'],
    [z.strictObject({ id: z.number().int() }), { id: 2 ** 60 }, 'id must be a number that can be stored exactly.'],
    [
      z.strictObject({ version: z.number().int().min(0) }),
      { version: 1e300 },
      'version must be a number that can be stored exactly.',
    ],
    [z.strictObject({ at: z.iso.datetime() }), { at: 'noon' }, 'at must be an RFC 3339 time with a time zone.'],
    [
      z.strictObject({ tags: z.array(z.string()).max(2) }),
      { tags: ['a', 'b', 'c'] },
      'tags must have at most 2 items.',
    ],
    [z.strictObject({ kind: z.enum(['a', 'b']) }), { kind: 'c' }, 'kind must be one of a, b.'],
    [
      z.strictObject({ pets: z.array(z.object({ n: z.string().min(1).max(9) })) }),
      { pets: [{ n: '' }] },
      'pets.0.n must have between 1 and 9 characters.',
    ],
    [z.strictObject({ on: z.boolean() }).prefault({ on: true }), 7, 'The body must be an object.'],
  ])('words rules for people: %#', (of, input, said) => {
    expect(() => parseOrRefuse('body', of, input)).toThrow(said);
  });

  it('starts with the name of a value that is not a body', () => {
    expect(() => parseOrRefuse('Idempotency-Key', z.string().min(3), 'x')).toThrow('Idempotency-Key must have');
    expect(() => parseOrRefuse('properties.labels', z.object({ user_id: z.string() }), {})).toThrow(
      'properties.labels.user_id is required.',
    );
  });

  it('names each of several unknown fields', () => {
    expect(refusalOf({ a: 1, b: 2 }).issues.map(({ field }) => field)).toEqual(['a', 'b']);
  });

  it.each([[null], [[]], ['text'], [7], [undefined]])('rejects %j as a whole', (input) => {
    const { issues, message } = refusalOf(input);
    expect(issues).toEqual([{ field: '', rule: expect.stringMatching(/\S/) }]);
    expect(message).toMatch(/^The body (is required|must be an object)\.$/);
  });

  it('never repeats the input', () => {
    const { issues, message, details, stack } = refusalOf({ name: 4111_1111, pets: ['hunter2'] });
    expect(JSON.stringify([issues, message, details, stack])).not.toMatch(/hunter2|41111111/);
  });

  it('reports the first twenty errors of a body with thousands', () => {
    const pets = Array.from({ length: 5_000 }, () => ({ legs: 0.5 }));
    expect(refusalOf({ pets }).issues).toHaveLength(20);
  });
});
