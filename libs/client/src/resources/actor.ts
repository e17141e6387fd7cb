import type { ActorDetails, ActorProfile, Context, ErasureReceipt, Session, TurnHit } from '../api/types.js';
import { List } from '../http/list.js';
import type { CallOptions, Transport } from '../http/transport.js';
import type { AnswerOptions, SearchTurnsOptions } from './options.js';
import { defined, patient, type Freshness } from './records.js';
import { SessionHandle } from './session.js';

const ACTOR = '/memory/memories/{memoryId}/actors/{actorId}';

export type ProfileOptions = Omit<Freshness, 'actorId'> & CallOptions;

export interface ContextOptions extends CallOptions {
  /** What to find things about. Default: the newest. */
  readonly query?: string;
  /** Most tokens of the text. Default 800. */
  readonly budget?: number;
  /** Only what was said in this session. Default: all sessions of the actor. */
  readonly sessionId?: string;
}

/** One user of a memory. */
export class ActorHandle {
  private readonly path: { readonly memoryId: string; readonly actorId: string };

  constructor(
    private readonly transport: Transport,
    readonly memoryId: string,
    readonly actorId: string,
  ) {
    this.path = { memoryId, actorId };
  }

  session(sessionId: string): SessionHandle {
    return new SessionHandle(this.transport, this.memoryId, this.actorId, sessionId);
  }

  sessions(call?: CallOptions): List<Session> {
    return List.of<Session, string>(async (after) => {
      const query = { size: 100, ...(after === undefined ? {} : { after }) };
      const page = await this.transport.request('get', `${ACTOR}/sessions`, { path: this.path, query }, call);
      return { items: page.listData, next: page.next };
    });
  }

  get(call?: CallOptions): Promise<ActorDetails> {
    return this.transport.request('get', ACTOR, { path: this.path }, call);
  }

  /** Erases everything about the actor in this memory. */
  delete(call?: CallOptions): Promise<ErasureReceipt> {
    return this.transport.request('delete', ACTOR, { path: this.path }, call);
  }

  /** The current typed values (phone number, plan, appointment, …), each with the record that states it. */
  profile({ sessionId, afterSequence, waitMs, ...call }: ProfileOptions = {}): Promise<ActorProfile> {
    const freshness = defined({ sessionId, afterSequence, waitMs });
    const path = '/v1/memories/{memoryId}/actors/{actorId}/profile';
    return this.transport.request('get', path, { path: this.path, query: freshness }, patient(call, freshness));
  }

  /** Records and turns as text for a prompt, within a budget of tokens, with its sources. */
  context({ query, budget, sessionId, ...call }: ContextOptions = {}): Promise<Context> {
    const body = {
      ...(query === undefined ? {} : { query }),
      ...(budget === undefined ? {} : { budget }),
      ...(sessionId === undefined ? {} : { sessionId }),
    };
    const options = { ...call, repeatable: true };
    return this.transport.request('post', `${ACTOR}/context`, { path: this.path, body }, options);
  }

  /** The turns of the actor that match, best first. */
  searchTurns(query: string, { signal, timeoutMs, ...options }: SearchTurnsOptions = {}): Promise<TurnHit[]> {
    const input = { path: this.path, body: { query, ...options } };
    return this.transport.request('post', `${ACTOR}/events:search`, input, { signal, timeoutMs, repeatable: true });
  }

  /** The assistant's answer directly after a user message with exactly this text; null if there is none. */
  async exactMatch(query: string, { prefer = 'newest', ...call }: AnswerOptions = {}): Promise<string | null> {
    const path = '/v1/memories/{memoryId}/actors/{actorId}/exact-match';
    return (await this.transport.request('post', path, { path: this.path, body: { query, prefer } }, call)).answer;
  }
}
