import { randomUUID } from 'node:crypto';
import {
  CreateMemory,
  ExtractSession,
  type ExtractionInput,
  type ExtractionLimits,
  type ExtractionOutcome,
  type Extractor,
  type RawAnswer,
  type RecordWriter,
  type SessionScope,
} from '@turnkeeper/application';
import { createMemoryBody } from '@turnkeeper/contracts';
import type { LogEvent, MessageAppended, NewEvent } from '@turnkeeper/domain';
import {
  isDatabaseAway,
  createDataSource,
  createEventStore,
  migrateDatabase,
  PgExtractionClaims,
  PgExtractionSchedule,
  PgExtractionStates,
  PgRecordWriter,
  PgRecordReader,
  PgRollingMemoryStore,
  rowsOf,
  TypeOrmMemoryStore,
  TypeOrmUnitOfWork,
} from '@turnkeeper/postgres';
import { MODEL_DEFAULTS, OpenAiCompatibleExtractor, readNumbers, secrets } from '@turnkeeper/extraction';
import { every, systemIds } from '@turnkeeper/platform';
import { createTestDatabase, eventually } from '@turnkeeper/testing';

export const LIMITS: ExtractionLimits = {
  windowEvents: 10,
  windowBytes: 32_768,
  contextEvents: 4,
  maxAttempts: 3,
  maxOutageTries: 5,
  leaseSeconds: 30,
  timing: { turnInterval: 5, quietSeconds: 60 },
  tokensPerDay: 0,
  memoryTokensPerDay: 0,
  contactDetails: 'keep',
};

/** A model with scripted answers, parsed by the production code. */
export class ScriptedModel extends OpenAiCompatibleExtractor {
  /** Its requests, in order. */
  readonly asked: ExtractionInput[] = [];
  answer: (input: ExtractionInput, signal: AbortSignal) => string | Promise<string> = () => '{"facts": []}';

  constructor() {
    super({ ...MODEL_DEFAULTS, baseUrl: 'http://127.0.0.1:9', model: 'scripted', apiKey: null });
  }

  override async ask(input: ExtractionInput, signal: AbortSignal): Promise<RawAnswer> {
    this.asked.push(input);
    const rawAnswer = await this.answer(input, signal);
    const usage = { inputTokens: 100, outputTokens: 20 };
    return { extractor: this.name, model: 'scripted', promptHash: 'f00d', rawAnswer, usage };
  }
}

/** One fact that quotes a whole message. */
export const factAbout = (text: string, event: string, quote: string, more: object = {}): string =>
  JSON.stringify({ facts: [{ text, sources: [{ event, quote }], ...more }] });

/** The extraction wired as in the worker, on its own database. */
export class ExtractionRig {
  readonly unitOfWork;
  readonly extractions;
  readonly extractionSchedule;
  readonly extractionStates;
  readonly records;
  readonly recordWriter;
  readonly memories;
  readonly rollingMemory;

  private constructor(
    readonly eventStore: ReturnType<typeof createEventStore>,
    readonly dataSource: ReturnType<typeof createDataSource>,
    private readonly drop: () => Promise<void>,
  ) {
    this.unitOfWork = new TypeOrmUnitOfWork(dataSource, eventStore.staging);
    this.extractions = new PgExtractionClaims(dataSource);
    this.extractionSchedule = new PgExtractionSchedule(dataSource);
    this.extractionStates = new PgExtractionStates(dataSource);
    this.records = new PgRecordReader(dataSource);
    this.recordWriter = new PgRecordWriter();
    this.memories = new TypeOrmMemoryStore(dataSource);
    this.rollingMemory = new PgRollingMemoryStore(dataSource);
  }

  /** @param durable false: commits do not wait for the disk, for tests with very many commits */
  static async create({ durable = true } = {}): Promise<ExtractionRig> {
    const { url: plainUrl, drop } = await createTestDatabase(migrateDatabase);
    const url = durable ? plainUrl : `${plainUrl}?options=${encodeURIComponent('-c synchronous_commit=off')}`;
    const dataSource = createDataSource({ url, poolSize: 10 });
    await dataSource.initialize();
    return new ExtractionRig(createEventStore({ databaseUrl: url, readers: 4 }), dataSource, drop);
  }

  get stores() {
    const { unitOfWork, extractions, extractionSchedule, extractionStates, records, recordWriter } = this;
    const { memories, rollingMemory, eventStore } = this;
    const work = { extractions, extractionSchedule, extractionStates };
    const { erasure } = eventStore;
    return { unitOfWork, ...work, records, recordWriter, memories, rollingMemory, eventStore, erasure, ids: systemIds };
  }

  async close(): Promise<void> {
    await this.eventStore.close();
    await this.dataSource.destroy();
    await this.drop();
  }

  /** The use case, with parts replaced by the test. */
  extractor(
    extractor: Extractor,
    limits: Partial<ExtractionLimits> = {},
    parts: Partial<ConstructorParameters<typeof ExtractSession>[0]> = {},
  ): ExtractSession {
    return new ExtractSession({
      ...this.stores,
      extractor,
      readNumbers,
      secrets,
      limits: { ...LIMITS, ...limits },
      every,
      isDatabaseAway,
      monotonicMs: () => performance.now(),
      ...parts,
    });
  }

  rows<T>(text: string, values: unknown[] = []): Promise<T[]> {
    return rowsOf<T>(this.dataSource, text, values);
  }

  /** A session, and an extractor with a model that makes one record of the window's first message. */
  async teaSession() {
    const model = new ScriptedModel();
    model.answer = ({ messages }) => factAbout('User likes tea.', 'm1', messages[0]?.content ?? '');
    return { model, extract: this.extractor(model), session: await this.session() };
  }

