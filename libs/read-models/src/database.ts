import { Restart, type Transaction, type UnitOfWork } from '@turnkeeper/application';
import { DataSource, QueryFailedError, type EntityManager } from 'typeorm';
import { AgentEntity } from './entities/agent.entity.js';
import { ApiKeyEntity, TenantEntity } from './entities/key.entity.js';
import { MemoryEntity, StrategyEntity } from './entities/memory.entity.js';
import { WebhookEndpointEntity } from './entities/webhook.entity.js';

/** The pool behind every read model. */
export const createDataSource = (options: { readonly url: string; readonly poolSize: number }): DataSource =>
  new DataSource({
    type: 'postgres',
    url: options.url,
    poolSize: options.poolSize,
    entities: [MemoryEntity, StrategyEntity, AgentEntity, WebhookEndpointEntity, TenantEntity, ApiKeyEntity],
    synchronize: false,
    logging: false,
    applicationName: 'turnkeeper',
    extra: { connectionTimeoutMillis: 5_000, idleTimeoutMillis: 30_000 },
  });

/** A transaction that plain SQL and TypeORM can both write in. */
class TypeOrmTransaction implements Transaction {
  constructor(readonly manager: EntityManager) {}

  async query(text: string, parameters: unknown[] = []): Promise<unknown[]> {
    return rowsOf(this.manager, text, parameters);
  }
}

export class TypeOrmUnitOfWork implements UnitOfWork {
  constructor(private readonly dataSource: DataSource) {}

  async run<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.dataSource.transaction((manager) => work(new TypeOrmTransaction(manager)));
      } catch (error) {
        if (attempt === MAX_ATTEMPTS || !isRestartable(error)) throw error;
      }
    }
  }
}

const MAX_ATTEMPTS = 5;
const isRestartable = (error: unknown): boolean =>
  error instanceof Restart ||
  (error instanceof QueryFailedError && (error.driverError as { code?: string }).code === '40P01');

/** The entity manager of a transaction that `TypeOrmUnitOfWork` opened. */
export const managerOf = (tx: Transaction): EntityManager => {
  if (tx instanceof TypeOrmTransaction) return tx.manager;
  throw new TypeError('This transaction was not opened by the unit of work.');
};

/** Runs plain SQL. TypeORM answers an update with a pair; this gives the rows for every statement. */
export const rowsOf = async <R>(
  source: DataSource | EntityManager,
  text: string,
  parameters: unknown[] = [],
): Promise<R[]> => {
  const answer: unknown = await source.query(text, parameters);
  const isPair =
    Array.isArray(answer) && answer.length === 2 && Array.isArray(answer[0]) && typeof answer[1] === 'number';
  return (isPair ? answer[0] : answer) as R[];
};
