import { createHash, randomUUID } from 'node:crypto';
import {
  AddStrategy,
  CaptureMemoryState,
  ChangeMemory,
  ChangeStrategy,
  CorrectRecord,
  CreateMemory,
  DeleteMemory,
  DeleteRecord,
  DeleteRequestedRecords,
  DeleteStrategy,
  EraseEvent,
  EraseSessions,
  ExtractSession,
  FailAgent,
  FinishErasures,
  InsertRecords,
  ReinstateRecord,
  RequestRecordDeletion,
  StartAgent,
  StopAgent,
  UpdateAgent,
  type Extractor,
} from '@turnkeeper/application';
import { createMemoryBody, strategyBody } from '@turnkeeper/contracts';
import { DomainError, readDigits, type Candidate, type NewEvent, wholeTenant } from '@turnkeeper/domain';
import {
  isDatabaseAway,
  type createDataSource,
  type createEventStore,
  PgAgentIdleStore,
  PgExtractionClaims,
  PgExtractionSchedule,
  PgPersonalRows,
  PgRecordWriter,
  PgRecordDeletions,
  PgRecordReader,
  PgRollingMemoryStore,
  rowsOf,
  TypeOrmAgentStore,
  TypeOrmMemoryStore,
  TypeOrmUnitOfWork,
} from '@turnkeeper/postgres';
import { every, systemIds } from '@turnkeeper/platform';

type DataSource = ReturnType<typeof createDataSource>;
type Log = ReturnType<typeof createEventStore>;

/** What the facts give a value to. */
const ATTRIBUTES: readonly (readonly [RegExp, string])[] = [
  [/lives in (\w+)/, 'home'],
  [/(likes|does not like) tea/, 'tea'],
  [/name is (\w+)/, 'name'],
];

/** The actors of a namespace share its subject, so that one's facts supersede the other's. */
const detailsOf = (text: string): Partial<Candidate> => {
  const [found] = ATTRIBUTES.flatMap(([pattern, name]) => {
    const value = pattern.exec(text)?.[1];
    return value === undefined ? [] : [{ subject: 'User', attribute: { name, value, single: true } }];
  });
  return found ?? {};
};

/** Every message is one fact. No model and no rules: the extraction returns the messages. */
const literalExtractor: Extractor = {
  name: 'literal',
  costly: false,
  ask: async ({ messages }) => ({
    extractor: 'literal',
    model: null,
    promptHash: 'literal',
    rawAnswer: JSON.stringify(
      messages.map(({ eventId, content }): Candidate => ({
        text: content,
        sources: [{ eventId, quote: content }],
        ...detailsOf(content),
      })),
    ),
    usage: null,
  }),
  read: async (_, rawAnswer) => ({ candidates: JSON.parse(rawAnswer) as Candidate[], summary: null }),
};

/** Few facts, so that they repeat and contradict each other. */
const FACTS = [
  ...['Hanoi', 'Hue', 'Lisbon'].map((city) => `User lives in ${city}.`),
  ...['User likes tea.', 'User does not like tea.', "User's name is Ada.", 'User has a dog.', 'User plays chess.'],
];
const ACTORS = ['ada', 'ben'];
const SESSIONS = ['monday', 'tuesday', 'friday'];
const TIME = { every, isDatabaseAway, monotonicMs: () => performance.now() };
const LIMITS = {
  windowEvents: 3,
  windowBytes: 32_768,
  contextEvents: 2,
  maxAttempts: 3,
  maxOutageTries: 3,
  leaseSeconds: 30,
  tokensPerDay: 0,
  memoryTokensPerDay: 0,
  contactDetails: 'keep' as const,
  timing: { turnInterval: 1, quietSeconds: 0 },
};

/** A few memories of one tenant with random, reproducible use case calls. */
export class RandomLife {
  readonly tenantId = randomUUID();
  private readonly stores;
  private readonly memories: { memoryId: string; strategyIds: string[] }[] = [];
  private readonly agents: string[] = [];
  private readonly state: { draws: number } = { draws: 0 };
  private at = Date.parse('2026-01-01T00:00:00Z');

