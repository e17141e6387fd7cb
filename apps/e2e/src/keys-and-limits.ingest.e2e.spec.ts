import { afterAll, beforeAll, describe } from 'vitest';
import { apiKeyCases } from './keys-and-limits/api-keys.js';
import { issuerTokenCases } from './keys-and-limits/issuer-tokens.js';
import { limitCases } from './keys-and-limits/limits.js';
import { runtimeHeaderCases } from './keys-and-limits/runtime-headers.js';
import { AccessWorld } from './keys-and-limits/world.js';

// Most of the time is waiting for caches, so these tests wait in parallel.
describe('authentication and limits', () => {
  const world = new AccessWorld();
  beforeAll(world.start);
  afterAll(world.stop);

  apiKeyCases(world);
  issuerTokenCases(world);
  limitCases(world);
  runtimeHeaderCases(world);
});
