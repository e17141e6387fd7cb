import {
  DataSource,
  QueryRunnerAlreadyReleasedError,
  QueryRunnerProviderAlreadyReleasedError,
  type DataSourceOptions,
  type EntityManager,
  type QueryRunner,
} from 'typeorm';
import { connectionSettings } from './connection-settings.js';
import { AgentEntity } from '../projections/agents/agent.entity.js';
import { ApiKeyEntity, TenantEntity } from '../access/key.entity.js';
import { MemoryEntity, StrategyEntity } from '../projections/memories/memory.entity.js';
import { WebhookEndpointEntity } from '../work/deliveries/webhook.entity.js';
import { changeFor, type TenantRoles } from './row-reach.js';
import { TenantTurns } from './tenant-turns.js';
import { viewOf } from './view.js';

/** Database roles of the connections when row-level security is on (`databaseRoles`). */
export interface DatabaseRoles {
  /** Sees the rows of the connection's current tenant. */
  readonly app: string;
  /** Sees the rows of the connection's current tenant that a restricted key reaches. Absent: there is no such role. */
  readonly restricted?: string | undefined;
  /** Sees the rows of all tenants. */
  readonly system: string;
}

export interface DatabaseOptions {
  readonly url: string;
  /** Connections that work for one tenant at a time. Without roles: all connections. */
  readonly poolSize: number;
  /** Absent: the login's own privileges, without policies. */
  readonly roles?: DatabaseRoles | undefined;
  /** Connections that work for all tenants, if roles are given. Default: `poolSize`. */
  readonly systemPoolSize?: number;
  /**
   * Maximum duration of one statement, in milliseconds. 0 disables the limit, as needed by a rebuild. Default: 30,000.
   */
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

/** The pools of the read models: this one sees all tenants, and `tenants` sees one tenant at a time. */
class SecuredDataSource extends DataSource {
  readonly tenants: DataSource;
  /** Of the connections of `tenants`. */
  readonly turns: TenantTurns;
  readonly roles: DatabaseRoles;

  constructor(options: DatabaseOptions & { readonly roles: DatabaseRoles }) {
    const { poolSize, roles, systemPoolSize = poolSize } = options;
    super(optionsOf(options, systemPoolSize, roles.system));
    this.roles = roles;
    this.tenants = new DataSource(optionsOf(options, poolSize, roles.app));
    this.turns = new TenantTurns(poolSize);
  }

  override async initialize(): Promise<this> {
    await Promise.all([super.initialize(), this.tenants.initialize()]);
    return this;
  }

