import type { MemoryStore, MemoryView, Page, StrategyView, Transaction } from '@turnkeeper/application';
import type { Memory, MemoryStrategy } from '@turnkeeper/domain';
import type { DataSource } from 'typeorm';
import { inTenant, preparedRowsFor } from '../../connections/database.js';
import { serialize } from '../../connections/serialized.js';
import { columnsOf } from '../../connections/columns.js';
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

interface StrategyToWrite extends MemoryStrategy {
  readonly tenantId: string;
  readonly memoryId: string;
  readonly ordinal: number;
}

const STRATEGY_COLUMNS = columnsOf<StrategyToWrite>([
  ['tenant_id', 'uuid', ({ tenantId }) => tenantId],
  ['memory_id', 'uuid', ({ memoryId }) => memoryId],
  ['ordinal', 'integer', ({ ordinal }) => ordinal],
  ['strategy_id', 'uuid', ({ strategyId }) => strategyId],
  ['name', 'text', ({ name }) => name],
  ['type', 'text', ({ type }) => type],
  ['version', 'integer', ({ version }) => version],
  ['namespace_template', 'text', ({ namespaceTemplate }) => namespaceTemplate],
  ['automatic', 'boolean', ({ automatic }) => automatic],
  ['custom_prompt', 'text', ({ customPrompt }) => customPrompt],
  ['output_schema', 'json', ({ outputSchema }) => (outputSchema == null ? null : JSON.stringify(outputSchema))],
  ['rolling', 'json', ({ rolling }) => (rolling == null ? null : JSON.stringify(rolling))],
  ['status', 'text', ({ status }) => status],
  ['created_at', 'timestamptz', ({ createdAt }) => createdAt],
  ['updated_at', 'timestamptz', ({ updatedAt }) => updatedAt],
]);

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
    await serialize(manager, 'memories', tenantId);
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
    const { tenantId, memoryId } = memory;
    const rows = strategies.map((strategy, ordinal) => ({ ...strategy, tenantId, memoryId, ordinal }));
    await upsertOwn(
      manager,
      `insert into strategies as s (${STRATEGY_COLUMNS.names}) select * from ${STRATEGY_COLUMNS.t}
       on conflict (strategy_id) do update
         set ordinal = excluded.ordinal, name = excluded.name, type = excluded.type, version = excluded.version,
             namespace_template = excluded.namespace_template, automatic = excluded.automatic,
             custom_prompt = excluded.custom_prompt, output_schema = excluded.output_schema, rolling = excluded.rolling,
             status = excluded.status, created_at = excluded.created_at, updated_at = excluded.updated_at
         where s.tenant_id = excluded.tenant_id and s.memory_id = excluded.memory_id
       returning strategy_id`,
      STRATEGY_COLUMNS.valuesOf(rows),
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
