import { describe, expect, it } from 'vitest';
import { createConnectorBody, rotateConnectorSecretBody } from './connector-bodies.js';
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
