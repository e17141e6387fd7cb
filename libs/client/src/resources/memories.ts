import type {
  Actor,
  BodyOf,
  CreatedMemory,
  DeletedStrategy,
  ExtractionProgress,
  ImportedMemory,
  Memory,
  MemoryUsage,
  ParkedWindow,
  RecentSession,
  Strategy,
  TurnHit,
} from '../api/types.js';
import { List } from '../http/list.js';
import type { CallOptions, Transport } from '../http/transport.js';
import { ActorHandle } from './actor.js';
import type { AnswerOptions, SearchTurnsOptions } from './options.js';
import { Records } from './records.js';
import type { SessionHandle } from './session.js';

const MEMORIES = '/memory/memories';
const MEMORY = `${MEMORIES}/{memoryId}` as const;
const STRATEGIES = `${MEMORY}/long-term-memory-strategies` as const;

/** Memories of the tenant. */
export class Memories {
  constructor(private readonly transport: Transport) {}

  create(body: BodyOf<'post', typeof MEMORIES>, call?: CallOptions): Promise<CreatedMemory> {
    return this.transport.request('post', MEMORIES, { body }, call);
  }

  list(call?: CallOptions): List<Memory> {
    return List.of<Memory, number>(async (page = 1) => {
      const found = await this.transport.request('get', MEMORIES, { query: { page, size: 100 } }, call);
      return { items: found.listData, next: page < found.totalPage ? page + 1 : null };
    });
  }

  /**
   * Imports an exported memory. Sending the same file again resumes an interrupted import.
   *
   * @param ndjson the file as text, or as a `Blob` to stream it, e.g. of `fs.openAsBlob`
   */
  import(
    ndjson: string | Blob,
    { ids = 'keep', ...call }: CallOptions & { readonly ids?: 'keep' | 'new' } = {},
  ): Promise<ImportedMemory> {
    const options = { repeatable: ids === 'keep', ...call };
    return this.transport.request('post', '/v1/memories:import', { query: { ids }, body: ndjson as string }, options);
  }
}

/** One memory: its events, records and strategies. Making a handle sends nothing. */
export class MemoryHandle {
  readonly records: Records;
  readonly strategies: Strategies;

  constructor(
    private readonly transport: Transport,
    readonly id: string,
  ) {
    this.records = new Records(transport, id);
    this.strategies = new Strategies(transport, id);
  }

  actor(actorId: string): ActorHandle {
    return new ActorHandle(this.transport, this.id, actorId);
  }

  session(actorId: string, sessionId: string): SessionHandle {
    return this.actor(actorId).session(sessionId);
  }

  get(call?: CallOptions): Promise<Memory> {
    return this.transport.request('get', MEMORY, { path: { memoryId: this.id } }, call);
  }

  change(body: BodyOf<'patch', typeof MEMORY>, call?: CallOptions): Promise<Memory> {
    return this.transport.request('patch', MEMORY, { path: { memoryId: this.id }, body }, call);
  }

  /** Deletes the memory with everything in it. */
  async delete(call?: CallOptions): Promise<void> {
    await this.transport.request('delete', MEMORY, { path: { memoryId: this.id } }, call);
  }

  usage(call?: CallOptions): Promise<MemoryUsage> {
    return this.transport.request('get', `${MEMORY}/usage`, { path: { memoryId: this.id } }, call);
  }

  actors(call?: CallOptions): List<Actor> {
    return List.of<Actor, string>(async (after) => {
      const query = { size: 100, ...(after === undefined ? {} : { after }) };
      const input = { path: { memoryId: this.id }, query };
      const page = await this.transport.request('get', `${MEMORY}/actors`, input, call);
      return { items: page.listData, next: page.next };
    });
  }

  /** Sessions of the memory, or of one actor, most recently used first. */
  recentSessions({ actorId, ...call }: CallOptions & { readonly actorId?: string } = {}): List<RecentSession> {
    return List.of<RecentSession, string>((after) => {
      const query = { ...(actorId === undefined ? {} : { actorId }), ...(after === undefined ? {} : { after }) };
      return this.transport.request(
        'get',
        '/v1/memories/{memoryId}/sessions',
        { path: { memoryId: this.id }, query },
        call,
      );
    });
  }

