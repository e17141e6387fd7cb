import pg from 'pg';
import { GroupCommitAppender, type GroupCommitOptions } from './append/group-commit-appender.js';
import type { Embedders } from '@turnkeeper/application';
import { RECIPE } from '@turnkeeper/search';
import { connectionSettings } from './connections/connection-settings.js';
import { settingsThatLoseCommits } from './connections/durability.js';
import { TenantPool } from './connections/tenant-pool.js';
import { PgStagedAppend } from './append/staged-append.js';
import { PgEventStore } from './pg-event-store.js';
import { PgLogErasure } from './erase/pg-log-erasure.js';
import { LogReader } from './read/log-reader.js';
import { PgQuestionIndex } from './questions/pg-question-index.js';
import { TurnIndexer } from './turns/turn-indexer.js';
import { PgTurnIndex } from './turns/pg-turn-index.js';
import { EmbeddingModels } from './vectors/embedding-models.js';
import { TurnMeaning } from './vectors/turn-meaning.js';
import { VectorIndexer } from './vectors/vector-indexer.js';
import { PgPublishedLog } from './relay/pg-published-log.js';
import { PgLogProvenance } from './read/pg-log-provenance.js';
import { PgSessionDirectory } from './read/pg-session-directory.js';

export interface EventStoreOptions extends Partial<GroupCommitOptions> {
  readonly databaseUrl: string;
  /** Connections for reads. Default 8. */
  readonly readers?: number;
  /**
   * Roles that the connections work as, where row-level security is on: `app` appends, and reads one tenant's rows at a
   * time; `system` reads and purges for all. Absent: the login's own rights, which nothing holds back.
   */
  readonly roles?: { readonly app: string; readonly system: string } | undefined;
  /** Makes vectors of questions and turns. Absent: turns are searched by their words alone. */
  readonly embedders?: Embedders | undefined;
  /** Told why a search did without vectors. */
  readonly onEmbeddingFailure?: (error: unknown) => void;
  /** Longest that a statement of reads and of deletions may take, in milliseconds. Default 60,000. */
  readonly statementTimeoutMs?: number;
  /** Told of connections that break while idle; they are replaced by themselves. */
  readonly onConnectionError?: (error: Error) => void;
}

const DEFAULTS: GroupCommitOptions = {
  lanes: 1,
  maxBatch: 500,
  maxWaiting: 50_000,
  maxBatchBytes: 8 * 1_048_576,
  // With what their requests hold besides, a quarter of a heap of 512 MB.
  maxWaitingBytes: 64 * 1_048_576,
  retryForMs: 3_000,
};
/** The relay's and the purge's: one statement at a time each. */
const SYSTEM_READERS = 3;
/** A batch takes milliseconds. One that takes this long hangs behind a lock, and would hold up everything after it. */
const APPEND_TIMEOUT_MS = 10_000;
/** A purge deletes thousands of events in one statement. */
const STATEMENT_TIMEOUT_MS = 60_000;

/**
 * The log on a Postgres database that `migrateLog` has prepared. Opens connections when they are first needed:
 * `lanes` of its own for appends, so that slow reads never hold them up, and `readers` for the rest.
 */
export const createEventStore = (options: EventStoreOptions): PgEventStore => {
  const { databaseUrl, readers = 8, roles, onConnectionError = () => undefined, ...rest } = options;
  const { embedders, onEmbeddingFailure, statementTimeoutMs = STATEMENT_TIMEOUT_MS, ...given } = rest;
  const groupCommit = { ...DEFAULTS, ...given };
  const open = (
    max: number,
    role: string | undefined,
    extra: pg.PoolConfig,
    timeoutMs = statementTimeoutMs,
  ): pg.Pool => {
    const pool = new pg.Pool({
      ...connectionSettings(databaseUrl, role, timeoutMs),
      max,
      ...extra,
    });
    pool.on('error', onConnectionError);
    // A connection that breaks while it is lent out fails its query, and says so once more as an event: without a
    // listener of its own that would end the process.
    pool.on('connect', (client) => client.on('error', () => undefined));
    return pool;
  };
  // A batch has requests of many tenants, so it works for all of them.
  const writers = open(
    groupCommit.lanes,
    roles?.system,
    { application_name: 'turnkeeper-append', idleTimeoutMillis: 0 },
    APPEND_TIMEOUT_MS,
  );
  const readerPool = open(readers, roles?.app, { application_name: 'turnkeeper-read' });
  const tenants = new TenantPool(readerPool, roles !== undefined);
  const systemPool =
    roles === undefined ? readerPool : open(SYSTEM_READERS, roles.system, { application_name: 'turnkeeper-system' });
  const pools = new Set([writers, readerPool, systemPool]);
  const reader = new LogReader(systemPool, tenants);
  const models = new EmbeddingModels(systemPool);
  const meaning = embedders && new TurnMeaning(tenants, models, embedders, RECIPE.neighbours, onEmbeddingFailure);
  return new PgEventStore(
    new GroupCommitAppender(writers, groupCommit),
    reader,
    new PgSessionDirectory(tenants),
    new PgLogErasure(systemPool),
    new PgQuestionIndex(systemPool, tenants),
    new PgLogProvenance(tenants),
    new PgTurnIndex(tenants, new TurnIndexer(systemPool, reader), undefined, undefined, meaning),
    embedders && new VectorIndexer(systemPool, reader, models, embedders.current),
    new PgPublishedLog(systemPool),
    new PgStagedAppend(groupCommit.onHead),
    () => settingsThatLoseCommits(systemPool),
    () => {
      const use = { used: 0, idle: 0, waiting: 0 };
      for (const { totalCount, idleCount, waitingCount } of pools) {
        use.used += totalCount - idleCount;
        use.idle += idleCount;
        use.waiting += waitingCount;
      }
      return use;
    },
    async () => void (await Promise.all([...pools].map((pool) => pool.end()))),
  );
};
