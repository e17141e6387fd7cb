import type { TransferCheckpoint, TransferEvent, TransferItem, TransferLine } from '@turnkeeper/contracts';
import {
  ACTOR_STREAM,
  DomainError,
  ImportCutOff,
  ImportLineInvalid,
  MAX_STRATEGIES,
  MemoryExists,
  type NewEvent,
  type RecordSnapshot,
  type Strategy,
} from '@turnkeeper/domain';
import type { Ports } from '../ports.js';
import { factOf } from '../log/stored-event.js';
import type { MostOf } from '../tenancy/most-of.js';
import { changeMemory } from '../memories/change-memory.js';
import { assertTemplateOf } from '../memories/change-strategies.js';
import { appendMemory } from '../memories/create-memory.js';
import type { SessionScope } from '../log/event-store.port.js';
import { mapIds } from './map-ids.js';
import { groupBy } from '../shared/group-by.js';

type LineOf<K extends TransferLine['kind']> = Extract<TransferLine, { readonly kind: K }>;

export interface ImportedMemory {
  readonly memoryId: string;
  readonly events: number;
  readonly records: number;
}

/** A line of the file and its length. */
export interface ReadLine {
  readonly line: TransferLine;
  readonly bytes: number;
}

/**
 * Maximum lines of one kind per batch, which is all that is buffered. A batch may exceed the bytes by one line. Appends
 * of other tenants wait for a batch: 50 lines delayed them twice as long as 20, which import at half the speed.
 */
const BATCH = 25;
const BATCH_BYTES = 1_048_576;

interface Progress {
  readonly tenantId: string;
  memoryId: string | null;
  readonly strategies: LineOf<'strategy'>[];
  created: boolean;
  readonly events: TransferEvent[];
  eventBytes: number;
  readonly records: RecordSnapshot[];
  recordBytes: number;
  readonly items: TransferItem[];
  itemBytes: number;
  readonly counted: { events: number; records: number };
  readonly graphs: { checkpoints: number; items: number };
}

/**
 * Imports a memory line by line, buffering one batch. Events are recorded now, expire according to the memory's
 * retention, and keep their original time as `occurredAt`. Extracted records are imported too, so nothing is extracted
 * again. Uploading the same file again resumes an interrupted import: ids show what is already stored.
 */
export class ImportMemory {
  constructor(
    private readonly deps: Pick<
      Ports,
      | 'unitOfWork'
      | 'eventStore'
      | 'memories'
      | 'recordWriter'
      | 'extractionSchedule'
      | 'checkpoints'
      | 'graphTransfer'
      | 'erasure'
      | 'ids'
    > & {
      /** Default: unlimited. */
      readonly mostMemories?: MostOf;
    },
  ) {}

  /** @param ids `new` assigns new ids to everything */
  async execute(tenantId: string, lines: AsyncIterable<ReadLine>, ids: 'keep' | 'new'): Promise<ImportedMemory> {
    const seed = ids === 'new' ? this.deps.ids.next() : null;
    const rename = mapIds(seed === null ? null : (id) => this.deps.ids.derive('import', seed, id));
    const progress: Progress = {
      tenantId,
      memoryId: null,
      strategies: [],
      created: false,
      events: [],
      eventBytes: 0,
      records: [],
      recordBytes: 0,
      items: [],
      itemBytes: 0,
      counted: { events: 0, records: 0 },
      graphs: { checkpoints: 0, items: 0 },
    };
    let head: LineOf<'memory'> | null = null;
    let number = 0;
    for await (const read of lines) {
      number += 1;
      const line = rename(read.line);
      if (head === null) {
        if (line.kind !== 'memory') throw new ImportLineInvalid(number, 'kind', 'must be memory in the first line');
        head = line;
        progress.memoryId = line.memoryId;
        continue;
      }
      if (line.kind === 'strategy') {
        takeStrategy(progress, line, number);
        continue;
      }
      if (!progress.created) await this.create(progress, head);
      if (line.kind === 'end') return this.finish(progress, line);
      await this.take(progress, line, read.bytes, number);
    }
    throw new ImportCutOff();
  }

