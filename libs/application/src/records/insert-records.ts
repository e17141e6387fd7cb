import { ACTOR_STREAM, actorOfNamespace, factKey, StrategyNotFound, type InsertedRecord } from '@turnkeeper/domain';
import type { Ports } from '../ports.js';
import { factOf, pendingEvent } from '../log/stored-event.js';
import { requireMemory } from '../memories/require-memory.js';
import type { MemoryScope, AppendRequest } from '../log/event-store.port.js';
import type { LogErasure } from '../erasure/log-erasure.port.js';
import type { AppendingTransaction, Transaction } from '../shared/transaction.port.js';
import { projectRecords } from '../projections/project-records.js';
import { TenantQueue } from './tenant-queue.js';
import { groupBy } from '../shared/group-by.js';

export interface RecordToInsert {
  readonly text: string;
  readonly namespace: string;
  readonly strategyId: string | null;
}

export interface InsertOutcome {
  readonly recordId: string;
  readonly text: string;
  readonly namespace: string;
  /** False if the namespace already holds this fact; `recordId` is then that of the existing record. */
  readonly created: boolean;
}

export type RecordChangeDeps = Pick<Ports, 'unitOfWork' | 'memories' | 'records' | 'recordWriter' | 'ids'>;

/** Requests with more records than this run one at a time. */
const MAX_AT_ONCE = 100;

/** Inserts records stated by a caller. Facts that the namespace already holds are not inserted again. */
export class InsertRecords {
  private readonly queue = new TenantQueue();

  constructor(private readonly deps: RecordChangeDeps & { readonly erasure: LogErasure }) {}

  async execute(
    tenantId: string,
    memoryId: string,
    inputs: readonly RecordToInsert[],
  ): Promise<readonly InsertOutcome[]> {
    const { unitOfWork, memories, recordWriter, erasure } = this.deps;
    await requireMemory(memories, tenantId, memoryId);
    const strategies = await memories.strategies(tenantId, memoryId);
    const known = new Set(strategies.map((strategy) => strategy.strategyId));
    if (inputs.some(({ strategyId }) => strategyId !== null && !known.has(strategyId))) throw new StrategyNotFound();
    const namespaces = [...new Set(inputs.map(({ namespace }) => namespace))].sort();
    const actorIds = namespaces
      .map((namespace) => actorOfNamespace(strategies, namespace))
      .filter((actorId) => actorId !== null);
    const insert = () =>
      unitOfWork.appendFor(tenantId, async (tx) => {
        await erasure.holdActors(tx, memoryId, actorIds);
        for (const namespace of namespaces) await recordWriter.lockNamespace(tx, memoryId, namespace);
        const { outcomes, inserted } = await this.assignIds(tx, { tenantId, memoryId }, inputs);
        const byActor = groupBy(inserted, ({ namespace }) => actorOfNamespace(strategies, namespace));
        const append: AppendRequest[] = [];
        for (const [actorId, group] of byActor)
          append.push(await this.write(tx, { tenantId, memoryId, actorId }, group));
        return { append, result: () => outcomes };
      });
    return inputs.length > MAX_AT_ONCE ? this.queue.run(tenantId, insert) : insert();
  }

  /** Assigns an id to new facts, and to the others the id of the existing record. */
  private async assignIds(tx: Transaction, memory: MemoryScope, inputs: readonly RecordToInsert[]) {
    const { recordWriter, ids } = this.deps;
    const known = new Map<string, string>();
    for (const [namespace, group] of groupBy(inputs, (input) => input.namespace)) {
      const keys = group.map(({ text }) => factKey(text));
      for (const [key, recordId] of await recordWriter.current(tx, { ...memory, namespace }, keys)) {
        known.set(`${namespace}\n${key}`, recordId);
      }
    }
    const inserted: InsertedRecord[] = [];
    const outcomes = inputs.map(({ text, namespace, strategyId }): InsertOutcome => {
      const place = `${namespace}\n${factKey(text)}`;
      const existing = known.get(place);
      if (existing !== undefined) return { recordId: existing, text, namespace, created: false };
      const recordId = ids.next();
      known.set(place, recordId);
      inserted.push({ recordId, text, namespace, strategyId });
      return { recordId, text, namespace, created: true };
    });
    return { outcomes, inserted };
  }

  /** Writes the records and returns the event that describes them. */
  private async write(
    tx: AppendingTransaction,
    { tenantId, memoryId, actorId }: { tenantId: string; memoryId: string; actorId: string | null },
    records: readonly InsertedRecord[],
  ): Promise<AppendRequest> {
    const event = factOf(this.deps.ids.next(), 'records.inserted', { records });
    const scope = { tenantId, memoryId, actorId, sessionId: actorId === null ? null : ACTOR_STREAM };
    await projectRecords(this.deps, tx, pendingEvent(scope, event, await tx.recordedAt()));
    return { ...scope, events: [event] };
  }
}
