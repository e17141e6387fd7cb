import type { MemoryStore, MemoryView, Page, StrategyView, Transaction } from '@turnkeeper/application';
import type { DataSource } from 'typeorm';
import { managerOf } from '../database.js';
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

export class TypeOrmMemoryStore implements MemoryStore {
  constructor(private readonly dataSource: DataSource) {}

  async insert(tx: Transaction, memory: MemoryView, strategies: readonly StrategyView[]): Promise<void> {
    const manager = managerOf(tx);
    await manager.insert(MemoryEntity, {
      ...memory,
      createdAt: new Date(memory.createdAt),
      updatedAt: new Date(memory.updatedAt),
    });
    await manager.insert(
      StrategyEntity,
      strategies.map((strategy, ordinal) => ({
        ...strategy,
        tenantId: memory.tenantId,
        ordinal,
        createdAt: new Date(strategy.createdAt),
        updatedAt: new Date(strategy.updatedAt),
      })),
    );
  }

  async find(tenantId: string, memoryId: string): Promise<MemoryView | null> {
    const row = await this.dataSource.manager.findOneBy(MemoryEntity, { tenantId, memoryId });
    return row === null ? null : memoryView(row);
  }

  async list(tenantId: string, { offset, limit }: { offset: number; limit: number }): Promise<Page<MemoryView>> {
    const [rows, total] = await this.dataSource.manager.findAndCount(MemoryEntity, {
      where: { tenantId },
      order: { createdAt: 'DESC', memoryId: 'DESC' },
      skip: offset,
      take: limit,
    });
    return { rows: rows.map(memoryView), total };
  }

  async strategies(tenantId: string, memoryId: string): Promise<readonly StrategyView[]> {
    const rows = await this.dataSource.manager.find(StrategyEntity, {
      where: { tenantId, memoryId },
      order: { ordinal: 'ASC' },
    });
    return rows.map(strategyView);
  }
}
