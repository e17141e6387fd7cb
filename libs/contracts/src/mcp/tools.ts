import { z } from 'zod';
import { actorId, sessionId, text, uuid, words } from '../http/common.js';
import { MAX_MESSAGE_LENGTH } from '../http/events.js';

/** Session that `remember` appends to by default. */
const DEFAULT_SESSION = 'mcp';

const stamp = z.iso.datetime({ offset: true });
const actor = actorId.describe('Id of the end user whose memory is used.');

/**
 * Input schemas of the MCP tools.
 *
 * @param isFixed the connection serves one actor, so the tools do not ask for it
 */
export const mcpToolInputs = (isFixed: boolean) => {
  // Typed as optional, because only one of both kinds of connection has it.
  const who = (isFixed ? {} : { actorId: actor }) as unknown as { readonly actorId: z.ZodOptional<typeof actor> };
  return {
    remember: z.strictObject({
      content: text(MAX_MESSAGE_LENGTH, 1).describe("What to remember, as a full sentence in the user's words."),
      role: z.enum(['user', 'assistant']).default('user').describe('Who said it.'),
      sessionId: sessionId.default(DEFAULT_SESSION).describe('The conversation that it belongs to.'),
      ...who,
    }),
    recall: z.strictObject({
      query: words(1_000).describe('A question or keywords.'),
      limit: z.number().int().min(1).max(50).default(10).describe('Maximum number of records and of turns.'),
      ...who,
    }),
    get_context: z.strictObject({
      query: text(10_000)
        .default('')
        .describe('What the user just said or asked. Empty: the newest turns and records.'),
      budget: z.number().int().min(100).max(16_000).default(800).describe('Maximum size of the block in tokens.'),
      sessionId: sessionId.optional().describe('Also use the memory of this conversation.'),
      ...who,
    }),
    explain_record: z.strictObject({ recordId: uuid.describe('Id of a record, as `recall` returns it.') }),
    forget: z
      .strictObject({
        recordId: uuid.optional().describe('Record to delete, as `recall` returns it.'),
        eventId: uuid.optional().describe('Turn to erase, as `recall` returns it; needs its sessionId.'),
        sessionId: sessionId.optional().describe('The conversation of the turn.'),
        ...((isFixed ? {} : { actorId: actor.optional() }) as { readonly actorId: z.ZodOptional<typeof actor> }),
      })
      .refine(({ recordId, eventId }) => (recordId === undefined) !== (eventId === undefined), {
        path: ['recordId'],
        error: 'or eventId is required, and not both',
      })
      .refine((input) => input.eventId === undefined || input.sessionId !== undefined, {
        path: ['sessionId'],
        error: 'is required with eventId',
      })
      .refine((input) => isFixed || input.eventId === undefined || input.actorId !== undefined, {
        path: ['actorId'],
        error: 'is required with eventId',
      }),
  };
};

const recordHit = z.object({
  recordId: z.string(),
  text: z.string(),
  namespace: z.string(),
  score: z.number().nullable(),
  saidAt: stamp,
});
const turnHit = z.object({
  eventId: z.string(),
  sessionId: z.string(),
  role: z.string(),
  text: z.string(),
  at: stamp,
  score: z.number(),
});

/** Output schemas of the MCP tools. */
export const mcpToolOutputs = {
  remember: z.object({ eventId: z.string(), sessionId: z.string(), sequence: z.int() }),
  recall: z.object({ records: z.array(recordHit), turns: z.array(turnHit) }),
  get_context: z.object({ context: z.string(), tokens: z.int() }),
  explain_record: z.object({
    recordId: z.string(),
    text: z.string(),
    namespace: z.string(),
    extractor: z.string(),
    sources: z.array(
      z.object({
        eventId: z.string(),
        role: z.string(),
        quote: z.string(),
        context: z.boolean(),
        content: z.string().nullable(),
        state: z.string(),
        at: stamp.nullable(),
      }),
    ),
    supersedes: z.array(z.string()),
    supersededBy: z.array(z.string()),
  }),
  forget: z.object({ forgotten: z.enum(['record', 'turn']), id: z.string() }),
};

export type McpToolName = keyof typeof mcpToolOutputs;
export type McpToolInput<Name extends McpToolName> = z.infer<ReturnType<typeof mcpToolInputs>[Name]>;
export type McpToolOutput<Name extends McpToolName> = z.infer<(typeof mcpToolOutputs)[Name]>;
