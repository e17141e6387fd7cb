import type { BodyOf, MemoryRecord, QueryOf, RecordDeletion, RecordExplanation } from '../api/types.js';
import { List } from '../http/list.js';
import type { CallOptions, Transport } from '../http/transport.js';

const RECORDS = '/memory/memories/{memoryId}/memory-records';
const RECORD = `${RECORDS}/{recordId}` as const;
const DELETIONS = '/v1/memories/{memoryId}/record-deletions';
const DEFAULT_WAIT_MS = 10_000;

/** Waits until the memory has read a session, so that what was just said is found. */
export interface Freshness {
  readonly actorId?: string;
  readonly sessionId?: string;
  /** Wait until the session is extracted up to this sequence, e.g. that of the last append. */
  readonly afterSequence?: number;
  /** The longest wait in ms, at most 30,000; then `memory.not_caught_up` is thrown. Default 10,000. */
  readonly waitMs?: number;
}

export interface SearchRecordsOptions extends Freshness, CallOptions {
  /** With everything below it, e.g. `/facts/linh`. */
  readonly namespace: string;
  /** Default 100. */
  readonly limit?: number;
  /** Default 0. */
  readonly scoreThreshold?: number;
  /** Also facts that were true once. Default false. */
  readonly includeSuperseded?: boolean;
}

type ListQuery = Omit<QueryOf<'get', typeof RECORDS>, 'after' | 'limit'>;
export interface ListRecordsOptions extends ListQuery, CallOptions {
  /** Records per request, at most 1,000. Default 100. */
  readonly pageSize?: number;
}

export type InsertedRecord = { readonly id: string; memory: string; namespace: string; created: boolean };

const CALL_KEYS = ['signal', 'timeoutMs', 'maxAttempts', 'headers', 'repeatable'] as const;

/** Long-term memory: facts, each with the turns that it cites. */
export class Records {
  private readonly path: { readonly memoryId: string };

  constructor(
    private readonly transport: Transport,
    memoryId: string,
  ) {
    this.path = { memoryId };
  }

  /** The records of a namespace that match, best first. */
  async search(query: string, options: SearchRecordsOptions): Promise<MemoryRecord[]> {
    const { namespace, actorId, sessionId, afterSequence, waitMs, limit, scoreThreshold, includeSuperseded, ...call } =
      options;
    return this.transport.request(
      'post',
      `${RECORDS}:search`,
      {
        path: this.path,
        query: defined({ namespace, actorId, sessionId, afterSequence, waitMs }),
        body: defined({ query, limit, scoreThreshold, includeSuperseded }),
      },
      { ...patient(call, options), repeatable: true },
    );
  }

  /** All records, newest first. */
  list({ pageSize = 100, ...options }: ListRecordsOptions = {}): List<MemoryRecord> {
    const call = Object.fromEntries(CALL_KEYS.map((key) => [key, options[key]])) as CallOptions;
    const query = Object.fromEntries(
      Object.entries(defined(options)).filter(([key]) => !CALL_KEYS.some((each) => each === key)),
    ) as ListQuery;
    return List.of<MemoryRecord, string>(async (after) => {
      const input = {
        path: this.path,
        query: { ...query, limit: pageSize, ...(after === undefined ? {} : { after }) },
      };
      const items = await this.transport.request('get', RECORDS, input, patient(call, options));
      return { items, next: items.length < pageSize ? null : (items.at(-1)?.id ?? null) };
    });
  }

  get(recordId: string, call?: CallOptions): Promise<MemoryRecord> {
    return this.transport.request('get', RECORD, { path: { ...this.path, recordId } }, call);
  }

  /** Where a record comes from: its turns, the runs of the model, what it replaced. */
  explain(recordId: string, call?: CallOptions): Promise<RecordExplanation> {
    return this.transport.request('get', `${RECORD}/explain`, { path: { ...this.path, recordId } }, call);
  }

  /** Stores facts as they are, without a model and without sources. A fact that already exists is not stored twice. */
  async insert(
    records: string | readonly string[],
    { namespace, ...call }: CallOptions & { readonly namespace: string },
  ): Promise<InsertedRecord[]> {
    const memoryRecords = typeof records === 'string' ? [records] : [...records];
    const input = { path: this.path, query: { namespace }, body: { memoryRecords } };
    // The same fact of a namespace has the same id, so a repetition changes nothing.
    const options = { repeatable: true, ...call };
    return (await this.transport.request('post', `${RECORDS}:insert-directly`, input, options)).records;
  }

  /** Replaces the text of a record. */
  correct(recordId: string, memory: string, call?: CallOptions): Promise<MemoryRecord> {
    return this.transport.request('patch', RECORD, { path: { ...this.path, recordId }, body: { memory } }, call);
  }

  /** Makes a superseded record current again. */
  reinstate(recordId: string, call?: CallOptions): Promise<MemoryRecord> {
    return this.transport.request('post', `${RECORD}:reinstate`, { path: { ...this.path, recordId } }, call);
  }

  async delete(recordId: string, call?: CallOptions): Promise<void> {
    await this.transport.request('delete', RECORD, { path: { ...this.path, recordId } }, call);
  }

  /** Deletes the records that match a filter, in the background; `deletion` tells how far it is. */
  deleteMany(filter: BodyOf<'post', typeof DELETIONS>, call?: CallOptions): Promise<RecordDeletion> {
    return this.transport.request('post', DELETIONS, { path: this.path, body: filter }, call);
  }

  deletion(deletionId: string, call?: CallOptions): Promise<RecordDeletion> {
    const path = { ...this.path, deletionId };
    return this.transport.request('get', `${DELETIONS}/{deletionId}`, { path }, call);
  }

  /** Deletions of many records, newest first. */
  deletions(call?: CallOptions): List<RecordDeletion> {
    return List.of<RecordDeletion, string>((after) => {
      const query = after === undefined ? {} : { after };
      return this.transport.request('get', DELETIONS, { path: this.path, query }, call);
    });
  }

  /** Asks for the extraction of a session by one strategy; the records follow later. */
  async generateFromSession(
    query: QueryOf<'post', `${typeof RECORDS}:generate-from-session`>,
    call?: CallOptions,
  ): Promise<void> {
    await this.transport.request('post', `${RECORDS}:generate-from-session`, { path: this.path, query }, call);
  }

  /** Asks for the extraction of messages that are in no session; the records follow later. */
  async generateFromContent(
    chatMessages: BodyOf<'post', `${typeof RECORDS}:generate-from-content`>['chatMessages'],
    {
      signal,
      timeoutMs,
      ...query
    }: QueryOf<'post', `${typeof RECORDS}:generate-from-content`> & Pick<CallOptions, 'signal' | 'timeoutMs'>,
  ): Promise<void> {
    const input = { path: this.path, query, body: { chatMessages } };
    await this.transport.request('post', `${RECORDS}:generate-from-content`, input, { signal, timeoutMs });
  }
}

/** Without properties that are undefined, which the types of the API do not have. */
export const defined = <T extends object>(values: T): { [K in keyof T]: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as never;

/** A request that waits for extraction may take as long as it asked for, and a little more. */
export const patient = (call: CallOptions, { afterSequence, waitMs = DEFAULT_WAIT_MS }: Freshness): CallOptions =>
  afterSequence === undefined || call.timeoutMs !== undefined ? call : { ...call, timeoutMs: waitMs + 30_000 };