  private async take(progress: Progress, line: TransferLine, bytes: number, number: number): Promise<void> {
    switch (line.kind) {
      case 'event': {
        const [first] = progress.events;
        const sameSession = first === undefined || sessionOf(first) === sessionOf(line);
        if (!sameSession) await this.appendEvents(progress);
        progress.events.push(line);
        progress.eventBytes += bytes;
        if (progress.events.length === BATCH || progress.eventBytes >= BATCH_BYTES) await this.appendEvents(progress);
        return;
      }
      case 'record': {
        await this.appendEvents(progress);
        const { kind: _, ...record } = line;
        progress.records.push({ ...record, eventTime: record.eventTime ?? null });
        progress.recordBytes += bytes;
        if (progress.records.length === BATCH || progress.recordBytes >= BATCH_BYTES) await this.saveRecords(progress);
        return;
      }
      case 'checkpoint':
      case 'checkpoint-writes':
        return this.putCheckpoint(progress, line);
      case 'item': {
        const { kind: _, ...item } = line;
        progress.items.push(item);
        progress.itemBytes += bytes;
        if (progress.items.length === BATCH || progress.itemBytes >= BATCH_BYTES) await this.saveItems(progress);
        return;
      }
      case 'memory':
      case 'strategy':
      case 'end':
        throw new ImportLineInvalid(number, 'kind', 'must not come again');
    }
  }

  /**
   * Creates the memory with its strategies disabled, so that nothing is extracted before the extracted records are
   * imported.
   */
  private async create(progress: Progress, head: LineOf<'memory'>): Promise<void> {
    const { memories, ids } = this.deps;
    const { tenantId } = progress;
    const { memoryId, name, description, eventExpiryDuration } = head;
    progress.created = true;
    const known = await memories.find(tenantId, memoryId);
    if (known !== null) return this.requireUnfinished(tenantId, memoryId, known.name === name);
    const created = factOf(ids.next(), 'memory.created', {
      name,
      description,
      eventExpiryDuration,
      strategies: progress.strategies.map(strategyOf),
    });
    const disabled = progress.strategies.map(({ strategyId }) =>
      factOf(ids.next(), 'strategy.disabled', { strategyId }),
    );
    await appendMemory(this.deps, tenantId, memoryId, [created, ...disabled]);
  }

  /** An interrupted import leaves all strategies disabled. A memory in use is never overwritten. */
  private async requireUnfinished(tenantId: string, memoryId: string, sameName: boolean): Promise<void> {
    const strategies = await this.deps.memories.strategies(tenantId, memoryId);
    if (!sameName || strategies.some(({ status }) => status === 'ACTIVE')) throw new MemoryExists();
  }

  private async appendEvents(progress: Progress): Promise<void> {
    const [first] = progress.events;
    if (first === undefined) return;
    const batch = progress.events.splice(0);
    progress.eventBytes = 0;
    await this.deps.eventStore.append({
      ...scopeOf(progress, first),
      events: batch.map(
        ({ eventId, type, data, at }) => ({ eventId, type, schemaVersion: 1, data, occurredAt: at }) as NewEvent,
      ),
    });
    progress.counted.events += batch.length;
  }

