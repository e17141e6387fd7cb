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
  /** Longest that one statement may take, in milliseconds; 0 for any time, as a rebuild needs. Default 30,000. */
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

/** The pools behind the read models: one for all tenants, which is this one, and one that sees a tenant at a time. */
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

/** The pool behind every read model. What is run on it directly sees the rows of all tenants: see `rowsFor`. */
export const createDataSource = (options: DatabaseOptions): DataSource => {
  const { poolSize, roles } = options;
  return roles === undefined
    ? new DataSource(optionsOf(options, poolSize, undefined))
    : new SecuredDataSource({ ...options, roles });
};

/** Connections of the data source's pools: lent out, unused, and requests that wait for one. */
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

/** What `pg` says of a pool; TypeORM keeps the pool as `driver.master`. */
interface PoolCounts {
  readonly totalCount: number;
  readonly idleCount: number;
  readonly waitingCount: number;
}

/** The tenant that a connection worked for last, by its driver's client. */
const tenantOfConnection = new WeakMap<object, string>();

interface Connection {
  on(event: 'error', listener: (error: unknown) => void): unknown;
  off(event: 'error', listener: (error: unknown) => void): unknown;
}

/**
 * Runs work on one connection. TypeORM takes a connection that breaks between two statements away from its runner and
 * refuses the next statement with an error of its own, which hides the cause: this throws the cause.
 *
 * @param lost tells what broke the connection; undefined while it is whole
 */
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

/** Names the tenant that a connection works for; a round trip only when it worked for another one before. */
export const workFor = async (runner: QueryRunner, tenantId: string): Promise<void> => {
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
    return await watchingConnection(runner, async () => {
      await workFor(runner, tenantId);
      return work(runner.manager);
    });
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
