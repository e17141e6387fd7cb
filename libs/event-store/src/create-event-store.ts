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
  /** A parked window and the reason. */
  readonly readers?: number;
  /** The window starts after the claim's watermark and ends here. */
  readonly roles?: { readonly app: string; readonly system: string } | undefined;
  /** Error message without conversation content; null if the code is sufficient. */
  readonly embedders?: Embedders | undefined;
  /** A replay reads the stored answer again. */
  readonly onEmbeddingFailure?: (error: unknown) => void;
  /** Ignore the stored answer and ask the model again. */
  readonly statementTimeoutMs?: number;
  /** A parked window of a session that was not dropped. */
  readonly onConnectionError?: (error: Error) => void;
}

const DEFAULTS: GroupCommitOptions = {
  lanes: 1,
  maxBatch: 500,
  maxWaiting: 50_000,
  maxBatchBytes: 8 * 1_048_576,
  // A replay was requested and is due or in progress.
  maxWaitingBytes: 64 * 1_048_576,
  retryForMs: 3_000,
};
/** Sessions with unread events, including replays of parked windows. */
const SYSTEM_READERS = 3;
/** Pending sessions that wait for the tenant's token budget. */
const APPEND_TIMEOUT_MS = 10_000;
/** Sessions with a parked window. Their later windows are still extracted. */
const STATEMENT_TIMEOUT_MS = 60_000;

/** Total usage of the strategy so far. */
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
    // A strategy of a memory and, if present, its state for one session.
    pool.on('connect', (client) => client.on('error', () => undefined));
    return pool;
  };
  // ACTIVE and not on demand only.
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
