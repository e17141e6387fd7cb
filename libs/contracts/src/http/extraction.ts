import { z } from 'zod';
import { actorId, listCursor, listLimit, sessionId, uuid } from './common.js';

const stamp = z.iso.datetime({ offset: true });

export const listParkedQuery = z.strictObject({ limit: listLimit(1_000), after: listCursor });

/** The parked windows of one session and strategy. All three fields absent: every parked window of the memory. */
export const replayParkedBody = z
  .strictObject({
    strategyId: uuid.optional(),
    actorId: actorId.optional(),
    sessionId: sessionId.optional(),
    askAgain: z
      .boolean('must be true or false')
      .default(false)
      .describe('Ignore the stored answer and ask the model again.'),
  })
  .refine(
    ({ strategyId, ...session }) =>
      new Set([strategyId, session.actorId, session.sessionId].map((value) => value === undefined)).size === 1,
    {
      path: ['strategyId'],
      error: 'requires actorId and sessionId, as each requires the others; none of them means the whole memory',
    },
  );

export const parkedWindowView = z
  .object({
    strategyId: z.uuid(),
    actorId: z.string(),
    sessionId: z.string(),
    fromSequence: z.int(),
    toSequence: z.int(),
    code: z.string().describe('Why the last attempt failed.'),
    attempts: z.int(),
    parkedAt: stamp,
    answer: z.string().nullable().describe("The model's last answer; null if there was none."),
    model: z.string().nullable(),
  })
  .meta({ id: 'ParkedWindow' });

export const replayedView = z.object({ replayed: z.int() }).meta({ id: 'Replayed' });

/** Extraction progress of a memory's strategies in one session. */
export const sessionExtractionView = z
  .object({
    newestSequence: z.int(),
    strategies: z.array(
      z.object({
        strategyId: z.uuid(),
        status: z.enum([
          'not_requested',
          'accepted',
          'running',
          'retrying',
          'waiting_for_budget',
          'extracted',
          'empty',
          'parked',
        ]),
        readThrough: z.int().describe('Extracted up to this sequence.'),
        records: z.int(),
        code: z.string().nullable().describe('Why the last attempt failed; null if it did not.'),
        nextTryAt: stamp.nullable(),
        parked: z
          .array(
            z.object({
              fromSequence: z.int(),
              toSequence: z.int(),
              code: z.string(),
              replaying: z.boolean().describe('A replay is due or in progress.'),
            }),
          )
          .describe('Parked windows. Later windows are still extracted.'),
        skipped: z
          .record(z.string(), z.int())
          .describe(
            'What was not kept, by reason. Without a model: sentences (language, code, quoted, instructions, secret), messages of unknown roles (role), and windows of a CUSTOM strategy, whose prompt rules cannot follow (prompt). With a model: facts of the wrong shape (malformed). Facts that were refused, as `refused_` and the reason (quote_not_in_event, number_contradicts_source, secret, …). As `doubt_` and the doubt, facts that were kept although a number or a name could not be found in their sources.',
          ),
      }),
    ),
  })
  .meta({ id: 'SessionExtraction' });
