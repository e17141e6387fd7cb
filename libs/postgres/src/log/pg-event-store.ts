import type { AppendRequest, Appended, EventStore, ReferenceReader } from '@turnkeeper/application';
import type pg from 'pg';
import type { TenantPool } from '../connections/tenant-pool.js';
import type { UsageCounts } from '../projections/usage/usage-counts.js';
import type { PgQuestionIndex } from '../search/questions/pg-question-index.js';
import type { PgTurnIndex } from '../search/turns/pg-turn-index.js';
import type { RecordEmbedder } from '../search/vectors/record-embedder.js';
import type { RecordMeaning } from '../search/vectors/record-meaning.js';
import type { TurnEmbedder } from '../search/vectors/turn-embedder.js';
import type { GroupCommitAppender } from './append/group-commit-appender.js';
import type { PgStagedAppend } from './append/staged-append.js';
import type { PgLogErasure } from './erase/pg-log-erasure.js';
import { LogReader } from './read/log-reader.js';
import type { PgLogProvenance } from './read/pg-log-provenance.js';
import type { PgSessionActivity } from './read/pg-session-activity.js';
import type { PgSessionDirectory } from './read/pg-session-directory.js';
import type { PgPublishedLog } from './relay/pg-published-log.js';

/** What a configured model does. */
export interface Vectors {
  /** Registers the model. Rejects with `WrongDimensions` if its stored vectors have other dimensions. */
  readonly register: () => Promise<void>;
  /** Events of the log that are not embedded yet; null for turns that are not embedded at all. */
  readonly behind: () => Promise<{ readonly records: number; readonly turns: number | null }>;
  readonly records: RecordEmbedder;
  /** Undefined if turns are not embedded. */
  readonly turns: TurnEmbedder | undefined;
  readonly recordMeaning: RecordMeaning;
}

/** The log on Postgres. */
export class PgEventStore extends LogReader implements EventStore, ReferenceReader {
  private closing: Promise<void> | null = null;

  constructor(
    pool: pg.Pool,
    tenants: TenantPool,
    readonly usage: UsageCounts,
    private readonly appender: Pick<GroupCommitAppender, 'append' | 'close'>,
    readonly directory: PgSessionDirectory,
    readonly erasure: PgLogErasure,
    readonly questions: PgQuestionIndex,
    readonly provenance: PgLogProvenance,
    readonly turns: PgTurnIndex,
    /** Undefined if no model is configured. */
    readonly vectors: Vectors | undefined,
    /** Events that the relay published to JetStream. */
    readonly published: PgPublishedLog,
    /** Sessions by their last activity. */
    readonly recentSessions: PgSessionActivity,
    /** The log's part of a transaction that ends with an append. */
    readonly staging: PgStagedAppend,
    /** Names of Postgres settings that may lose an acknowledged append. Empty if commits are durable. */
    readonly settingsThatLoseCommits: () => Promise<readonly string[]>,
    /** Every connection pool of this store; `close` ends them. */
    readonly pools: readonly pg.Pool[],
  ) {
    super(pool, tenants, usage);
  }

  append(request: AppendRequest): Promise<Appended> {
    return this.appender.append(request);
  }

  /** Drains queued appends, rejects new ones with `LogUnavailable`, and closes the connections. */
  close(): Promise<void> {
    this.closing ??= this.appender
      .close()
      .then(async () => void (await Promise.all(this.pools.map((pool) => pool.end()))));
    return this.closing;
  }
}
