import type { z } from 'zod';
import { jsonSchemaOf, valueOf, type Belongings, type Schema } from './route-samples.js';

const nested = (levels: number): unknown => {
  let value: unknown = {};
  for (let level = 1; level < levels; level += 1) value = { next: value };
  return value;
};

export const TEXTS: readonly string[] = [
  ...[
    '',
    ' ',
    '\u0000',
    '\ud800',
    '\u202e\u200b',
    'ế'.repeat(255),
    'ế'.repeat(1_024),
    'x'.repeat(4_096),
    '%',
    '/',
    '{',
    '\\',
  ],
  ...['0000-01-01T00:00:00Z', '0001-01-01T00:00:00+15:59', '9999-12-31T23:59:59-15:59', '2026-01-01T00:00:00+23:59'],
  ...['2026-12-31T23:59:60Z', '2026-01-01T00:00:00.123456789123456789Z', '99999-01-01T00:00:00Z', 'infinity'],
  ...[
    '00000000-0000-0000-0000-000000000000',
    'ffffffff-ffff-ffff-ffff-ffffffffffff',
    'http://[::1',
    'https://x:99999/',
  ],
];
const NUMBERS: readonly unknown[] = [
  ...[0, -0, -1, 0.5, 1e-308, 2 ** 31, 2 ** 53 - 1, -(2 ** 53), 2 ** 63, 1e308, '1e400', '9007199254740993', 'NaN'],
];
const STRUCTURES: readonly unknown[] = [
  ...[true, [], {}, null, [null], [[]], ['ế'.repeat(1_024)], nested(15), nested(17), nested(1_000), { '\u0000': 1 }],
  ...[{ __proto__x: 1, constructor: 1, toString: 1, id: 'ế'.repeat(1_024) }],
];

/** Boundary values of texts, times, numbers and structures that a store might reject. */
const edgesFor = ({ type, enum: names, const: only }: Schema): readonly unknown[] => {
  const [text, number, structure] = [TEXTS[0], NUMBERS[0], STRUCTURES[2]];
  if (names !== undefined || only !== undefined || type === 'boolean') return [text, number, structure, null];
  if (type === 'string') return [...TEXTS, number, structure, null];
  if (type === 'number' || type === 'integer') return [...NUMBERS, text, structure, null];
  return [...STRUCTURES, text, number];
};

type Path = readonly (string | number)[];

/** Every location in a body or a query that the schema names, optional ones too. */
const placesOf = (schema: Schema, path: Path = []): readonly (readonly [Path, Schema])[] => {
  const own = path.length === 0 ? [] : [[path, schema] as const];
  const fields = Object.entries(schema.properties ?? {}).flatMap(([name, field]) => placesOf(field, [...path, name]));
  const items = schema.items === undefined ? [] : placesOf(schema.items, [...path, 0]);
  const choices = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].flatMap((choice) => placesOf(choice, path));
  return [...own, ...fields, ...items, ...choices.filter(([place]) => place.length > path.length)];
};

/** The sample with the value at this location; missing parents are created. */
const withValue = (sample: unknown, schema: Schema, path: Path, value: unknown, of: Belongings): unknown => {
  const [step, ...rest] = path;
  if (step === undefined) return value;
  const choices = [schema, ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
  const own =
    choices.find(({ properties, items }) => (typeof step === 'string' ? properties?.[step] : items)) ?? schema;
  const base = sample ?? valueOf(own, '', of);
  if (typeof step === 'number') {
    const list = Array.isArray(base) ? (base as unknown[]) : [];
    return [withValue(list[0], own.items ?? {}, rest, value, of), ...list.slice(1)];
  }
  const fields = base as Readonly<Record<string, unknown>>;
  return { ...fields, [step]: withValue(fields[step], own.properties?.[step] ?? {}, rest, value, of) };
};

/** Many copies of the sample, each with one field at a boundary value. */
export const atTheEdges = function* (
  schema: z.ZodType,
  sample: unknown,
  of: Belongings,
): Generator<{ readonly field: string; readonly value: unknown; readonly made: unknown }> {
  const json = jsonSchemaOf(schema);
  for (const [path, field] of placesOf(json)) {
    for (const value of edgesFor(field)) {
      yield { field: path.join('.'), value, made: withValue(sample, json, path, value, of) };
    }
  }
};
