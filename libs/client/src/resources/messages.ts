import type { BodyOf } from '../api/types.js';

export type EventBody = Extract<
  BodyOf<'post', '/memory/memories/{memoryId}/actors/{actorId}/sessions/{sessionId}/events'>,
  { payload: unknown }
>;

/** One message of a conversation. */
export interface Message {
  /** `user`, `assistant`, `system`, `tool`, … */
  readonly role: string;
  readonly content: string;
  /** Free keys and values, at most 16 levels deep. */
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
  /** When it was said, ISO 8601 or a date. Default: the time of the append. */
  readonly at?: string | Date | undefined;
  /** A UUID of yours, to recognise the event. Default: given by the server. */
  readonly eventId?: string | undefined;
  readonly turnId?: number | undefined;
  /** Of an assistant's message: the calls that it makes. */
  readonly toolCalls?: readonly Readonly<Record<string, unknown>>[] | undefined;
  /** Of a `tool` message: the call that it answers. */
  readonly toolCallId?: string | undefined;
}

export const eventOf = (message: Message): EventBody => {
  const { role, content, metadata, at, eventId, turnId, toolCalls, toolCallId } = message;
  return {
    payload: { type: 'CONVERSATIONAL', role, message: content },
    ...(at === undefined ? {} : { eventTimestamp: typeof at === 'string' ? at : at.toISOString() }),
    ...(eventId === undefined ? {} : { eventId }),
    ...(turnId === undefined ? {} : { turnId }),
    ...(metadata === undefined ? {} : { metadata: { ...metadata } }),
    ...(toolCalls === undefined ? {} : { toolCalls: toolCalls.map((call) => ({ ...call })) }),
    ...(toolCallId === undefined ? {} : { toolCallId }),
  };
};