  constructor(
    private readonly dataSource: DataSource,
    eventStore: Log,
    private readonly seed: string,
  ) {
    this.stores = {
      eventStore,
      unitOfWork: new TypeOrmUnitOfWork(dataSource, eventStore.staging),
      memories: new TypeOrmMemoryStore(dataSource),
      agents: new TypeOrmAgentStore(dataSource),
      agentIdle: new PgAgentIdleStore(dataSource),
      records: new PgRecordReader(dataSource),
      recordWriter: new PgRecordWriter(),
      deletions: new PgRecordDeletions(dataSource),
      personalRows: new PgPersonalRows(dataSource),
      rollingMemory: new PgRollingMemoryStore(dataSource),
      extractions: new PgExtractionClaims(dataSource),
      extractionSchedule: new PgExtractionSchedule(dataSource),
      directory: eventStore.directory,
      erasure: eventStore.erasure,
      ids: systemIds,
    };
  }

  async begin(memories = 2, namespaceTemplate = '/facts/{actorId}'): Promise<void> {
    for (let index = 0; index < memories; index += 1) {
      const body = createMemoryBody.parse({
        name: `memory-${index}`,
        longTermMemoryStrategies: [{ name: 'facts', type: 'SEMANTIC', namespaceTemplate }],
      });
      const { memory, strategies } = await new CreateMemory(this.stores).execute(this.tenantId, body);
      this.memories.push({ memoryId: memory.memoryId, strategyIds: strategies.map(({ strategyId }) => strategyId) });
    }
  }

  /** Makes this many random calls; returns how often each kind succeeded. Rejected calls do not count. */
  async live(events: number): Promise<Record<string, number>> {
    const happened: Record<string, number> = {};
    for (let index = 0; index < events; index += 1) {
      const name = this.pick(Object.keys(this.happenings) as (keyof typeof this.happenings)[]);
      try {
        await this.happenings[name]();
        happened[name] = (happened[name] ?? 0) + 1;
      } catch (error) {
        if (!(error instanceof DomainError)) throw error;
      }
    }
    return happened;
  }

