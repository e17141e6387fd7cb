import { LIMIT_NAMES } from '@turnkeeper/domain';
import { z } from 'zod';
import { routesOf } from './route.js';

const route = routesOf('Limits');
const limitView = z
  .object({
    name: z.enum(LIMIT_NAMES),
    limit: z.int().nullable().describe('Null: unlimited. Rates are per second.'),
    used: z.int().describe('What counts towards the limit now; for a rate, the used part of its burst.'),
    remaining: z.int().nullable().describe('Null if there is no limit.'),
    resetSeconds: z
      .number()
      .nullable()
      .describe(
        'For a rate, time until its whole burst is available again; null for limits that only a deletion frees.',
      ),
    burst: z.int().nullable().describe('For a rate, how much is allowed at once; null for other limits.'),
    perProcess: z
      .boolean()
      .describe('True: each ingest process counts on its own, and `used` is the count of the one that answered.'),
  })
  .meta({ id: 'Limit' });

export const getLimits = route('getLimits', 'GET', '/v1/limits', {
  summary: "Get the limits of the caller's tenant and how much of each is used.",
  scope: 'memory:read',
  response: z.object({ limits: z.array(limitView) }),
});
