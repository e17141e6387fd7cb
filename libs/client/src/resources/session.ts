import type {
  AppendedEvent,
  ContextMessage,
  ErasureReceipt,
  Event,
  SessionDetails,
  SessionExtraction,
  TurnHit,
} from '../api/types.js';
import { List } from '../http/list.js';
import { sleep } from '../http/retry.js';
import { withKey, type CallOptions, type Transport } from '../http/transport.js';
import { eventOf, type Message } from './messages.js';
import type { AnswerOptions, SearchTurnsOptions } from './options.js';

const SESSION = '/memory/memories/{memoryId}/actors/{actorId}/sessions/{sessionId}';
const SHORT_TERM = '/v1/memories/{memoryId}/actors/{actorId}/sessions/{sessionId}';

export interface AppendOptions extends CallOptions {
  /** The same key and messages again give the first response. Default: a new key for each call. */
  readonly idempotencyKey?: string;
  /** Append only if this is the newest sequence of the session (0: it is empty); otherwise `session.sequence_conflict`. */
  readonly expectedSequence?: number;
}

export interface EventsOptions extends CallOptions {
  /** Default `asc`: oldest first. */
  readonly order?: 'asc' | 'desc';
  /** Only events behind this sequence, in the chosen order. */
  readonly after?: number;
  /** Events per request, at most 100. Default 100. */
  readonly pageSize?: number;
  readonly fromTimestamp?: string;
  readonly toTimestamp?: string;
}

export interface FollowOptions extends CallOptions {
  /** Only events behind this sequence. Default 0: all of them. */
  readonly after?: number;
  /** Wait between requests when there is nothing new, in ms. Default 1,000. */
  readonly pollMs?: number;
}

/** One conversation of an actor. It exists from its first message on. */
export class SessionHandle {
  private readonly path: { readonly memoryId: string; readonly actorId: string; readonly sessionId: string };

  constructor(
    private readonly transport: Transport,
    readonly memoryId: string,
    readonly actorId: string,
    readonly sessionId: string,
  ) {
    this.path = { memoryId, actorId, sessionId };
  }

  /**
   * Appends one message, or up to 1,000 atomically. When it resolves they are stored; failures are retried, and a
   * message is never stored twice.
   */
  append(message: Message, options?: AppendOptions): Promise<AppendedEvent>;
  append(messages: readonly Message[], options?: AppendOptions): Promise<AppendedEvent[]>;
  async append(
    messages: Message | readonly Message[],
    options: AppendOptions = {},
  ): Promise<AppendedEvent | AppendedEvent[]> {
    const { idempotencyKey, expectedSequence, ...call } = options;
    const expected = expectedSequence === undefined ? {} : { expectedSequence };
    const many = isMany(messages);
    const body = many ? { events: messages.map(eventOf), ...expected } : { ...eventOf(messages), ...expected };
    const appended = await this.transport.request(
      'post',
      `${SESSION}/events`,
      { path: this.path, body },
      withKey(call, idempotencyKey),
    );
    return 'events' in appended ? appended.events : many ? [appended] : appended;
  }

  /** The events, oldest first by default. */
  events({
    order = 'asc',
    after,
    pageSize = 100,
    fromTimestamp,
    toTimestamp,
    ...call
  }: EventsOptions = {}): List<Event> {
    const query = {
      order,
      size: pageSize,
      ...(fromTimestamp && { fromTimestamp }),
      ...(toTimestamp && { toTimestamp }),
    };
    return List.of<Event, number>(
      async (cursor) => {
        const path = this.path;
        const page = cursor === undefined ? query : { ...query, after: cursor };
        const { listData, next } = await this.transport.request(
          'get',
          `${SESSION}/events`,
          { path, query: page },
          call,
        );
        return { items: listData, next };
      },
      // After a cursor the server does not count the session, which would cost more than the page.
      after ?? (order === 'asc' ? 0 : undefined),
    );
  }

  /** The events, and then new ones as they are appended, until the signal is aborted. */
  async *follow({ after = 0, pollMs = 1_000, ...call }: FollowOptions = {}): AsyncGenerator<Event, void, undefined> {
    for (let cursor = after; ;) {
      const before = cursor;
      for await (const event of this.events({ after: cursor, ...call })) {
        cursor = Math.max(cursor, event.sequence ?? 0);
        yield event;
      }
      if (cursor === before) await sleep(pollMs, call.signal);
    }
  }

  event(eventId: string, call?: CallOptions): Promise<Event> {
    return this.transport.request('get', `${SESSION}/events/{eventId}`, { path: { ...this.path, eventId } }, call);
  }

  /** Erases one event, and the records whose only source it is. */
  async deleteEvent(eventId: string, call?: CallOptions): Promise<void> {
    await this.transport.request('delete', `${SESSION}/events/{eventId}`, { path: { ...this.path, eventId } }, call);
  }

  get(call?: CallOptions): Promise<SessionDetails> {
    return this.transport.request('get', SESSION, { path: this.path }, call);
  }

  /** Erases the session, and the records whose only sources are in it. */
  delete(call?: CallOptions): Promise<ErasureReceipt> {
    return this.transport.request('delete', SESSION, { path: this.path }, call);
  }

  /** The turns of this session that match, best first. */
  searchTurns(
    query: string,
    { afterSequence, signal, timeoutMs, ...options }: SearchTurnsOptions & { readonly afterSequence?: number } = {},
  ): Promise<TurnHit[]> {
    const body = { query, ...options, ...(afterSequence === undefined ? {} : { afterSequence }) };
    return this.transport.request(
      'post',
      `${SESSION}/events:search`,
      { path: this.path, body },
      { signal, timeoutMs, repeatable: true },
    );
  }

  /** The newest messages since the session was last cleared, oldest first. @param limit 1–1,000; default 10 */
  async window(limit = 10, call?: CallOptions): Promise<ContextMessage[]> {
    const input = { path: this.path, query: { limit } };
    return (await this.transport.request('get', `${SHORT_TERM}/context`, input, call)).messages;
  }

  /** The same as text: `ROLE: content`, separated by blank lines. */
  async format(limit = 10, call?: CallOptions): Promise<string> {
    const input = { path: this.path, query: { limit } };
    return (await this.transport.request('get', `${SHORT_TERM}/format`, input, call)).text;
  }

  /** The assistant's answer directly after a user message with exactly this text; null if there is none. */
  async exactMatch(query: string, { prefer = 'newest', ...call }: AnswerOptions = {}): Promise<string | null> {
    const input = { path: this.path, body: { query, prefer } };
    return (await this.transport.request('post', `${SHORT_TERM}/exact-match`, input, call)).answer;
  }

  /** Hides the messages so far from `window`, `format` and `exactMatch`. The events stay; see `delete`. */
  async clear(call?: CallOptions): Promise<void> {
    await this.transport.request('post', `${SHORT_TERM}/clear`, { path: this.path }, call);
  }

  /** How far each strategy has read the session. */
  extraction(call?: CallOptions): Promise<SessionExtraction> {
    return this.transport.request('get', `${SHORT_TERM}/extraction`, { path: this.path }, call);
  }
}

const isMany = (messages: Message | readonly Message[]): messages is readonly Message[] => Array.isArray(messages);