  /** A memory with one strategy that files under `/{actorId}` or the given namespace, and one session. */
  async session(
    options: { tenantId?: string; actorId?: string; type?: string; namespace?: string; memory?: RigSession } = {},
  ) {
    const { unitOfWork, memories, eventStore } = this;
    const { tenantId = options.memory?.tenantId ?? randomUUID(), actorId = 'ada', type = 'SEMANTIC' } = options;
    const { namespace: namespaceTemplate = '/{actorId}' } = options;
    const scope = { tenantId, actorId, sessionId: randomUUID() };
    if (options.memory !== undefined) {
      const { memoryId, strategyId } = options.memory;
      return { ...scope, memoryId, strategyId };
    }
    const body = createMemoryBody.parse({
      name: 'rig',
      longTermMemoryStrategies: [{ name: 'facts', type, namespaceTemplate }],
    });
    const deps = { unitOfWork, memories, eventStore, ids: systemIds };
    const { memory, strategies } = await new CreateMemory(deps).execute(tenantId, body);
    return { ...scope, memoryId: memory.memoryId, strategyId: strategies[0]?.strategyId ?? '' };
  }

  /** Appends messages and notes them like the dispatcher, due immediately. Returns the event ids. */
  async say(session: RigSession, ...messages: readonly (string | Partial<MessageAppended>)[]): Promise<string[]> {
    const events = messages.map((message): NewEvent => ({
      eventId: randomUUID(),
      type: 'message.appended',
      schemaVersion: 1,
      occurredAt: '2026-03-02T10:00:00.000Z',
      data: {
        payloadType: 'CONVERSATIONAL',
        role: 'user',
        content: '',
        ...(typeof message === 'string' ? { content: message } : message),
      },
    }));
    await this.append(session, events);
    return events.map(({ eventId }) => eventId);
  }

  async append(session: RigSession, events: readonly NewEvent[]): Promise<void> {
    const { firstSequence } = await this.eventStore.append({ ...scopeOf(session), events });
    const newestSequence = (firstSequence ?? 1) + events.length - 1;
    const sessionKey = await this.keyOf(session);
    const noted = { sessionKey, newestSequence, userTurns: events.length, flushThrough: newestSequence };
    await this.unitOfWork.run((tx) => this.extractionSchedule.note(tx, [noted], LIMITS.timing));
  }

  async keyOf({ memoryId, actorId, sessionId }: RigSession): Promise<number> {
    const [row] = await this.rows<{ session_key: string }>(
      'select session_key from sessions where memory_id = $1 and actor_id = $2 and session_id = $3',
      [memoryId, actorId, sessionId],
    );
    return Number(row?.session_key);
  }

  async run(
    useCase: ExtractSession,
    session: RigSession,
    signal: AbortSignal = new AbortController().signal,
  ): Promise<ExtractionOutcome> {
    return useCase.execute(await this.keyOf(session), session.strategyId, signal);
  }

  /** Resolves when a transaction of this database waits for a lock. */
  untilWaiting(): Promise<unknown> {
    const waiting = () =>
      this.rows(`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`);
    return eventually(async () => (await waiting()).length > 0, {
      everyMs: 10,
      what: 'a transaction waits for a lock',
    });
  }

  /** Makes work due without waiting. */
  async passTime(seconds: number): Promise<void> {
    await this.rows(
      `update extraction_states set due_at = due_at - make_interval(secs => $1),
         lease_until = lease_until - make_interval(secs => $1), admitted_until = admitted_until - make_interval(secs => $1)`,
      [seconds],
    );
    // Whole days only: a shorter time would move the usage to the day before if the test runs soon after midnight.
    const days = Math.floor(seconds / 86_400);
    for (const table of ['model_usage', 'strategy_model_usage'])
      await this.rows(`update ${table} set day = day - $1::int`, [days]);
  }

  async state(session: RigSession): Promise<Record<string, unknown>> {
    const [row] = await this.rows<Record<string, unknown>>(
      `select status, attempts, watermark::int, last_code, answer_unread, lease_until > now() as held, due_at <= now() as due
         from extraction_states where session_key = $1`,
      [await this.keyOf(session)],
    );
    return row ?? {};
  }

  /** The session's log events of one type, oldest first. */
  async derived<T extends LogEvent['type']>(session: RigSession, type: T): Promise<LogEvent<T>['data'][]> {
    const rows = await this.rows<{ data: LogEvent<T>['data'] }>(
      'select data from events where session_key = $1 and type = $2 order by position',
      [await this.keyOf(session), type],
    );
    return rows.map(({ data }) => data);
  }

  async texts({ tenantId, memoryId, actorId }: RigSession): Promise<string[]> {
    const records = await this.rows<{ text: string }>(
      'select text from records where tenant_id = $1 and memory_id = $2 and namespace = $3 order by text',
      [tenantId, memoryId, `/${actorId}`],
    );
    return records.map(({ text }) => text);
  }
}

export interface RigSession extends SessionScope {
  readonly strategyId: string;
}

const scopeOf = ({ tenantId, memoryId, actorId, sessionId }: RigSession): SessionScope => ({
  tenantId,
  memoryId,
  actorId,
  sessionId,
});

/** Fails the first commit after the answer, like a bug or a full disk. */
export const breakingOnce = (): RecordWriter => {
  const recordWriter: RecordWriter = new PgRecordWriter();
  let broken = false;
  recordWriter.apply = async (...args) => {
    if (!broken) {
      broken = true;
      throw new Error('the disk is full');
    }
    await PgRecordWriter.prototype.apply.apply(recordWriter, args);
  };
  return recordWriter;
};
