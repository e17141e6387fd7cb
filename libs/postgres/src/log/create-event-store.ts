import pg from 'pg';
import { GroupCommitAppender, type GroupCommitOptions } from './append/group-commit-appender.js';
import type { Appended, AppendRequest, Embedders } from '@turnkeeper/application';
import { RECIPE } from '@turnkeeper/search';
import { connectionSettings } from '../connections/connection-settings.js';
import { settingsThatLoseCommits } from '../connections/durability.js';
import type { DatabaseRoles } from '../connections/database.js';
import { TenantPool } from '../connections/tenant-pool.js';
import { PgStagedAppend } from './append/staged-append.js';
import { PgEventStore } from './pg-event-store.js';
import { PgLogErasure } from './erase/pg-log-erasure.js';
import { LogReader } from './read/log-reader.js';
import { PgQuestionIndex } from '../search/questions/pg-question-index.js';
import { TurnIndexer } from '../search/turns/turn-indexer.js';
import { PgTurnIndex } from '../search/turns/pg-turn-index.js';
import { EmbeddingModels, type Progress } from '../search/vectors/embedding-models.js';
import { QuestionVectors } from '../search/vectors/question-vectors.js';
import { RecordEmbedder } from '../search/vectors/record-embedder.js';
import { RecordMeaning } from '../search/vectors/record-meaning.js';
import { TurnEmbedder } from '../search/vectors/turn-embedder.js';
import { TurnMeaning } from '../search/vectors/turn-meaning.js';
import { PgPublishedLog } from './relay/pg-published-log.js';
import { PgLogProvenance } from './read/pg-log-provenance.js';
import { PgSessionActivity } from './read/pg-session-activity.js';
import { PgSessionDirectory } from './read/pg-session-directory.js';
import { UsageCounts } from '../projections/usage/usage-counts.js';

/** Runs `append` for the request, which it may delay, and returns its answer. */
export type AroundAppend = (request: AppendRequest, append: () => Promise<Appended>) => Promise<Appended>;

export interface EventStoreOptions extends Partial<GroupCommitOptions> {
  readonly databaseUrl: string;
  /** Number of read connections. Default: 8. */
  readonly readers?: number;
  /** Number of connections that read and purge for all tenants, if roles are given. Default: 3. */
  readonly systemReaders?: number;
  /**
   * Database roles of the connections when row-level security is on. `app` appends and reads one tenant's rows at a
   * time; `system` reads and purges for all tenants. Absent: the login's own privileges, without policies.
   */
  readonly roles?: DatabaseRoles | undefined;
  /** Embeds questions, records and turns. Absent: search is by words only. */
  readonly embedders?: Embedders | undefined;
  /** Default true. False: only records are embedded, and turns are searched by their words only. */
  readonly embedTurns?: boolean | undefined;
  /** Runs around each append, for traces. Default: nothing. */
  readonly aroundAppend?: AroundAppend | undefined;
  /** Called with the reason when a search falls back to words only. */
  readonly onEmbeddingFailure?: (error: unknown) => void;
  /** Maximum duration of one read or delete statement, in milliseconds. Default: 60,000. */
  readonly statementTimeoutMs?: number;
  /** Called with the error when an idle connection breaks. The pool replaces such connections automatically. */
  readonly onConnectionError?: (error: Error) => void;
}

const DEFAULTS: GroupCommitOptions = {
  lanes: 1,
  maxBatch: 500,
  maxWaiting: 50_000,
  // All requests of a batch wait for its largest, and those that come meanwhile: a larger one goes alone.
  maxBatchBytes: 262_144,
  // Of each lane. Together with the overhead of the requests, a quarter of a 512 MB heap.
  maxWaitingBytes: 32 * 1_048_576,
  retryForMs: 3_000,
};
/** A batch takes milliseconds. One that takes this long is blocked by a lock and would stall all later batches. */
const APPEND_TIMEOUT_MS = 10_000;
/** A purge deletes thousands of events in one statement. */
const STATEMENT_TIMEOUT_MS = 60_000;
/**
 * Reads of tenants wait only for a whole table that someone else has locked, such as `vacuum full`. They would fill the pool,
 * and stop the reads of other tables too.
 */