  private readonly happenings = {
    say: () => this.say(),
    sayMore: () => this.say(),
    sayAgain: () => this.say(),
    capture: () => this.capture(),
    startAgent: () => this.startAgent(),
    updateAgent: () =>
      new UpdateAgent(this.stores).execute(this.tenantId, this.pick(this.agents), { params: { t: 1 } }),
    stopAgent: () => new StopAgent(this.stores).execute(this.tenantId, this.pick(this.agents), 'requested'),
    failAgent: () => new FailAgent(this.stores).execute(this.tenantId, this.pick(this.agents), 'no microphone'),
    describeMemory: () =>
      new ChangeMemory(this.stores).execute(this.tenantId, this.memory().memoryId, {
        description: `number ${this.draw(9)}`,
        applyToExisting: false,
      }),
    renameMemory: () =>
      new ChangeMemory(this.stores).execute(this.tenantId, this.memory().memoryId, {
        name: `name-${this.draw(9)}`,
        applyToExisting: false,
      }),
    deleteStrategy: async () => {
      const memory = this.memory();
      if (memory.strategyIds.length < 2) return;
      const strategyId = this.pick(memory.strategyIds);
      const records = this.pick(['keep', 'delete'] as const);
      await new DeleteStrategy(this.stores).execute(this.tenantId, memory.memoryId, strategyId, records);
      memory.strategyIds = memory.strategyIds.filter((id) => id !== strategyId);
      await this.deleteRequested();
    },
    addStrategy: async () => {
      const { memoryId, strategyIds } = this.memory();
      const body = strategyBody.parse({ name: 'more', type: 'SEMANTIC', namespaceTemplate: '/more/{actorId}' });
      strategyIds.push((await new AddStrategy(this.stores).execute(this.tenantId, memoryId, body)).strategyId);
    },
    changeStrategy: () => {
      const { memoryId, strategyIds } = this.memory();
      const body = { name: `name ${this.draw(9)}`, status: this.pick(['ACTIVE', 'DISABLED'] as const) };
      return new ChangeStrategy(this.stores).execute(this.tenantId, memoryId, this.pick(strategyIds), body);
    },
    insert: () =>
      new InsertRecords(this.stores).execute(this.tenantId, this.memory().memoryId, [
        { text: this.pick(FACTS), namespace: `/facts/${this.pick([...ACTORS, 'nobody/known'])}`, strategyId: null },
      ]),
    correct: async () => {
      const { memoryId, recordId } = await this.record();
      await new CorrectRecord(this.stores).execute(this.tenantId, memoryId, recordId, `${this.pick(FACTS)} Really.`);
    },
    deleteRecord: async () => {
      const { memoryId, recordId } = await this.record();
      await this.deleteRecord(memoryId, recordId);
    },
    deleteRecords: async () => {
      if (this.draw(3) > 0) return;
      const filter = { namespace: null, strategyId: null, actorId: null, createdFrom: null, createdTo: null };
      const one = this.pick([{ namespace: `/facts/${this.pick(ACTORS)}` }, { actorId: this.pick(ACTORS) }]);
      const { memoryId } = this.memory();
      await new RequestRecordDeletion(this.stores).execute(this.tenantId, memoryId, { ...filter, ...one });
      await this.deleteRequested();
    },
    reinstate: async () => {
      const { memoryId, recordId } = await this.record();
      await new ReinstateRecord(this.stores).execute(this.tenantId, memoryId, recordId);
    },
    eraseEvent: async () => {
      const scope = this.session();
      const events = await this.stores.eventStore.readSession(scope, { order: 'oldest-first', limit: 100 });
      const messages = events.filter(({ type }) => type === 'message.appended');
      if (messages.length > 0)
        await new EraseEvent(this.stores).execute(wholeTenant(this.tenantId), scope, this.pick(messages).eventId);
    },
    eraseSession: () => new EraseSessions(this.stores).session(wholeTenant(this.tenantId), this.session()),
    eraseActor: async () => {
      if (this.draw(4) > 0) return;
      await this.eraseActor(this.memory().memoryId, this.pick(ACTORS));
    },
    deleteMemory: async () => {
      if (this.draw(12) > 0 || this.memories.length < 2) return;
      const { memoryId } = this.memory();
      await new DeleteMemory(this.stores).execute(this.tenantId, memoryId);
      if (this.draw(2) === 0) await new FinishErasures({ ...this.stores, tombstoneDays: 0 }).execute();
    },
  };

  /** Appends this to a session of some memory; every strategy of the memory extracts it immediately. */
  async tell(contents: readonly string[], actorId?: string, sessionId?: string): Promise<void> {
    const { memoryId, strategyIds } = this.memory();
    const drawn = this.session();
    const scope = { ...drawn, memoryId, actorId: actorId ?? drawn.actorId, sessionId: sessionId ?? drawn.sessionId };
    const events = contents.map((content): NewEvent => ({
      eventId: randomUUID(),
      type: 'message.appended',
      schemaVersion: 1,
      // Some messages arrive late, with an earlier time.
      occurredAt: new Date((this.at += 60_000) - (this.draw(4) === 0 ? 86_400_000 : 0)).toISOString(),
      data: { payloadType: 'CONVERSATIONAL', role: 'user', content },
    }));
    const { firstSequence } = await this.stores.eventStore.append({ ...scope, events });
    const newestSequence = (firstSequence ?? 1) + events.length - 1;
    const [session] = await rowsOf<{ session_key: string }>(
      this.dataSource,
      'select session_key from sessions where memory_id = $1 and actor_id = $2 and session_id = $3',
      [scope.memoryId, scope.actorId, scope.sessionId],
    );
    const sessionKey = Number(session?.session_key);
    const noted = { sessionKey, newestSequence, userTurns: events.length, flushThrough: newestSequence };
    const { unitOfWork, extractionSchedule } = this.stores;
    await unitOfWork.run((tx) => extractionSchedule.note(tx, [noted], LIMITS.timing));
    const extract = new ExtractSession({
      ...this.stores,
      extractor: literalExtractor,
      readNumbers: readDigits,
      secrets: { holds: () => false, isAskedFor: () => false },
      limits: LIMITS,
      ...TIME,
    });
    for (const strategyId of strategyIds) {
      await extract.execute(sessionKey, strategyId, new AbortController().signal);
    }
  }

