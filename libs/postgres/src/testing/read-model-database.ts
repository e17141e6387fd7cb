import { randomUUID } from 'node:crypto';
import type { SessionScope, StrategyView, Transaction } from '@turnkeeper/application';
import { createTestDatabase } from '@turnkeeper/testing';
import type { DataSource } from 'typeorm';
import { createDataSource, rowsOf } from '../connections/database.js';
import { TypeOrmUnitOfWork } from '../connections/unit-of-work.js';
import { migrateDatabase } from '../migrate/migrate-database.js';
import { TypeOrmMemoryStore } from '../projections/memories/memory-store.js';

/** The read-model tables together with those of the log, which some of their statements read. */
export class ReadModelDatabase {
  private constructor(
    readonly url: string,
    readonly dataSource: DataSource,
    readonly unitOfWork: TypeOrmUnitOfWork,
    private readonly drop: () => Promise<void>,
  ) {}

  static async create(): Promise<ReadModelDatabase> {
    const { url, drop } = await createTestDatabase(migrateDatabase);
    const dataSource = createDataSource({ url, poolSize: 6 });
    await dataSource.initialize();
    return new ReadModelDatabase(url, dataSource, new TypeOrmUnitOfWork(dataSource), drop);
  }

  async close(): Promise<void> {
    await this.dataSource.destroy();
    await this.drop();
  }

  rows<T>(text: string, parameters: unknown[] = []): Promise<T[]> {
    return rowsOf<T>(this.dataSource, text, parameters);
  }

  /** Rows of a table that the work reads. */
  rowsReadBy(table: string, work: (tx: Transaction) => Promise<unknown>): Promise<number> {
    return this.unitOfWork.run(async (tx) => {
      // Includes rows that the backend read in transactions before.
      const count = async (): Promise<number> => {
        const [row] = (await tx.query(
          `select coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0) as read
             from pg_stat_xact_user_tables where relid = $1::regclass`,
          [table],
        )) as { read: string }[];
        return Number(row!.read);
      };
      const before = await count();
      await work(tx);
      return (await count()) - before;
    });
  }

  /** A memory with strategies, which are automatic by default. */
  async memory(options: { tenantId?: string; strategies?: readonly Partial<StrategyView>[] } = {}) {
    const memoryId = randomUUID();
    const tenantId = options.tenantId ?? randomUUID();
    const stamps = {
      status: 'ACTIVE',
      createdAt: '2026-01-01T00:00:00.000Z',
      updatedAt: '2026-01-01T00:00:00.000Z',
    } as const;
    const strategies = (options.strategies ?? [{}]).map((strategy): StrategyView => ({
      strategyId: randomUUID(),
      memoryId,
      name: 'facts',
      type: 'SEMANTIC',
      version: 1,
      namespaceTemplate: '/{actorId}',
      automatic: true,
      customPrompt: null,
      outputSchema: null,
      rolling: null,
      ...stamps,
      ...strategy,
    }));
    const memory = { memoryId, tenantId, name: 'm', description: '', eventExpiryDuration: 30, ...stamps };
    await this.unitOfWork.run((tx) => new TypeOrmMemoryStore(this.dataSource).save(tx, { ...memory, strategies }));
    await this.rows(
      `insert into memory_gates (memory_id, tenant_id, event_expiry_days, is_open) values ($1, $2, 30, true)`,
      [memoryId, tenantId],
    );
    return { tenantId, memoryId, memory, strategies, strategyIds: strategies.map(({ strategyId }) => strategyId) };
  }

  /** A session row as in the log. `say` adds its events. */
  async session({ tenantId, memoryId }: { tenantId: string; memoryId: string }, sessionId = 'thread') {
    const scope: SessionScope = { tenantId, memoryId, actorId: 'ada', sessionId };
    const [row] = await this.rows<{ session_key: string }>(
      `insert into sessions (tenant_id, memory_id, actor_id, session_id, created_at)
       values ($1, $2, 'ada', $3, now()) returning session_key`,
      [tenantId, memoryId, sessionId],
    );
    return { ...scope, sessionKey: Number(row?.session_key) };
  }

  /** Adds events to the log, with the columns the read models use. */
  async say(session: SessionScope & { sessionKey: number }, count: number): Promise<void> {
    await this.rows(
      `insert into events (partition, position, event_id, tenant_id, memory_id, session_key, sequence, type,
                           schema_version, data, recorded_at)
       select 0, (select coalesce(max(position), 0) from events) + n, gen_random_uuid(), $1, $2, $3,
              (select coalesce(max(sequence), 0) from events where session_key = $3) + n, 'message.appended', 1, '{}', now()
         from generate_series(1, $4::int) n`,
      [session.tenantId, session.memoryId, session.sessionKey, count],
    );
  }
}
