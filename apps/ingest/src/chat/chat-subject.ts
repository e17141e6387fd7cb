import type { Ids, SessionScope } from '@turnkeeper/application';
import { firstWords } from '@turnkeeper/application';
import { parseOrRefuse } from '@turnkeeper/contracts';
import { assertReaches, OutOfReach, type Reach } from '@turnkeeper/domain';
import { chatHeaders, type ChatCompletionBody } from '@turnkeeper/vendors';
import type { IncomingHttpHeaders } from 'node:http';
import { asSent } from '../auth/runtime-headers.js';
import { ChatSubjectMissing } from './chat-errors.js';

type Header = keyof typeof chatHeaders;

/** A header's value, checked; undefined without it. Throws `InvalidPayload`. */
export const chatHeader = (headers: IncomingHttpHeaders, name: Header): string | undefined => firstOf(headers, name);

/** The first value of the header and these other places, checked by the rules of the header. */
const firstOf = (
  headers: IncomingHttpHeaders,
  name: Header,
  ...others: readonly (string | null | undefined)[]
): string | undefined => {
  const header = headers[name.toLowerCase()];
  // Only headers arrive as Latin-1.
  const values = [typeof header === 'string' ? asSent(header) : header, ...others];
  return parseOrRefuse(
    name,
    chatHeaders[name],
    values.find((value) => value !== undefined && value !== null && value !== '') ?? undefined,
  );
};

export interface ChatPlaces {
  readonly headers: IncomingHttpHeaders;
  readonly query: {
    readonly memoryId?: string | undefined;
    readonly actorId?: string | undefined;
    readonly sessionId?: string | undefined;
  };
  readonly body: ChatCompletionBody;
}

/**
 * Whose conversation a request belongs to: named by the headers, the query, the body's `metadata` or `user`, or by the key
 * itself, in this order. Without a session, it is derived from the user, the day and the first words, which every
 * request of a conversation repeats. Throws `ChatSubjectMissing`, `InvalidPayload`, or `OutOfReach` beyond the caller's reach.
 *
 * @param now ISO 8601
 */
export const chatSubject = (
  reach: Reach,
  { headers, query, body }: ChatPlaces,
  ids: Pick<Ids, 'derive'>,
  now: string,
): SessionScope => {
  const { memory_id, actor_id, user_id, session_id } = body.metadata ?? {};
  const pick = (name: Header, ...others: readonly (string | null | undefined)[]): string | undefined =>
    firstOf(headers, name, ...others);
  const memoryId = pick('Turnkeeper-Memory', query.memoryId, memory_id, reach.memoryId)?.toLowerCase();
  if (memoryId === undefined) throw new ChatSubjectMissing('memory');
  const actorId = pick('Turnkeeper-Actor', query.actorId, actor_id, user_id, body.user, reach.actorId);
  if (actorId === undefined) throw new ChatSubjectMissing('actor');
  assertReaches(reach, { memoryId, actorId });
  const sessionId =
    pick('Turnkeeper-Session', query.sessionId, session_id, reach.sessionId) ??
    `chat-${ids.derive('chat-session', actorId, now.slice(0, 10), firstWords(body.messages))}`;
  if (reach.sessionId !== null && sessionId !== reach.sessionId) throw new OutOfReach();
  return { tenantId: reach.tenantId, memoryId, actorId, sessionId };
};
