import { LIMIT_NAMES } from '@turnkeeper/domain';
import { z } from 'zod';
import { routesOf } from './route.js';

const route = routesOf('Limits');
const limitView = z
  .object({
    name: z.enum(LIMIT_NAMES),
    limit: z.int().nullable().describe('Null: none. Of a rate, per second.'),
    used: z.int().describe('What counts towards the limit now; of a rate, what is missing from its burst.'),
    remaining: z.int().nullable().describe('Null where there is no limit.'),
    resetSeconds: z
      .number()
      .nullable()
      .describe('Of a rate, when all of its burst is there again; null of what only a change of yours frees.'),
    burst: z.int().nullable().describe('Of a rate, how much may come at once; null of others.'),
    perProcess: z
      .boolean()
      .describe('True: counted by each ingest process, and `used` is that of the one that answers.'),
  })
  .meta({ id: 'Limit' });

export const getLimits = route('getLimits', 'GET', '/v1/limits', {
  summary: "Get the limits of the caller's tenant and how much of each is used.",
  scope: 'memory:read',
  response: z.object({ limits: z.array(limitView) }),
});
