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
    .describe('For a window: leave the stored answer aside and ask the model again.'),
});

export const parkedView = z
  .object({
    id: z.string().describe('Opaque; names the item for as long as it is parked.'),
    kind: z
      .enum(PARKED_WORK_KINDS)
      .describe(
        'message: of the broker; window: of an extraction; delivery: of a webhook; notice: a callback of a vendor.',
      ),
    tenantId: z.uuid().nullable(),
    memoryId: z.uuid().nullable(),
    reason: z.string().describe('A stable code.'),
    cause: z.string().nullable().describe('The failure in its own words, where it is kept.'),
    attempts: z.int(),
    parkedAt: z.iso.datetime(),
    ageSeconds: z.int(),
  })
  .meta({ id: 'ParkedWork' });

export const parkedPage = listOf(parkedView);

export const reconcileView = z
  .object({
    from: z.int().describe('First position that the stream should still tell of.'),
    through: z.int().describe('Last position that was published.'),
    events: z.int().describe('Events of the log in that range.'),
    missing: z.int().describe('Events that no message of the stream told of.'),
    republished: z.int().describe('Messages published again, under their former ids.'),
    refused: z
      .int()
      .describe('Messages that JetStream took for repeats because it still remembers the lost ones; tried again soon.'),
  })
  .meta({ id: 'Reconciliation' });

const lagView = z.object({
  events: z.int().describe('Events between it and the end of the log.'),
  seconds: z.number().describe('Age of the oldest event that it has not processed; 0 if there is none.'),
});
const dueSeconds = z.number().describe('How long the oldest due item has been waiting; 0 if none is due.');

export const activityQuery = z.strictObject({
  after: instant.optional().describe('Only samples later than this; `at` of the newest one that you have.'),
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
              .describe('Events appended per second since the sample before; null for the first.'),
            lag: z.object({ dispatcher: lagView, relay: lagView, questionIndex: lagView, turnIndex: lagView }),
            oldestDue: z.object({ extraction: dueSeconds, delivery: dueSeconds, call: dueSeconds }),
            parked: z.int().describe('Parked items of all kinds.'),
            webhookAttempts: z
              .object({ delivered: z.int(), failed: z.int() })
              .describe('Attempts since the previous sample.'),
          })
          .meta({ id: 'ActivitySample' }),
      )
      .describe('Oldest first, one every ten seconds; none for times without a running worker.'),
  })
  .meta({ id: 'Activity' });
