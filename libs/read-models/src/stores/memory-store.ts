import type { MemoryStore, MemoryView, Page, StrategyView, Transaction } from '@turnkeeper/application';
import type { Memory, MemoryStrategy } from '@turnkeeper/domain';
import type { DataSource } from 'typeorm';
import { inTenant, managerOf } from '../database.js';
import { MemoryEntity, StrategyEntity } from '../entities/memory.entity.js';

const memoryView = (row: MemoryEntity): MemoryView => ({
  ...row,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
});

const strategyView = ({ ordinal: _, tenantId: __, ...row }: StrategyEntity): StrategyView => ({
  ...row,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
});

const stamps = (row: { readonly createdAt: string; readonly updatedAt: string }) => ({
  createdAt: new Date(row.createdAt),
  updatedAt: new Date(row.updatedAt),
});

const strategyRow = (tenantId: string, memoryId: string) => (strategy: MemoryStrategy, ordinal: number) => ({
  ...strategy,
  rolling: strategy.rolling ?? null,
  memoryId,
  tenantId,
  ordinal,
  ...stamps(strategy),
});

/** Readers see memories that are not deleted; a deleted one's row stays until everything else of it is purged. */
const READABLE = { status: 'ACTIVE' } as const;

export class TypeOrmMemoryStore implements MemoryStore {
  constructor(private readonly dataSource: DataSource) {}

  async find(tenantId: string, memoryId: string): Promise<MemoryView | null> {
    const row = await inTenant(this.dataSource, tenantId, (manager) =>
      manager.findOneBy(MemoryEntity, { tenantId, memoryId, ...READABLE }),
    );
    return row === null ? null : memoryView(row);
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
      ...memoryView(row),
      strategies: strategies.map((strategy) => {
        const { memoryId: _, ...view } = strategyView(strategy);
        return view;
      }),
    };
  }

  async save(tx: Transaction, { strategies, ...memory }: Memory): Promise<void> {
    const manager = managerOf(tx);
    await manager.upsert(MemoryEntity, { ...memory, ...stamps(memory) }, ['memoryId']);
    if (strategies.length === 0) return;
    await manager.upsert(StrategyEntity, strategies.map(strategyRow(memory.tenantId, memory.memoryId)), ['strategyId']);
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
    return { rows: rows.map(memoryView), total };
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