  private async saveRecords(progress: Progress): Promise<void> {
    const { unitOfWork, recordWriter, erasure, ids } = this.deps;
    const { tenantId } = progress;
    const memoryId = progress.memoryId ?? '';
    const batch = progress.records.splice(0);
    progress.recordBytes = 0;
    for (const [actorId, records] of groupBy(batch, (record) => record.actorId)) {
      const eventId = ids.derive('import', memoryId, ...records.map(({ recordId }) => recordId));
      const event = factOf(eventId, 'records.carried_over', { records });
      const scope = { tenantId, memoryId, actorId, sessionId: actorId === null ? null : ACTOR_STREAM };
      // A repeated batch is rolled back: its records may have been changed since their import.
      await unitOfWork.appendFor(tenantId, async (tx) => {
        await erasure.holdActors(tx, memoryId, actorId === null ? [] : [actorId]);
        await recordWriter.save(tx, { tenantId, memoryId, eventId, sessionKey: null }, records);
        return { append: [{ ...scope, events: [event] }], result: () => undefined };
      });
    }
    progress.counted.records += batch.length;
  }

  /** One at a time: they may be large, and threads keep their order. Repeating one changes nothing. */
  private async putCheckpoint(progress: Progress, line: TransferCheckpoint): Promise<void> {
    const { checkpoints } = this.deps;
    const { actorId, sessionId } = line;
    const scope = { tenantId: progress.tenantId, memoryId: progress.memoryId ?? '', actorId, sessionId };
    if (line.kind === 'checkpoint') await checkpoints.put(scope, line);
    else await checkpoints.putWrites(scope, line);
    progress.graphs.checkpoints += 1;
  }

  private async saveItems(progress: Progress): Promise<void> {
    const { tenantId, memoryId } = progress;
    const batch = progress.items.splice(0);
    progress.itemBytes = 0;
    if (batch.length > 0) await this.deps.graphTransfer.saveItems({ tenantId, memoryId: memoryId ?? '' }, batch);
    progress.graphs.items += batch.length;
  }

  /** Enables the strategies that were enabled. Imported events count as read. */
  private async finish(progress: Progress, end: LineOf<'end'>): Promise<ImportedMemory> {
    await this.appendEvents(progress);
    await this.saveRecords(progress);
    await this.saveItems(progress);
    const { tenantId, counted, graphs, strategies } = progress;
    const memoryId = progress.memoryId ?? '';
    const { checkpoints = 0, items = 0 } = end;
    if (counted.events !== end.events || counted.records !== end.records) throw new ImportCutOff();
    if (graphs.checkpoints !== checkpoints || graphs.items !== items) throw new ImportCutOff();
    const active = strategies.filter(({ status }) => status === 'ACTIVE').map(({ strategyId }) => strategyId);
    await changeMemory(this.deps, tenantId, memoryId, async (_, tx) => {
      await this.deps.extractionSchedule.countAsRead(tx, tenantId, memoryId);
      return active.map((strategyId) => ['strategy.enabled', { strategyId }] as const);
    });
    return { memoryId, ...counted };
  }
}

/** The same limits as of the routes that add a strategy. */
const takeStrategy = ({ created, strategies }: Progress, line: LineOf<'strategy'>, number: number): void => {
  if (created) throw new ImportLineInvalid(number, 'kind', 'must come before events, records, checkpoints and items');
  if (strategies.length >= MAX_STRATEGIES) {
    throw new ImportLineInvalid(number, 'kind', `must be strategy in ${MAX_STRATEGIES} lines at most`);
  }
  if (strategies.some(({ strategyId }) => strategyId === line.strategyId)) {
    throw new ImportLineInvalid(number, 'strategyId', 'must not be that of an earlier line');
  }
  try {
    assertTemplateOf(line);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    throw new ImportLineInvalid(number, error.details.field ?? '', error.details.rule ?? 'is not valid');
  }
  strategies.push(line);
};

const sessionOf = ({ actorId, sessionId }: TransferEvent): string => JSON.stringify([actorId, sessionId]);

const scopeOf = ({ tenantId, memoryId }: Progress, { actorId, sessionId }: TransferEvent): SessionScope => ({
  tenantId,
  memoryId: memoryId ?? '',
  actorId,
  sessionId,
});

const strategyOf = ({ kind: _, status: __, ...strategy }: LineOf<'strategy'>): Strategy => strategy;
