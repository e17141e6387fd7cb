import { Restart, type Transaction, type UnitOfWork } from '@turnkeeper/application';
import { DataSource, QueryFailedError, type DataSourceOptions, type EntityManager, type QueryRunner } from 'typeorm';
import { AgentEntity } from './entities/agent.entity.js';
import { ApiKeyEntity, TenantEntity } from './entities/key.entity.js';
import { MemoryEntity, StrategyEntity } from './entities/memory.entity.js';
import { WebhookEndpointEntity } from './entities/webhook.entity.js';

/** Roles of the database that the connections work as, where row-level security is on (`databaseRoles`). */
export interface DatabaseRoles {
  /** Sees the rows of the tenant that its connection names. */
  readonly app: string;
  /** Sees the rows of all tenants. */
  readonly system: string;
}

export interface DatabaseOptions {
  readonly url: string;
  /** Connections that work for one tenant at a time; all connections where no roles are given. */
  readonly poolSize: number;
  /** Absent: the login's own rights, which no policy holds back. */
  readonly roles?: DatabaseRoles | undefined;
  /** Connections that work for all tenants, where roles are given. Default: as many as `poolSize`. */
  readonly systemPoolSize?: number;
}

const CONNECTIONS = {
  connectionTimeoutMillis: 5_000,
  idleTimeoutMillis: 30_000,
  // A process that froze within a transaction holds the log's lock: the server ends its transaction.
  idle_in_transaction_session_timeout: 30_000,
  // A connection may break before TypeORM listens to it: without a listener of its own that would end the process.
  onConnect: (client: { on(event: 'error', listener: () => void): unknown }): void => {
    client.on('error', () => undefined);
  },
};

const optionsOf = (url: string, poolSize: number, role: string | undefined): DataSourceOptions => ({
  type: 'postgres',
  url,
  poolSize,
  entities: [MemoryEntity, StrategyEntity, AgentEntity, WebhookEndpointEntity, TenantEntity, ApiKeyEntity],
  synchronize: false,
  logging: false,
  applicationName: 'turnkeeper',
  // The role is part of the first message of a connection: no round trip, and no moment with other rights.
  extra: { ...CONNECTIONS, ...(role === undefined ? {} : { options: `-c role=${role}` }) },
});

/** The pools behind the read models: one for all tenants, which is this one, and one that sees a tenant at a time. */
class SecuredDataSource extends DataSource {
  readonly tenants: DataSource;

  constructor({
    url,
    poolSize,
    roles,
    systemPoolSize = poolSize,
  }: DatabaseOptions & { readonly roles: DatabaseRoles }) {
    super(optionsOf(url, systemPoolSize, roles.system));
    this.tenants = new DataSource(optionsOf(url, poolSize, roles.app));
  }

  override async initialize(): Promise<this> {
    await Promise.all([super.initialize(), this.tenants.initialize()]);
    return this;
  }

  override async destroy(): Promise<void> {
    await Promise.all([super.destroy(), this.tenants.destroy()]);
  }
}

/** The pool behind every read model. What is run on it directly sees the rows of all tenants: see `rowsFor`. */
export const createDataSource = (options: DatabaseOptions): DataSource => {
  const { url, poolSize, roles } = options;
  return roles === undefined
    ? new DataSource(optionsOf(url, poolSize, undefined))
    : new SecuredDataSource({ ...options, roles });
};

/** The tenant that a connection worked for last, by its driver's client. */
const tenantOfConnection = new WeakMap<object, string>();

/** Names the tenant that a connection works for; a round trip only when it worked for another one before. */
const workFor = async (runner: QueryRunner, tenantId: string): Promise<void> => {
  const connection = (await runner.connect()) as object;
  if (tenantOfConnection.get(connection) === tenantId) return;
  await runner.query(`select set_config('turnkeeper.tenant', $1, false)`, [tenantId]);
  tenantOfConnection.set(connection, tenantId);
};

/**
 * Runs work on a connection that sees this tenant's rows only, whatever its statements say: the second net under the
 * tenant predicate that they all have.
 */
export const inTenant = async <T>(
  source: DataSource,
  tenantId: string,
  work: (manager: EntityManager) => Promise<T>,
): Promise<T> => {
  if (!(source instanceof SecuredDataSource)) return work(source.manager);
  const runner = source.tenants.createQueryRunner();
  try {
    await workFor(runner, tenantId);
    return await work(runner.manager);
  } finally {
    await runner.release();
  }
};

/** Runs plain SQL on a connection that sees this tenant's rows only. */
export const rowsFor = <R>(
  source: DataSource,
  tenantId: string,
  text: string,
  parameters: unknown[] = [],
): Promise<R[]> => inTenant(source, tenantId, (manager) => rowsOf<R>(manager, text, parameters));

/** A transaction that plain SQL and TypeORM can both write in. */
class TypeOrmTransaction implements Transaction {
  constructor(readonly manager: EntityManager) {}

  async query(text: string, parameters: unknown[] = []): Promise<unknown[]> {
    return rowsOf(this.manager, text, parameters);
  }
}

export class TypeOrmUnitOfWork implements UnitOfWork {
  constructor(private readonly dataSource: DataSource) {}

  run<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return restarting(() => this.dataSource.transaction((manager) => work(new TypeOrmTransaction(manager))));
  }

  runFor<T>(tenantId: string, work: (tx: Transaction) => Promise<T>): Promise<T> {
    return restarting(() =>
      inTenant(this.dataSource, tenantId, (outside) =>
        outside.transaction((manager) => work(new TypeOrmTransaction(manager))),
      ),
    );
  }
}

const MAX_ATTEMPTS = 5;

const restarting = async <T>(work: () => Promise<T>): Promise<T> => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (attempt === MAX_ATTEMPTS || !isRestartable(error)) throw error;
    }
  }
};

const DEADLOCK_DETECTED = '40P01';
const isRestartable = (error: unknown): boolean =>
  error instanceof Restart ||
  (error instanceof QueryFailedError && (error.driverError as { code?: string }).code === DEADLOCK_DETECTED);

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
