import { TRANSFER_FORMAT, type TransferEvent, type TransferLine } from '@turnkeeper/contracts';
import { assertReaches, type LogEvent, type Reach } from '@turnkeeper/domain';
import type { Ports } from '../ports.js';
import { requireMemory } from '../memories/require-memory.js';
import type { SessionScope } from '../log/event-store.port.js';
import type { RecordReader } from '../records/record-reader.port.js';

/**
 * Messages and the events that cut or hide them. Agents' events are not exported: they belong to the installation that
 * ran them.
 */
const TYPES = ['message.appended', 'binary.appended', 'message.interrupted', 'history.reset'] as const;
type Exported = LogEvent<(typeof TYPES)[number]>;

/** Maximum rows in memory, regardless of the memory's size. */
const PAGE = 50;
/** Page size of events in bytes, because events may be large. A page may exceed it by one event. */
const PAGE_BYTES = 1_048_576;

/**
 * Streams a memory line by line with bounded buffering. An event appended during the export is either included
 * completely or not at all.
 */
export class ExportMemory {
  constructor(
    private readonly deps: Pick<Ports, 'memories' | 'eventStore' | 'directory' | 'graphTransfer'> & {
      readonly records: Pick<RecordReader, 'snapshotsAfter'>;
    },
  ) {}

  /** Rejects with `OutOfReach` or `MemoryNotFound` before the first line. */
  async execute(reach: Reach, memoryId: string): Promise<AsyncGenerator<TransferLine>> {
    assertReaches(reach, { memoryId, actorId: null });
    const { tenantId } = reach;
    const memory = await requireMemory(this.deps.memories, tenantId, memoryId);
    const { name, description, eventExpiryDuration } = memory;
    const head = { kind: 'memory', format: TRANSFER_FORMAT, memoryId, name, description, eventExpiryDuration } as const;
    return this.lines(tenantId, memoryId, head);
  }

  private async *lines(tenantId: string, memoryId: string, head: TransferLine): AsyncGenerator<TransferLine> {
    const { memories } = this.deps;
    yield head;
    for (const strategy of await memories.strategies(tenantId, memoryId)) {
      const { memoryId: _, createdAt: __, updatedAt: ___, ...kept } = strategy;
      yield { kind: 'strategy', ...kept, outputSchema: kept.outputSchema ?? null, rolling: kept.rolling ?? null };
    }
    const counted = { events: 0, records: 0 };
    for await (const scope of this.sessions(tenantId, memoryId)) {
      for await (const event of this.events(scope)) {
        counted.events += 1;
        yield lineOf(event);
      }
    }
    for await (const record of this.records(tenantId, memoryId)) {
      counted.records += 1;
      yield { kind: 'record', ...record, sources: [...record.sources] };
    }
    const graphs = { checkpoints: 0, items: 0 };
    for await (const line of this.deps.graphTransfer.checkpoints({ tenantId, memoryId })) {
      graphs.checkpoints += 1;
      yield line;
    }
    for await (const item of this.deps.graphTransfer.items({ tenantId, memoryId })) {
      graphs.items += 1;
      yield { kind: 'item', ...item };
    }
    // Zero counts are omitted, so that earlier releases, which do not know these lines, can read files without them.
    yield {
      kind: 'end',
      ...counted,
      ...(graphs.checkpoints > 0 ? { checkpoints: graphs.checkpoints } : {}),
      ...(graphs.items > 0 ? { items: graphs.items } : {}),
    };
  }

  private async *sessions(tenantId: string, memoryId: string): AsyncGenerator<SessionScope> {
    const { directory } = this.deps;
    const actors = pages(
      (after) => directory.listActors(tenantId, memoryId, placeAfter(after)),
      (row) => row.actorId,
    );
    for await (const { actorId } of actors) {
      const sessions = pages(
        (after) => directory.listSessions(tenantId, memoryId, actorId, placeAfter(after)),
        (row) => row.sessionId,
      );
      for await (const { sessionId } of sessions) yield { tenantId, memoryId, actorId, sessionId };
    }
  }

  private async *events(scope: SessionScope): AsyncGenerator<Exported> {
    for (let after = 0; ;) {
      const page = await this.deps.eventStore.readSession(scope, {
        after,
        types: TYPES,
        order: 'oldest-first',
        limit: PAGE,
        // The file has the interruptions as well.
        asAppended: true,
        maxBytes: PAGE_BYTES,
      });
      const last = page.at(-1);
      if (last === undefined) return;
      yield* page as Exported[];
      after = last.sequence ?? after;
    }
  }

  private records(tenantId: string, memoryId: string) {
    const { records } = this.deps;
    const read = async (after: string | undefined) => ({
      rows: await records.snapshotsAfter(tenantId, memoryId, after ?? null, PAGE),
    });
    return pages(read, (record) => record.recordId);
  }
}

const placeAfter = (after: string | undefined) => ({ limit: PAGE, offset: 0, after: after ?? '' });

async function* pages<T>(
  read: (after: string | undefined) => Promise<{ readonly rows: readonly T[] }>,
  idOf: (row: T) => string,
): AsyncGenerator<T> {
  for (let after: string | undefined; ;) {
    const { rows } = await read(after);
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < PAGE) return;
    after = idOf(last);
  }
}

const lineOf = ({ type, actorId, sessionId, eventId, occurredAt, recordedAt, data }: Exported): TransferEvent =>
  ({ kind: 'event', type, actorId, sessionId, eventId, at: occurredAt ?? recordedAt, data }) as TransferEvent;
