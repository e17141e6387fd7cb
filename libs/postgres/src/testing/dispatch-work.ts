import { randomUUID } from 'node:crypto';
import { DispatchEvents, PlanDeliveries, type UnitOfWork } from '@turnkeeper/application';
import type { NewEvent } from '@turnkeeper/domain';
import { creation, InMemoryEventStore } from '@turnkeeper/testing';
import { isLastingFailure, isTooSlow } from '../connections/lasting-failure.js';
import { PgDeliveryStore } from '../work/deliveries/delivery-store.js';
import { PgWebhookEndpointStore } from '../work/deliveries/webhook-endpoint-store.js';
import { PgDispatchCursor } from '../work/dispatch/dispatch-cursor.js';
import { PgExtractionSchedule } from '../work/extraction/extraction-schedule.js';
import { PgParkingLot } from '../work/parked/parking-lot.js';
import { ReadModelDatabase } from './read-model-database.js';
import { testCipher } from './test-cipher.js';

export const TIMING = { turnInterval: 1_000, quietSeconds: 60 };

/** The dispatcher on its own database, with a log in memory. */
export class DispatchWork {
  log = new InMemoryEventStore();
  memory = { tenantId: '', memoryId: '' };

  private constructor(readonly database: ReadModelDatabase) {}

  static async create(): Promise<DispatchWork> {
    return new DispatchWork(await ReadModelDatabase.create());
  }

  close(): Promise<void> {
    return this.database.close();
  }

  /** A new memory and a log with its creation only. */
  async empty(): Promise<void> {
    await this.database.rows(
      'truncate deferred_progress, parked_items, extraction_states, sessions, memories, strategies, dispatch_cursor, webhook_endpoints cascade',
    );
    this.memory = await this.database.memory();
    this.log = new InMemoryEventStore();
    await this.log.append(creation(this.memory.tenantId, this.memory.memoryId));
  }

  get endpoints(): PgWebhookEndpointStore {
    return new PgWebhookEndpointStore(this.database.dataSource, testCipher);
  }

  get cursor(): PgDispatchCursor {
    return new PgDispatchCursor(this.database.dataSource);
  }

  get planDeliveries(): PlanDeliveries {
    return new PlanDeliveries({
      endpoints: this.endpoints,
      deliveries: new PgDeliveryStore(this.database.dataSource, testCipher),
      ids: { next: randomUUID, derive: (...parts) => uuidOf(JSON.stringify(parts)) },
    });
  }

  dispatcher(
    unitOfWork: UnitOfWork = this.database.unitOfWork,
    parts: Partial<ConstructorParameters<typeof DispatchEvents>[0]> = {},
  ): DispatchEvents {
    return new DispatchEvents({
      unitOfWork,
      eventStore: this.log,
      cursor: this.cursor,
      extractionSchedule: new PgExtractionSchedule(this.database.dataSource),
      planDeliveries: this.planDeliveries,
      withdrawUnheard: { execute: async () => undefined },
      timing: TIMING,
      parkingLot: new PgParkingLot(this.database.dataSource),
      isLasting: isLastingFailure,
      isTooSlow,
      ...parts,
    });
  }

  /** Appends to the log and creates the session row, as the Postgres log would. */
  async append(sessionId: string, events: readonly NewEvent[]): Promise<void> {
    await this.log.append({ ...this.memory, actorId: 'ada', sessionId, events });
    const [newest] = (await this.log.readLog(0, 1_000_000)).slice(-1);
    await this.database.rows(
      `insert into sessions (session_key, tenant_id, memory_id, actor_id, session_id, created_at)
       overriding system value values ($1, $2, $3, 'ada', $4, now()) on conflict do nothing`,
      [newest!.sessionKey, this.memory.tenantId, this.memory.memoryId, sessionId],
    );
  }

  /** User turns and newest sequence of each session. */
  async counted(): Promise<number[][]> {
    const rows = await this.database.rows<{ turns: number; newest: number }>(
      'select pending_turns as turns, newest_sequence::int as newest from extraction_states order by session_id',
    );
    return rows.map(({ turns, newest }) => [turns, newest]);
  }

  position(): Promise<number> {
    return this.cursor.position();
  }
}

export const stopped = (): NewEvent => ({
  eventId: randomUUID(),
  type: 'agent.stopped',
  schemaVersion: 1,
  occurredAt: null,
  data: { agentId: randomUUID(), reason: 'requested' },
});

const uuidOf = (text: string): string => {
  let hash = 0n;
  for (const char of text) hash = (hash * 1_000_003n + BigInt(char.codePointAt(0) ?? 0)) % (1n << 128n);
  const hex = hash.toString(16).padStart(32, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`;
};
