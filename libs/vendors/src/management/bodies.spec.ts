import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  changeConnectorBody,
  createConnectorBody,
  placeFieldsOf,
  rotateConnectorSecretBody,
} from './connector-bodies.js';
import { vendorAppBody } from './vendor-app-bodies.js';

const memoryId = '018f0000-0000-7000-8000-00000000000a';

describe('secrets of vendors', () => {
  it.each([
    ['a new connector', createConnectorBody, { vendor: 'agora', memoryId }],
    ["a connector's next", rotateConnectorSecretBody, {}],
    ['an app', vendorAppBody, { memoryId }],
  ])('cannot be guessable: %s', (_, schema, body) => {
    const faults = (secret: string) => schema.safeParse({ ...body, secret }).error?.issues.map(({ path }) => path);
    expect(faults('x')).toEqual([['secret']]);
    expect(faults('long-enough')).toBeUndefined();
  });
});

describe('the fields that map calls to actors and sessions', () => {
  const vendorWith = (field: z.ZodType) => ({ name: 'acme', connector: { body: z.strictObject({ room: field }) } });

  it('stay unchanged if a change does not name them', () => {
    expect(placeFieldsOf([vendorWith(z.string().default('{Room}'))])['room']?.parse(undefined)).toBeUndefined();
    expect(changeConnectorBody.parse({ description: 'desk' })).toEqual({ description: 'desk' });
  });

  it('need a default, and the error names the field and its vendor', () => {
    const error = "The field room of acme's connectors must be a text with a default.";
    expect(() => placeFieldsOf([vendorWith(z.string())])).toThrow(error);
    expect(() => placeFieldsOf([vendorWith(z.string().optional())])).toThrow(error);
  });
});