  override async destroy(): Promise<void> {
    await Promise.all([super.destroy(), this.tenants.destroy()]);
  }
}

/** The pool of all read models. Statements run on it directly see the rows of all tenants: see `rowsFor`. */
export const createDataSource = (options: DatabaseOptions): DataSource => {
  const { poolSize, roles } = options;
  return roles === undefined
    ? new DataSource(optionsOf(options, poolSize, undefined))
    : new SecuredDataSource({ ...options, roles });
};

/** The data source's pools: `pg` pools, which TypeORM keeps as `driver.master`, and what waits for one of them. */
export const poolsOf = (source: DataSource): readonly PoolCounts[] => {
  if (source instanceof SecuredDataSource) return [...masterOf(source), ...masterOf(source.tenants), source.turns];
  return masterOf(source);
};

const masterOf = ({ driver }: DataSource): readonly PoolCounts[] => {
  const { master } = driver as { master?: PoolCounts };
  return master === undefined ? [] : [master];
};

/** Pool counters of `pg`. TypeORM keeps the pool as `driver.master`. */
interface PoolCounts {
  readonly totalCount: number;
  readonly idleCount: number;
  readonly waitingCount: number;
}

/** What each connection works for (`changeFor`), keyed by driver client. */
const worksFor = new WeakMap<object, string>();

interface Connection {
  on(event: 'error', listener: (error: unknown) => void): unknown;
  off(event: 'error', listener: (error: unknown) => void): unknown;
}

/**
 * Runs work on one connection. If a connection breaks between two statements, TypeORM detaches it from its runner and
 * rejects the next statement with its own error, which hides the cause. This function throws the cause.
 *
 * @param work `lost` returns the error that broke the connection; undefined while it is open
 */
const onRunner = async <T>(
  source: DataSource,
  work: (runner: QueryRunner, lost: () => unknown) => Promise<T>,
): Promise<T> => {
  const runner = source.createQueryRunner();
  let cause: unknown;
  const note = (error: unknown): void => void (cause ??= error);
  try {
    const connection = (await runner.connect()) as Connection;
    connection.on('error', note);
    try {
      return await work(runner, () => cause);
    } catch (error) {
      throw cause !== undefined && isReleasedRunner(error) ? cause : error;
    } finally {
      connection.off('error', note);
    }
  } finally {
    await runner.release();
  }
};

const isReleasedRunner = (error: unknown): boolean =>
  error instanceof QueryRunnerAlreadyReleasedError || error instanceof QueryRunnerProviderAlreadyReleasedError;

/** Sets the connection's tenant, and the current reach. Costs a round trip only if one of them changes. */
const workFor = async (runner: QueryRunner, tenantId: string, roles: TenantRoles): Promise<void> => {
  const connection = (await runner.connect()) as object;
  const change = changeFor(worksFor.get(connection), tenantId, roles);
  if (change === null) return;
  await runner.query(change.text, [...change.values]);
  worksFor.set(connection, change.worksFor);
};

/**
 * Runs work on a connection that sees only this tenant's rows, whatever its statements say. A second safeguard behind
 * the tenant predicate of every statement.
 */
export const inTenant = async <T>(
  source: DataSource,
  tenantId: string,
  work: (manager: EntityManager) => Promise<T>,
): Promise<T> => {
  if (!(source instanceof SecuredDataSource)) return work(source.manager);
  return onConnection(source, tenantId, ({ manager }) => work(manager));
};

/**
 * Runs work on one connection, as `onRunner`: one that sees this tenant's rows if there are such, in the tenant's turn.
 *
 * @param tenantId null for work that needs the rows of all tenants
 */
export const onConnection = <T>(
  source: DataSource,
  tenantId: string | null,
  work: (runner: QueryRunner, lost: () => unknown) => Promise<T>,
): Promise<T> => {
  if (!(source instanceof SecuredDataSource) || tenantId === null) return onRunner(source, work);
  return source.turns.run(tenantId, () =>
    onRunner(source.tenants, async (runner, lost) => {
      await workFor(runner, tenantId, source.roles);
      return work(runner, lost);
    }),
  );
};

/** Like `rowsFor`, for frequent statements: each connection parses and plans a statement once, by its name. */
export const preparedRowsFor = <R>(
  source: DataSource,
  tenantId: string,
  statement: { readonly name: string; readonly text: string; readonly values: unknown[] },
): Promise<R[]> =>
  onConnection(source, tenantId, async (runner) => {
    const connection = (await runner.connect()) as { query(of: typeof statement): Promise<{ rows: R[] }> };
    return (await connection.query(statement)).rows;
  });

/** An array parameter of numbers or UUIDs, as text: the driver would escape each of them. */
export const listOf = (values: readonly (number | string)[]): string => `{${values.join(',')}}`;

/** Runs plain SQL on a connection that sees only this tenant's rows. */
export const rowsFor = <R>(
  source: DataSource,
  tenantId: string,
  text: string,
  parameters: unknown[] = [],
): Promise<R[]> => inTenant(source, tenantId, (manager) => rowsOf<R>(manager, text, parameters));

/** Runs plain SQL. The rows are as the application names them: see `viewOf`. */
export const viewsOf = async <V>(
  source: DataSource | EntityManager,
  text: string,
  parameters: unknown[] = [],
): Promise<V[]> => (await rowsOf<object>(source, text, parameters)).map(viewOf<V>);

/** Like `viewsOf`, on a connection that sees only this tenant's rows. */
export const viewsFor = <V>(
  source: DataSource,
  tenantId: string,
  text: string,
  parameters: unknown[] = [],
): Promise<V[]> => inTenant(source, tenantId, (manager) => viewsOf<V>(manager, text, parameters));

/** The only column of the rows of a statement. */
export const columnOf = async <T>(rows: Promise<readonly object[]>): Promise<T[]> =>
  (await rows).map((row) => Object.values(row)[0] as T);

/** Runs plain SQL. TypeORM returns a pair for an update; this returns the rows for every statement. */
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
