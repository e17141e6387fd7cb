import { describe, expect, it } from 'vitest';
import { flawOf, linesOf, outputOf, strictSchema } from './output-schema.js';

const ORDER = {
  type: 'object',
  required: ['sku', 'count'],
  properties: {
    sku: { type: 'string', description: 'Article number.' },
    count: { type: 'integer' },
    colour: { type: 'string', enum: ['red', 'blue'] },
    gift: { type: ['boolean', 'null'] },
    parts: { type: 'array', items: { type: 'object', properties: { name: { type: 'string' } } } },
  },
};
const of = (name: string, schema: unknown) => ({ type: 'object', properties: { [name]: schema } });
const nested = (levels: number): object =>
  levels === 1 ? { type: 'string' } : { type: 'array', items: nested(levels - 1) };

describe('an output schema', () => {
  it.each([ORDER, of('a', nested(4)), of('a', { type: 'number', enum: [1, 2.5] })])('may be %j', (schema) => {
    expect(flawOf(schema)).toBeNull();
  });

  it.each([
    ['a text', { type: 'string' }, 'type'],
    ['without a type', {}, 'type'],
    ['without properties', { type: 'object' }, 'properties'],
    ['with no property', { type: 'object', properties: {} }, 'properties'],
    ['with $ref', of('a', { $ref: '#' }), 'properties.a'],
    ['with a pattern', of('a', { type: 'string', pattern: '(a+)+' }), 'properties.a'],
    ['with an unknown type', of('a', { type: 'date' }), 'properties.a.type'],
    ['with two types', of('a', { type: ['string', 'number'] }), 'properties.a.type'],
    ['with a property that is no schema', of('a', 'string'), 'properties.a'],
    ['with a list without items', of('a', { type: 'array' }), 'properties.a.items.type'],
    ['with items of a text', of('a', { type: 'string', items: {} }), 'properties.a.type'],
    ['with choices of another type', of('a', { type: 'string', enum: [1] }), 'properties.a.enum'],
    ['with no choice', of('a', { type: 'string', enum: [] }), 'properties.a.enum'],
    ['with a number as description', of('a', { type: 'string', description: 1 }), 'properties.a.description'],
    ['that requires an unknown property', { ...of('a', { type: 'string' }), required: ['b'] }, 'required'],
    ['that requires an inherited property', { ...of('a', { type: 'string' }), required: ['constructor'] }, 'required'],
    ['with other properties', { ...of('a', { type: 'string' }), additionalProperties: true }, 'additionalProperties'],
    ['with a name with a blank', of('a b', { type: 'string' }), 'properties'],
    ['of six levels', of('a', nested(5)), 'properties.a.items.items.items'],
    ['of 51 properties', manyProperties(51), 'properties'],
    ['of 9,000 characters', of('a', { type: 'string', description: 'x'.repeat(9_000) }), ''],
  ])('is refused %s', (_, schema, path) => {
    expect(flawOf(schema)?.path.join('.')).toBe(path);
  });

  function manyProperties(count: number) {
    const names = Array.from({ length: count }, (__, n) => [`p${n}`, { type: 'string' }]);
    return { type: 'object', properties: Object.fromEntries(names) as object };
  }

  it('is strict for a model: every property is required, and may be null instead of absent', () => {
    expect(strictSchema(ORDER)).toEqual({
      type: 'object',
      additionalProperties: false,
      required: ['sku', 'count', 'colour', 'gift', 'parts'],
      properties: {
        sku: { type: 'string', description: 'Article number.' },
        count: { type: 'integer' },
        colour: { type: ['string', 'null'], enum: ['red', 'blue', null] },
        gift: { type: ['boolean', 'null'] },
        parts: {
          type: ['array', 'null'],
          items: {
            type: 'object',
            additionalProperties: false,
            required: ['name'],
            properties: { name: { type: ['string', 'null'] } },
          },
        },
      },
    });
  });
});

describe('the data of a fact', () => {
  it.each([
    [{ sku: 'K7', count: 2 }, undefined],
    [
      { sku: 'K7', count: 2, colour: null, gift: null, parts: null },
      { sku: 'K7', count: 2 },
    ],
    [
      { sku: 'K7', count: 2, other: 1 },
      { sku: 'K7', count: 2 },
    ],
    [
      { sku: 'a<img src=x>b', count: 2 },
      { sku: 'a b', count: 2 },
    ],
    [
      { sku: 'K7', count: 2, parts: [{ name: 'lid' }, { name: null }] },
      { sku: 'K7', count: 2, parts: [{ name: 'lid' }, {}] },
    ],
  ])('%j is read', (value, read = value as never) => {
    expect(outputOf(ORDER, value)).toEqual(read);
  });

  it.each([
    null,
    [],
    'K7',
    { sku: 'K7' },
    { sku: null, count: 2 },
    { sku: 'K7', count: '2' },
    { sku: 'K\u00007', count: 2 },
    { sku: 'x'.repeat(20_000), count: 2 },
    { sku: 'K7', count: 2.5 },
    { sku: 'K7', count: 2, colour: 'green' },
    { sku: 'K7', count: 2, parts: ['lid'] },
    { sku: 'K7', count: 2, parts: {} },
  ])('%j does not fit', (value) => {
    expect(outputOf(ORDER, value)).toBeUndefined();
  });

  it('may be null where the schema says so', () => {
    expect(outputOf({ ...ORDER, required: ['gift'] }, { gift: null })).toEqual({ gift: null });
  });

  it('is checked for secrets line by line, with its names', () => {
    expect(linesOf({ pin_code: 1234, cards: [{ number: '4111' }, null] })).toEqual(['pin code: 1234', 'number: 4111']);
  });
});
