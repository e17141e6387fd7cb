import {
  type AppendRequest,
  type Appended,
  type EventOutline,
  type EventStore,
  type LogPage,
  type LogPageRead,
  type LogReference,
  type ReferenceReader,
  type SessionPage,
  type SessionRead,
  type SessionScope,
} from '@turnkeeper/application';
import type { EventType, LogEvent } from '@turnkeeper/domain';
import type pg from 'pg';
import type { GroupCommitAppender } from './append/group-commit-appender.js';
import type { PgStagedAppend } from './append/staged-append.js';
import type { PgLogErasure } from './erase/pg-log-erasure.js';
import type { PgQuestionIndex } from '../search/questions/pg-question-index.js';
import type { LogReader } from './read/log-reader.js';
import type { PgLogProvenance } from './read/pg-log-provenance.js';
import type { PgTurnIndex } from '../search/turns/pg-turn-index.js';
import type { VectorIndexer } from '../search/vectors/vector-indexer.js';
import type { PgSessionActivity } from './read/pg-session-activity.js';
import type { PgSessionDirectory } from './read/pg-session-directory.js';
import type { UsageCounts } from '../projections/usage/usage-counts.js';
import type { PgPublishedLog } from './relay/pg-published-log.js';

/** The log on Postgres. */
export class PgEventStore implements EventStore, ReferenceReader {
  private closing: Promise<void> | null = null;

  constructor(
    private readonly appender: Pick<GroupCommitAppender, 'append' | 'close'>,
    private readonly reader: LogReader,
    readonly directory: PgSessionDirectory,
    readonly usage: UsageCounts,
    readonly erasure: PgLogErasure,
    readonly questions: PgQuestionIndex,
    readonly provenance: PgLogProvenance,
    readonly turns: PgTurnIndex,
    /** Embeds turns in the background. Undefined if no model is configured. */
    readonly vectors: VectorIndexer | undefined,
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
  ) {}

  append(request: AppendRequest): Promise<Appended> {
    return this.appender.append(request);
  }

  readLog(after: number, limit: number, types?: readonly EventType[], through?: number): Promise<LogEvent[]> {
    return this.reader.readLog(after, limit, types, through);
  }

  readLogPage(after: number, read: LogPageRead): Promise<LogPage> {
    return this.reader.readLogPage(after, read);
  }

  readOutline(after: number, limit: number): Promise<EventOutline[]> {
    return this.reader.readOutline(after, limit);
  }

  readReferences(after: number, limit: number): Promise<LogReference[]> {
    return this.reader.readReferences(after, limit);
  }

  positionSince(ageMs: number): Promise<number> {
    return this.reader.positionSince(ageMs);
  }

  headPosition(): Promise<number> {
    return this.reader.headPosition();
  }

  readSession(scope: SessionScope, read: SessionRead): Promise<LogEvent[]> {
    return this.reader.readSession(scope, read);
  }

  readSessionPage(scope: SessionScope, read: SessionRead & { readonly maxBytes: number }): Promise<SessionPage> {
    return this.reader.readSessionPage(scope, read);
  }

  countSession(scope: SessionScope, read: Pick<SessionRead, 'types' | 'from' | 'to'>): Promise<number> {
    return this.reader.countSession(scope, read);
  }

  sessionSequence(scope: SessionScope): Promise<number> {
    return this.reader.sessionSequence(scope);
  }

  /** Drains queued appends, rejects new ones with `LogUnavailable`, and closes the connections. */
  close(): Promise<void> {
    this.closing ??= this.appender
      .close()
      .then(async () => void (await Promise.all(this.pools.map((pool) => pool.end()))));
    return this.closing;
  }
}