const READ_LOCK_TIMEOUT_MS = 2_000;

/**
 * The log on a Postgres database prepared by `migrateDatabase`. Opens connections lazily: `lanes` and one more
 * dedicated to appends, so that slow reads never delay them, and `readers` for everything else.
 */
export const createEventStore = (options: EventStoreOptions): PgEventStore => {
  const { databaseUrl, readers = 8, systemReaders = 3, roles, onConnectionError = () => undefined, ...rest } = options;
  const {
    embedders,
    embedTurns = true,
    onEmbeddingFailure,
    aroundAppend,
    statementTimeoutMs = STATEMENT_TIMEOUT_MS,
    ...given
  } = rest;
  const groupCommit = { ...DEFAULTS, ...given };
  const open = (
    max: number,
    role: string | undefined,
    extra: pg.PoolConfig,
    timeoutMs = statementTimeoutMs,
  ): pg.Pool => {
    const pool = new pg.Pool({
      ...connectionSettings({ url: databaseUrl, role, statementTimeoutMs: timeoutMs }),
      max,
      ...extra,
    });
    pool.on('error', onConnectionError);
    return pool;
  };
  // A batch contains requests of many tenants, so it runs with access to all of them.
  const writers = open(
    groupCommit.lanes + 1,
    roles?.system,
    { application_name: 'turnkeeper-append', idleTimeoutMillis: 0 },
    APPEND_TIMEOUT_MS,
  );
  const readerPool = open(readers, roles?.app, {
    application_name: 'turnkeeper-read',
    ...(roles === undefined ? {} : { lock_timeout: READ_LOCK_TIMEOUT_MS }),
  });
  const tenants = new TenantPool(readerPool, roles);
  const systemPool =
    roles === undefined ? readerPool : open(systemReaders, roles.system, { application_name: 'turnkeeper-system' });
  const pools = [...new Set([writers, readerPool, systemPool])];
  const activity = new PgSessionActivity(systemPool, tenants);
  const usage = new UsageCounts(tenants, activity);
  const reader = new LogReader(systemPool, tenants, usage);
  const models = new EmbeddingModels(systemPool);
  const questions = embedders && new QuestionVectors(models, embedders, onEmbeddingFailure);
  const turnMeaning = questions && embedTurns ? new TurnMeaning(tenants, questions, RECIPE.neighbours) : undefined;
  const turnIndexer = new TurnIndexer(systemPool, reader);
  const appender = new GroupCommitAppender(writers, groupCommit);
  return new PgEventStore(
    systemPool,
    tenants,
    usage,
    aroundAppend === undefined
      ? appender
      : {
          append: (request) => aroundAppend(request, () => appender.append(request)),
          close: () => appender.close(),
        },
    new PgSessionDirectory(tenants, usage),
    new PgLogErasure(systemPool),
    new PgQuestionIndex(tenants, turnIndexer),
    new PgLogProvenance(tenants),
    new PgTurnIndex(tenants, turnIndexer, undefined, undefined, turnMeaning),
    questions &&
      embedders && {
        register: async () => void (await models.register(embedders.current)),
        behind: async () => {
          const [{ records, turns }, head] = await Promise.all([
            models.register(embedders.current),
            reader.headPosition(),
          ]);
          const after = ({ position }: Progress): number => Math.max(0, head - position);
          return { records: after(records), turns: embedTurns ? after(turns) : null };
        },
        records: new RecordEmbedder(systemPool, reader, models, embedders.current),
        turns: embedTurns ? new TurnEmbedder(systemPool, reader, models, embedders.current) : undefined,
        recordMeaning: new RecordMeaning(systemPool, questions),
      },
    new PgPublishedLog(systemPool),
    activity,
    new PgStagedAppend(groupCommit.onHead),
    () => settingsThatLoseCommits(systemPool),
    pools,
  );
};
