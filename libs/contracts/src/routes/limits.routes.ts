import { LIMIT_NAMES } from '@turnkeeper/domain';
import { z } from 'zod';
import { route } from './route.js';

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

export const getLimits = route({
  id: 'getLimits',
  method: 'GET',
  path: '/v1/limits',
  tag: 'Limits',
  summary: "Get the limits of the caller's tenant and how much of each is used.",
  scope: 'memory:read',
  status: 200,
  response: z.object({ limits: z.array(limitView) }),
});