  async deleteRecord(memoryId: string, recordId: string): Promise<void> {
    await new DeleteRecord(this.stores).execute(this.tenantId, memoryId, recordId);
  }

  async eraseSession(memoryId: string, actorId: string, sessionId: string): Promise<void> {
    await new EraseSessions(this.stores).session(wholeTenant(this.tenantId), {
      tenantId: this.tenantId,
      memoryId,
      actorId,
      sessionId,
    });
  }

  async eraseActor(memoryId: string, actorId: string): Promise<void> {
    await new EraseSessions(this.stores).actor(wholeTenant(this.tenantId), memoryId, actorId);
  }

  private deleteRequested(): Promise<number> {
    const failed = (_: string, error: unknown): never => {
      throw error;
    };
    return new DeleteRequestedRecords({ ...this.stores, failed }).execute();
  }

  private say(): Promise<void> {
    return this.tell(Array.from({ length: 1 + this.draw(3) }, () => this.pick(FACTS)));
  }

  private async capture(): Promise<void> {
    const facts = [this.pick(FACTS), this.pick(FACTS)];
    const state = { version: 1 + this.draw(6), facts, summary: `summary ${this.draw(9)}`, maxFacts: 2 };
    const counts = { contextText: '', turnsSinceGen: 0, totalTurns: 0, itemsTrimmed: 0 };
    await new CaptureMemoryState(this.stores).execute(this.session(), { ...state, ...counts });
  }

  private async startAgent(): Promise<void> {
    const { memoryId, actorId, sessionId } = this.session();
    const agent = await new StartAgent(this.stores).execute(this.tenantId, {
      memoryId,
      actorId,
      sessionId,
      name: `agent ${this.draw(3)}`,
      vendor: 'openai',
      systemMessages: [{ role: 'system', content: 'Be kind.' }],
      params: { b: 2, a: [1.5, null, '🌊'] },
      maxHistory: 12,
      labels: { desk: 42 },
      channel: null,
      idleTimeoutSeconds: this.pick([0, 3_600]),
    });
    this.agents.push(agent.agentId);
  }

  private async record(): Promise<{ memoryId: string; recordId: string }> {
    const { memoryId } = this.memory();
    const records = await this.stores.records.list(this.tenantId, memoryId, {
      includeSuperseded: true,
      limit: 50,
    });
    return { memoryId, recordId: records.length === 0 ? randomUUID() : this.pick(records).recordId };
  }

  private memory() {
    return this.pick(this.memories);
  }

  private session() {
    const { memoryId } = this.memory();
    return { tenantId: this.tenantId, memoryId, actorId: this.pick(ACTORS), sessionId: this.pick(SESSIONS) };
  }

  private pick<T>(list: readonly T[]): T {
    return (list[this.draw(Math.max(list.length, 1))] ?? randomUUID()) as T;
  }

  /** 0 to n - 1; reproducible per seed. */
  private draw(n: number): number {
    const digest = createHash('sha256')
      .update(`${this.seed} ${(this.state.draws += 1)}`)
      .digest();
    return digest.readUInt32BE(0) % n;
  }
}