  /** The assistant's answer directly after a user message with exactly this text, of any actor; null if there is none. */
  async exactMatch(query: string, { prefer = 'newest', ...call }: AnswerOptions = {}): Promise<string | null> {
    const input = { path: { memoryId: this.id }, body: { query, prefer } };
    return (await this.transport.request('post', '/v1/memories/{memoryId}/exact-match', input, call)).answer;
  }

  /** The turns of all actors that match, best first. */
  searchTurns(query: string, { signal, timeoutMs, ...options }: SearchTurnsOptions = {}): Promise<TurnHit[]> {
    const input = { path: { memoryId: this.id }, body: { query, ...options } };
    return this.transport.request('post', `${MEMORY}/events:search`, input, { signal, timeoutMs, repeatable: true });
  }

  /** How far the strategies have read. */
  extraction(call?: CallOptions): Promise<ExtractionProgress> {
    return this.transport.request('get', '/v1/memories/{memoryId}/extraction', { path: { memoryId: this.id } }, call);
  }

  /** Parts of sessions whose extraction failed permanently. */
  parkedWindows(call?: CallOptions): List<ParkedWindow> {
    return List.of<ParkedWindow, string>((after) => {
      const input = { path: { memoryId: this.id }, query: after === undefined ? {} : { after } };
      return this.transport.request('get', '/v1/memories/{memoryId}/extraction/parked', input, call);
    });
  }

  /** Tries parked windows again. @returns how many */
  async replayParkedWindows(
    body: BodyOf<'post', '/v1/memories/{memoryId}/extraction/parked:replay'>,
    call?: CallOptions,
  ): Promise<number> {
    const input = { path: { memoryId: this.id }, body };
    const path = '/v1/memories/{memoryId}/extraction/parked:replay';
    return (await this.transport.request('post', path, input, call)).replayed;
  }

  /** The whole memory as lines of JSON, for `memories.import`. The time limit is that of the first byte. */
  async export(call?: CallOptions): Promise<ReadableStream<Uint8Array>> {
    const input = { path: { memoryId: this.id } };
    const { body } = await this.transport.open('get', '/v1/memories/{memoryId}/export', input, call);
    return body ?? new ReadableStream({ start: (controller) => controller.close() });
  }
}

/** How a memory turns what is said into records. */
export class Strategies {
  private readonly path: { readonly memoryId: string };

  constructor(
    private readonly transport: Transport,
    memoryId: string,
  ) {
    this.path = { memoryId };
  }

  list(call?: CallOptions): Promise<Strategy[]> {
    return this.transport.request('get', STRATEGIES, { path: this.path }, call);
  }

  get(strategyId: string, call?: CallOptions): Promise<Strategy> {
    return this.transport.request('get', `${STRATEGIES}/{strategyId}`, { path: { ...this.path, strategyId } }, call);
  }

  add(body: BodyOf<'post', typeof STRATEGIES>, call?: CallOptions): Promise<Strategy> {
    return this.transport.request('post', STRATEGIES, { path: this.path, body }, call);
  }

  change(
    strategyId: string,
    body: BodyOf<'patch', `${typeof STRATEGIES}/{strategyId}`>,
    call?: CallOptions,
  ): Promise<Strategy> {
    const input = { path: { ...this.path, strategyId }, body };
    return this.transport.request('patch', `${STRATEGIES}/{strategyId}`, input, call);
  }

  /** Deletes a strategy. @param records whether its records are kept or deleted (in the background) */
  delete(
    strategyId: string,
    { records, ...call }: CallOptions & { readonly records: 'keep' | 'delete' },
  ): Promise<DeletedStrategy> {
    const input = { path: { ...this.path, strategyId }, query: { records } };
    return this.transport.request('delete', `${STRATEGIES}/{strategyId}`, input, call);
  }
}
