import { z } from 'zod';
import { instant, listCursor, listLimit, text } from './common.js';
import { listOf } from './paging.js';

export const PARKED_WORK_KINDS = ['message', 'window', 'delivery', 'notice'] as const;

const kind = z.enum(PARKED_WORK_KINDS, `must be one of ${PARKED_WORK_KINDS.join(', ')}`);

export const parkedQuery = z.strictObject({
  kind: kind.optional(),
  tenantId: z.uuid('must be a UUID').optional(),
  code: text(128, 1).optional(),
  limit: listLimit(1_000),
  after: listCursor,
});

export const replayParkedQuery = z.strictObject({
  askAgain: z
    .enum(['true', 'false'], 'must be true or false')
    .default('false')
    .describe('For windows: ignore the stored answer and ask the model again.'),
});

const parkedView = z
  .object({
    id: z.string().describe('Opaque id, valid while the item is parked.'),
    kind: z
      .enum(PARKED_WORK_KINDS)
      .describe(
        '`message`: event that could not be dispatched. `window`: part of a session that could not be extracted. `delivery`: webhook. `notice`: vendor callback.',
      ),
    tenantId: z.uuid().nullable(),
    memoryId: z.uuid().nullable(),
    reason: z.string().describe('Stable code.'),
    cause: z.string().nullable().describe('Error message or response of the endpoint, if stored.'),
    attempts: z.int(),
    parkedAt: z.iso.datetime(),
    ageSeconds: z.int(),
  })
  .meta({ id: 'ParkedWork' });

export const parkedPage = listOf(parkedView);

export const reconcileView = z
  .object({
    from: z.int().describe('First position that the stream should still contain.'),
    through: z.int().describe('Last published position.'),
    events: z.int().describe('Events of the log in that range.'),
    missing: z.int().describe('Events that were in no message of the stream.'),
    republished: z.int().describe('Messages republished with their original ids.'),
    refused: z
      .int()
      .describe(
        'Messages that JetStream rejected as duplicates, because the lost ones are still in its deduplication window. They are retried later.',
      ),
  })
  .meta({ id: 'Reconciliation' });

const lagView = z.object({
  events: z.int().describe('Events between its position and the head of the log.'),
  seconds: z.number().describe('Age of the oldest event that it has not processed; 0 if there is none.'),
});
const dueSeconds = z.number().describe('How long the oldest due item has been waiting; 0 if none is due.');

export const activityQuery = z.strictObject({
  after: instant.optional().describe('Only samples after this time: `at` of the newest sample you have.'),
});

export const activityView = z
  .object({
    samples: z
      .array(
        z
          .object({
            at: z.iso.datetime(),
            appendedPerSecond: z
              .number()
              .nullable()
              .describe('Events appended per second since the previous sample; null for the first one.'),
            lag: z.object({ dispatcher: lagView, relay: lagView, sessionIndex: lagView, turnIndex: lagView }),
            oldestDue: z.object({ extraction: dueSeconds, delivery: dueSeconds, call: dueSeconds }),
            parked: z.int().describe('Parked items of all kinds.'),
            webhookAttempts: z
              .object({ delivered: z.int(), failed: z.int() })
              .describe('Attempts since the previous sample.'),
          })
          .meta({ id: 'ActivitySample' }),
      )
      .describe('Oldest first, one every ten seconds. No samples exist for times without a running worker.'),
  })
  .meta({ id: 'Activity' });
