import type { MemoryStore, MemoryView, Page, StrategyView, Transaction } from '@turnkeeper/application';
import type { Memory, MemoryStrategy } from '@turnkeeper/domain';
import type { DataSource } from 'typeorm';
import { inTenant, preparedRowsFor } from '../../connections/database.js';
import { sqlOf } from '../../connections/sql.js';
import { upsertOwn } from '../../connections/own-rows.js';
import { managerOf } from '../../connections/unit-of-work.js';
import { MemoryEntity, StrategyEntity } from './memory.entity.js';
import { viewOf } from '../../connections/view.js';

const strategyView = ({ ordinal: _, tenantId: __, ...row }: StrategyEntity): StrategyView => viewOf(row);

/**
 * Readers see only memories that are not deleted. The row of a deleted memory stays until everything else is purged.
 */
const READABLE = { status: 'ACTIVE' } as const;

/** Nearly every request reads its memory. $1 tenant, $2 memory, $3 status. */
const FIND_MEMORY = `
  select memory_id as "memoryId", tenant_id as "tenantId", name, description,
         event_expiry_duration as "eventExpiryDuration", status, created_at as "createdAt", updated_at as "updatedAt"
    from memories where tenant_id = $1 and memory_id = $2 and status = $3`;

/** First key of the advisory lock: 'MEMO'. */
const MEMORIES_LOCK = 1_296_387_407;

export class TypeOrmMemoryStore implements MemoryStore {
  constructor(private readonly dataSource: DataSource) {}

  async find(tenantId: string, memoryId: string): Promise<MemoryView | null> {
    const [row] = await preparedRowsFor<MemoryEntity>(this.dataSource, tenantId, {
      name: 'find_memory',
      text: FIND_MEMORY,
      values: [tenantId, memoryId, READABLE.status],
    });
    return row === undefined ? null : viewOf<MemoryView>(row);
  }

  async findForUpdate(tx: Transaction, tenantId: string, memoryId: string): Promise<Memory | null> {
    const manager = managerOf(tx);
    const row = await manager.findOne(MemoryEntity, {
      where: { tenantId, memoryId, ...READABLE },
      lock: { mode: 'pessimistic_write' },
    });
    if (row === null) return null;
    const strategies = await manager.find(StrategyEntity, {
      where: { tenantId, memoryId },
      order: { ordinal: 'ASC' },
    });
    return {
      ...viewOf<MemoryView>(row),
      strategies: strategies.map((strategy) => {
        const { memoryId: _, ...view } = strategyView(strategy);
        return view;
      }),
    };
  }

  async countBeforeCreation(tx: Transaction, tenantId: string): Promise<number> {
    const manager = managerOf(tx);
    // Serialized per tenant: two concurrent calls would both see the last free slot.
    await manager.query('select pg_advisory_xact_lock($1, hashtext($2))', [MEMORIES_LOCK, tenantId]);
    return manager.countBy(MemoryEntity, { tenantId, ...READABLE });
  }

  async save(tx: Transaction, { strategies, ...memory }: Memory): Promise<void> {
    const manager = managerOf(tx);
    await upsertOwn(
      manager,
      `insert into memories as m
         (memory_id, tenant_id, name, description, event_expiry_duration, status, created_at, updated_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8)
       on conflict (memory_id) do update
         set name = excluded.name, description = excluded.description,
             event_expiry_duration = excluded.event_expiry_duration, status = excluded.status,
             created_at = excluded.created_at, updated_at = excluded.updated_at
         where m.tenant_id = excluded.tenant_id
       returning memory_id`,
      [
        ...[memory.memoryId, memory.tenantId, memory.name, memory.description, memory.eventExpiryDuration],
        ...[memory.status, memory.createdAt, memory.updatedAt],
      ],
      { expected: 1, field: 'memoryId' },
    );
    // A deleted strategy takes its due work along.
    await sqlOf(manager)`
      delete from strategies where tenant_id = ${memory.tenantId} and memory_id = ${memory.memoryId}
        and strategy_id <> all(${strategies.map(({ strategyId }) => strategyId)}::uuid[])`;
    if (strategies.length === 0) return;
    const columns = <T>(of: (strategy: MemoryStrategy) => T): T[] => strategies.map(of);
    await upsertOwn(
      manager,
      `insert into strategies as s
         (tenant_id, memory_id, strategy_id, ordinal, name, type, version, namespace_template, automatic, custom_prompt,
          output_schema, rolling, status, created_at, updated_at)
       select $1, $2, t.id, t.n - 1, t.name, t.type, t.version, t.template, t.automatic, t.prompt, t.output::json, t.rolling::json, t.status,
              t.created_at, t.updated_at
         from unnest($3::uuid[], $4::text[], $5::text[], $6::integer[], $7::text[], $8::boolean[], $9::text[], $10::text[],
                     $11::text[], $12::timestamptz[], $13::timestamptz[], $14::text[])
           with ordinality as t(id, name, type, version, template, automatic, prompt, rolling, status, created_at,
                                updated_at, output, n)
       on conflict (strategy_id) do update
         set ordinal = excluded.ordinal, name = excluded.name, type = excluded.type, version = excluded.version,
             namespace_template = excluded.namespace_template, automatic = excluded.automatic,
             custom_prompt = excluded.custom_prompt, output_schema = excluded.output_schema, rolling = excluded.rolling, status = excluded.status,
             created_at = excluded.created_at, updated_at = excluded.updated_at
         where s.tenant_id = excluded.tenant_id and s.memory_id = excluded.memory_id
       returning strategy_id`,
      [
        ...[memory.tenantId, memory.memoryId],
        columns(({ strategyId }) => strategyId),
        columns(({ name }) => name),
        columns(({ type }) => type),
        columns(({ version }) => version),
        columns(({ namespaceTemplate }) => namespaceTemplate),
        columns(({ automatic }) => automatic),
        columns(({ customPrompt }) => customPrompt),
        columns(({ rolling }) => (rolling == null ? null : JSON.stringify(rolling))),
        columns(({ status }) => status),
        columns(({ createdAt }) => createdAt),
        columns(({ updatedAt }) => updatedAt),
        columns(({ outputSchema }) => (outputSchema == null ? null : JSON.stringify(outputSchema))),
      ],
      { expected: strategies.length, field: 'strategyId' },
    );
  }

  async list(tenantId: string, { offset, limit }: { offset: number; limit: number }): Promise<Page<MemoryView>> {
    const [rows, total] = await inTenant(this.dataSource, tenantId, (manager) =>
      manager.findAndCount(MemoryEntity, {
        where: { tenantId, ...READABLE },
        order: { createdAt: 'DESC', memoryId: 'DESC' },
        skip: offset,
        take: limit,
      }),
    );
    return { rows: rows.map(viewOf<MemoryView>), total };
  }

  async strategies(tenantId: string, memoryId: string): Promise<readonly StrategyView[]> {
    const rows = await inTenant(this.dataSource, tenantId, (manager) =>
      manager.find(StrategyEntity, {
        where: { tenantId, memoryId },
        order: { ordinal: 'ASC' },
      }),
    );
    return rows.map(strategyView);
  }
}
