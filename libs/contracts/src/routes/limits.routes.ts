import { LIMIT_NAMES } from '@turnkeeper/domain';
import { z } from 'zod';
import { dayOfModel } from '../http/session-views.js';
import { routesOf } from './route.js';

const route = routesOf('Limits');
const limitView = z
  .object({
    name: z.enum(LIMIT_NAMES),
    limit: z.int().nullable().describe('Null: unlimited. Rates are per second.'),
    used: z
      .int()
      .describe(
        'Current usage; for a rate, the used part of its burst. 0 for rates and instance mappings without a limit, which are not counted.',
      ),
    remaining: z.int().nullable().describe('Null if there is no limit.'),
    resetSeconds: z
      .number()
      .nullable()
      .describe(
        'For a rate, time until its whole burst is available again; null for limits that only a deletion frees.',
      ),
    burst: z.int().nullable().describe('For a rate, the maximum at once; null for other limits.'),
    perProcess: z
      .boolean()
      .describe('True: each ingest process counts separately, and `used` is that of the process that answered.'),
  })
  .meta({ id: 'Limit' });

export const getLimits = route('getLimits', 'GET', '/v1/limits', {
  summary: "Get the limits of the caller's tenant, how much of each is used, and what its model cost.",
  scope: 'memory:read',
  response: z.object({
    limits: z.array(limitView),
    modelUsage: z
      .array(dayOfModel)
      .describe('Calls and tokens of the model by day (UTC) in the last 31 days, newest first; of all memories.'),
  }),
});
