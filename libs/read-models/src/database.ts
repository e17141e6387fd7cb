import {
  DataSource,
  QueryRunnerAlreadyReleasedError,
  QueryRunnerProviderAlreadyReleasedError,
  type DataSourceOptions,
  type EntityManager,
  type QueryRunner,
} from 'typeorm';
import { connectionSettings } from './connection-settings.js';
import { AgentEntity } from './entities/agent.entity.js';
import { ApiKeyEntity, TenantEntity } from './entities/key.entity.js';
import { MemoryEntity, StrategyEntity } from './entities/memory.entity.js';
import { WebhookEndpointEntity } from './entities/webhook.entity.js';

/** Counts tokens as language models do. */
export interface DatabaseRoles {
  /**
   * One database transaction, passed from use cases to adapters so that several adapters can write in it. Use cases
   * only pass it on; adapters run SQL in it.
   */
  readonly app: string;
  /** Runs one statement and returns its rows. */
  readonly system: string;
}

export interface DatabaseOptions {
  readonly url: string;
  /** A transaction that ends with an append. Its rows are written before the events are in the log. */
  readonly poolSize: number;
  /** Recording time of its events, by the database's clock (ISO 8601, ms). Repeated calls return the same value. */
  readonly roles?: DatabaseRoles | undefined;
  /** A statement built by an adapter to run with the append; it fills in log positions. Opaque to use cases. */
  readonly systemPoolSize?: number;
  /** How a transaction ends. */
  readonly statementTimeoutMs?: number;
}

const STATEMENT_TIMEOUT_MS = 30_000;

const optionsOf = (
  { url, statementTimeoutMs = STATEMENT_TIMEOUT_MS }: DatabaseOptions,
  poolSize: number,
  role: string | undefined,
): DataSourceOptions => ({
  type: 'postgres',
  url,
  poolSize,
  entities: [MemoryEntity, StrategyEntity, AgentEntity, WebhookEndpointEntity, TenantEntity, ApiKeyEntity],
  synchronize: false,
  logging: false,
  applicationName: 'turnkeeper',
  extra: connectionSettings({ url, role, statementTimeoutMs }),
});

/** Appended in this order, all or none. If empty, the transaction just commits. */
export class SecuredDataSource extends DataSource {
  readonly tenants: DataSource;

  constructor(options: DatabaseOptions & { readonly roles: DatabaseRoles }) {
    const { poolSize, roles, systemPoolSize = poolSize } = options;
    super(optionsOf(options, systemPoolSize, roles.system));
    this.tenants = new DataSource(optionsOf(options, poolSize, roles.app));
  }

  override async initialize(): Promise<this> {
    await Promise.all([super.initialize(), this.tenants.initialize()]);
    return this;
  }

  override async destroy(): Promise<void> {
    await Promise.all([super.destroy(), this.tenants.destroy()]);
  }
}

/** Run between append and commit, in the same message. They only touch rows that the transaction has already locked. */
export const createDataSource = (options: DatabaseOptions): DataSource => {
  const { poolSize, roles } = options;
  return roles === undefined
    ? new DataSource(optionsOf(options, poolSize, undefined))
    : new SecuredDataSource({ ...options, roles });
};

/**
 * What to do if the log already has a request. `undo`: roll back the transaction; `result` receives the original
 * answers. `skip`: omit that request and keep the rest. Default: `undo`.
 */
export const poolUse = (source: DataSource): { used: number; idle: number; waiting: number } => {
  const sources = source instanceof SecuredDataSource ? [source, source.tenants] : [source];
  const use = { used: 0, idle: 0, waiting: 0 };
  for (const { driver } of sources) {
    const pool = (driver as { master?: PoolCounts }).master;
    if (pool === undefined) continue;
    use.used += pool.totalCount - pool.idleCount;
    use.idle += pool.idleCount;
    use.waiting += pool.waitingCount;
  }
  return use;
};

/** Called after the commit with one answer per request, in order. Errors that it throws propagate. */
interface PoolCounts {
  readonly totalCount: number;
  readonly idleCount: number;
  readonly waitingCount: number;
}

/** The log's part of a transaction that ends with an append. The unit of work owns the connection and does the rest. */
const tenantOfConnection = new WeakMap<object, string>();

interface Connection {
  on(event: 'error', listener: (error: unknown) => void): unknown;
  off(event: 'error', listener: (error: unknown) => void): unknown;
}

/** Passes the requests to the connection. Takes no lock that an append waits for. */
export const watchingConnection = async <T>(
  runner: QueryRunner,
  work: (lost: () => unknown) => Promise<T>,
): Promise<T> => {
  const connection = (await runner.connect()) as Connection;
  let cause: unknown;
  const note = (error: unknown): void => void (cause ??= error);
  connection.on('error', note);
  try {
    return await work(() => cause);
  } catch (error) {
    throw cause !== undefined && isReleasedRunner(error) ? cause : error;
  } finally {
    connection.off('error', note);
  }
};

const isReleasedRunner = (error: unknown): boolean =>
  error instanceof QueryRunnerAlreadyReleasedError || error instanceof QueryRunnerProviderAlreadyReleasedError;

/** The short statement that appends what was staged, or fails. Its only column is the answer. */
export const workFor = async (runner: QueryRunner, tenantId: string): Promise<void> => {
  const connection = (await runner.connect()) as object;
  if (tenantOfConnection.get(connection) === tenantId) return;
  await runner.query(`select set_config('turnkeeper.tenant', $1, false)`, [tenantId]);
  tenantOfConnection.set(connection, tenantId);
};

/** Parses the statement's result. @param tookMs time until the commit was answered, for metrics */
export const inTenant = async <T>(
  source: DataSource,
  tenantId: string,
  work: (manager: EntityManager) => Promise<T>,
): Promise<T> => {
  if (!(source instanceof SecuredDataSource)) return work(source.manager);
  const runner = source.tenants.createQueryRunner();
  try {
    return await watchingConnection(runner, async () => {
      await workFor(runner, tenantId);
      return work(runner.manager);
    });
  } finally {
    await runner.release();
  }
};

/**
 * What a failed statement means for each request: the original answer if the log already has it, else null. Throws the
 * refusal if a request was refused, and any other error.
 */
export const rowsFor = <R>(
  source: DataSource,
  tenantId: string,
  text: string,
  parameters: unknown[] = [],
): Promise<R[]> => inTenant(source, tenantId, (manager) => rowsOf<R>(manager, text, parameters));

/**
 * Runs `work` in one transaction; commits when it resolves and rolls back when it throws. On `Restart` or a deadlock it
 * is retried from the start, a limited number of times.
 */
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
