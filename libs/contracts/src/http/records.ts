import { parseJson, RECORD_CATEGORIES } from '@turnkeeper/domain';
import { z } from 'zod';
import { actorId, instant, jsonObject, sessionId, text, uuid, words } from './common.js';

/** A resolved namespace, matched exactly. The limit covers a template with three ids of 255 characters. */
const namespace = text(4_096, 1);
const MAX_NAMESPACE_BYTES = 2_048;
/** A namespace chosen by the client. */
export const newNamespace = text(1_024, 1).refine(
  (value) => new TextEncoder().encode(value).length <= MAX_NAMESPACE_BYTES,
  `must have at most ${MAX_NAMESPACE_BYTES.toLocaleString('en-US')} bytes in UTF-8`,
);
export const namespaceQuery = z.strictObject({ namespace: newNamespace });

/** Options to wait until extraction has read a session (read your own writes). */
const readAfter = {
  actorId: actorId.optional(),
  sessionId: sessionId.optional(),
  afterSequence: z.coerce
    .number()
    .int()
    .min(1)
    .optional()
    .describe(
      'Wait until the automatic strategies have read the session (`actorId`, `sessionId`) up to this sequence.',
    ),
  waitMs: z.coerce
    .number()
    .int()
    .min(0)
    .max(30_000)
    .default(10_000)
    .describe('Maximum wait for `afterSequence`, in milliseconds; then the response is 504.'),
};
export interface ReadAfter {
  readonly actorId?: string | undefined;
  readonly sessionId?: string | undefined;
  readonly afterSequence?: number | undefined;
  readonly waitMs: number;
}
const namesItsSession = ({ actorId: actor, sessionId: session, afterSequence }: ReadAfter): boolean =>
  afterSequence === undefined || (actor !== undefined && session !== undefined);
const NAMES_ITS_SESSION = { path: ['afterSequence'], error: 'requires actorId and sessionId' };

export const searchRecordsQuery = z
  .strictObject({ namespace, ...readAfter })
  .refine(namesItsSession, NAMES_ITS_SESSION);

const { actorId: _, ...readAfterSession } = readAfter;
export const profileQuery = z
  .strictObject(readAfterSession)
  .refine(({ sessionId: session, afterSequence }) => afterSequence === undefined || session !== undefined, {
    path: ['afterSequence'],
    error: 'requires sessionId',
  });

const day = z.iso.date('must be a day, YYYY-MM-DD');

/** What records are restricted to, in a list and in a search. */
const conditions = {
  category: z.enum(RECORD_CATEGORIES).optional(),
  attribute: text(60, 1).optional().describe('Records that state this attribute, e.g. `phone_number`.'),
  subject: text(200, 1).optional().describe('Records about this person or thing, whatever the case of the letters.'),
  longTermMemoryStrategyId: uuid.optional().describe('Records of this strategy.'),
  sourceSessionId: sessionId.optional().describe('Records based on this session.'),
  sourceEventId: uuid.optional().describe('Records based on this event.'),
  saidFrom: instant.optional().describe('Records last stated at this time or later.'),
  saidTo: instant.optional().describe('Records last stated at this time or earlier.'),
  createdFrom: instant.optional().describe('Records created at this time or later.'),
  createdTo: instant.optional().describe('Records created at this time or earlier.'),
  eventTimeFrom: day.optional().describe('Records that refer to this day or a later one.'),
  eventTimeTo: day.optional().describe('Records that refer to this day or an earlier one.'),
};

const MAX_METADATA = { keys: 10, characters: 4_096 };
const isScalar = (value: unknown): boolean => ['string', 'number', 'boolean'].includes(typeof value);
const sourceMetadata = jsonObject
  .refine(
    (value) => Object.values(value ?? {}).every(isScalar) && Object.keys(value ?? {}).length <= MAX_METADATA.keys,
    `must have at most ${MAX_METADATA.keys} keys, each with a text, number or boolean`,
  )
  .transform((value) => value as Record<string, string | number | boolean>);
const BASED_ON = 'Records based on a message whose metadata has these values, e.g. `{"channel": "voice"}`';

const parsed = (json: string, context: z.RefinementCtx): unknown => {
  try {
    return parseJson(json);
  } catch {
    context.addIssue({ code: 'custom', message: 'must be JSON' });
    return z.NEVER;
  }
};

const recordLimit = z.coerce.number().int().min(1).max(1_000).default(100);

/** One of the first three is required, so that an omitted namespace cannot list the whole memory. */
export const listRecordsQuery = z
  .strictObject({
    namespace: namespace.optional(),
    ...conditions,
    sourceMetadata: text(MAX_METADATA.characters, 1)
      .transform(parsed)
      .pipe(sourceMetadata)
      .optional()
      .describe(`${BASED_ON}, as JSON.`),
    includeSuperseded: z
      .enum(['true', 'false'], 'must be true or false')
      .default('false')
      .transform((value) => value === 'true'),
    after: uuid.optional().describe('Id of the last record of the previous page.'),
    limit: recordLimit,
    ...readAfter,
  })
  .refine(namesItsSession, NAMES_ITS_SESSION)
  .refine(
    (query) => [query.namespace, query.longTermMemoryStrategyId, query.sourceEventId].some((v) => v !== undefined),
    { path: ['namespace'], error: 'or longTermMemoryStrategyId or sourceEventId is required' },
  );

/** AgentBase's limits ("Memory Service Limits" in their guide). */
export const searchRecordsBody = z.strictObject({
  query: words(1_000),
  limit: z.number().int().min(5).max(200).default(100),
  /** 0–1; a higher value returns fewer records. */
  scoreThreshold: z.number().min(0).max(1).default(0),
  includeSuperseded: z
    .boolean()
    .optional()
    .describe(
      'Include superseded records; `validTo` says until when they held. Default: only if the query asks for what ' +
        'happened ("When did …", "What did …", "used to").',
    ),
  ...conditions,
  sourceMetadata: sourceMetadata.optional().describe(`${BASED_ON}.`),
  explain: z.boolean().default(false).describe('Say what led to each record.'),
});
export type SearchRecordsBody = z.infer<typeof searchRecordsBody>;

export const generateFromSessionQuery = z.strictObject({
  actorId,
  sessionId,
  longTermMemoryStrategyId: uuid,
});

/** One fact: a sentence or two. 16,000 characters is AgentCore's limit. */
const recordText = words(16_000);

export const insertRecordsBody = z.strictObject({
  memoryRecords: z
    .array(recordText)
    .min(1, 'must have at least one record')
    .max(1_000, 'must have at most 1,000 records'),
});

export const batchCreateRecordsBody = z.strictObject({
  records: z
    .array(z.strictObject({ namespace: newNamespace, memory: recordText, longTermMemoryStrategyId: uuid.optional() }))
    .min(1, 'must have at least one record')
    .max(1_000, 'must have at most 1,000 records'),
});

export const correctRecordBody = z.strictObject({ memory: recordText });

export const generateFromContentQuery = z.strictObject({
  longTermMemoryStrategyId: uuid,
  actorId: actorId.optional(),
  sessionId: sessionId.optional(),
});

export const generateFromContentBody = z.strictObject({
  chatMessages: z
    .array(z.strictObject({ role: text(64, 1), content: text(100_000, 1) }))
    .min(1, 'must have at least one message')
    .max(200, 'must have at most 200 messages'),
});
