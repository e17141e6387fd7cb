import { z } from 'zod';
import { actorId, sessionId, text, uuid } from '@turnkeeper/contracts';

export const chatQuery = z.strictObject({
  memoryId: uuid.optional().describe('The memory; `Turnkeeper-Memory` takes precedence.'),
  actorId: actorId.optional().describe('The user; `Turnkeeper-Actor` takes precedence.'),
  sessionId: sessionId.optional().describe('The conversation; `Turnkeeper-Session` takes precedence.'),
});

const id = (what: string) => z.string().optional().describe(what);

/** Names a client's memory, user and conversation where it can set headers; they take precedence over everything else. */
export const chatHeaders = {
  'Turnkeeper-Memory': uuid.optional(),
  'Turnkeeper-Actor': actorId.optional(),
  'Turnkeeper-Session': sessionId.optional(),
  'Turnkeeper-Model-Key': text(1_024, 1)
    .optional()
    .describe('Bearer token for the model, instead of CHAT_MODEL_API_KEY.'),
} as const;

/** A message in OpenAI's format. Fields that are not read here are passed on. */
const chatMessage = z.looseObject({
  role: text(64, 1),
  /** Text, parts with text or media, or null of an assistant that only calls tools. */
  content: z.union([z.string(), z.array(z.looseObject({ type: z.string() }))]).nullish(),
  tool_calls: z.array(z.looseObject({ id: z.string() })).optional(),
  tool_call_id: z.string().optional(),
});

/** A request to OpenAI's chat completions (`POST /v1/chat/completions`). Every other field is passed on unchanged. */
export const chatCompletionBody = z
  .looseObject({
    messages: z.array(chatMessage).min(1, 'must have at least one message').max(10_000),
    model: z.string().optional(),
    stream: z.boolean().nullish(),
    user: id('The user, unless a header, the query or `metadata` names it.'),
    metadata: z
      .looseObject({
        memory_id: id('The memory, unless a header or the query names it.'),
        actor_id: id('The user.'),
        user_id: id('The user, without `actor_id`.'),
        session_id: id('The conversation.'),
      })
      .nullish(),
    turn_id: z.number().int().optional().describe("Agora's number of the turn, stored with its messages."),
  })
  .meta({ id: 'ChatCompletionRequest' });
export type ChatCompletionBody = z.infer<typeof chatCompletionBody>;

/** The model's response, unchanged. */
export const chatCompletionView = z.looseObject({}).meta({ id: 'ChatCompletion' });

/** An error in OpenAI's format, of this server or of the model. */
export const chatErrorView = z
  .object({
    error: z.looseObject({
      message: z.string(),
      type: z.string(),
      code: z.string().nullable(),
      param: z.string().nullable(),
    }),
  })
  .meta({ id: 'ChatError' });
