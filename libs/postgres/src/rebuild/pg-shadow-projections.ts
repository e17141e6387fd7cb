import {
  RebuildIsRunning,
  Restart,
  type Replacement,
  type ShadowProjections,
  type TableDrift,
  type Transaction,
} from '@turnkeeper/application';
import type { LogEvent } from '@turnkeeper/domain';
import type { DataSource, QueryRunner } from 'typeorm';
import { rowsOf } from '../connections/database.js';
import { raw, sqlOf } from '../connections/sql.js';
import { managerOf, TypeOrmUnitOfWork } from '../connections/unit-of-work.js';
import type { WriteBuffer } from './buffered-stores.js';
import { comparedTables, driftOf, hashProjections } from './compare.js';
import { PROJECTION_TABLES } from './projection-tables.js';
import { replaceRows, watchIdleAgents } from './replace-rows.js';
import { sqlStateOf } from '../connections/lasting-failure.js';

type SessionName = Pick<LogEvent, 'sessionKey' | 'memoryId' | 'actorId' | 'sessionId'>;

/**
 * Schema of the shadow tables. It precedes the live schema in the search path, so the stores' own statements resolve to
 * it.
 */
const SHADOW = 'turnkeeper_rebuild';
/** 'TKRB': allows one rebuild at a time. */
const LOCK = 1_414_222_402;
/** Maximum time writers may queue behind us while we wait for the lock. */
const LOCK_TIMEOUT = '3s';
const LOCK_NOT_AVAILABLE = '55P03';

/**
 * Tables of the same shape in a separate schema, with a primary key but no other indexes or foreign keys: while a log
 * with erased events is replayed, rows may be temporarily inconsistent.
 */
export class PgShadowProjections implements ShadowProjections {
  private readonly unitOfWork: TypeOrmUnitOfWork;
  private holder: QueryRunner | null = null;
  /** The schema that readers use. */
  private live = '';

  /** Unwritten rows of `session_names`. */
  private sessions = new Map<number, SessionName>();

  /** Head of the log when the rebuild began. */
  private head = 0;

  /** Sessions that were erased during the rebuild, and their memories. */
  private readonly erasedMeanwhile = { memories: new Set<string>(), sessions: new Set<number>() };

  /** @param buffers stores that buffer the changes of a log page */
  constructor(
    private readonly dataSource: DataSource,
    private readonly buffers: readonly WriteBuffer[] = [],
  ) {
    this.unitOfWork = new TypeOrmUnitOfWork(dataSource);
  }

  async open(): Promise<void> {
    const holder = this.dataSource.createQueryRunner();
    await holder.connect();
    const [lock] = await sqlOf<{ taken: boolean; live: string; head: string }>(holder.manager)`
      select pg_try_advisory_lock(${LOCK}) as taken, quote_ident(current_schema()) as live, head_position() as head`;
    if (lock?.taken !== true) {
      await holder.release();
      throw new RebuildIsRunning();
    }
    this.holder = holder;
    this.live = lock.live;
    this.head = Number(lock.head);
    this.erasedMeanwhile.memories.clear();
    this.erasedMeanwhile.sessions.clear();
    await rowsOf(holder.manager, `drop schema if exists ${SHADOW} cascade`);
    await rowsOf(holder.manager, `create schema ${SHADOW}`);
    for (const { name, key, uniqueBy = key } of PROJECTION_TABLES) {
      await rowsOf(holder.manager, `create table ${SHADOW}.${name} (like ${this.live}.${name} including defaults)`);
      await rowsOf(holder.manager, `create unique index on ${SHADOW}.${name} (${uniqueBy.join(', ')})`);
    }
    await rowsOf(holder.manager, `create index on ${SHADOW}.record_sources (event_id)`);
    await sqlOf(holder.manager)`
      create table ${raw(SHADOW)}.session_names (session_key bigint primary key, memory_id uuid not null,
         actor_id text not null, session_id text not null)`;
  }

  run<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.unitOfWork.run(async (tx) => {
      await tx.query(`set local search_path to ${SHADOW}, ${this.live}`);
      // An interrupted rebuild starts over, so commits need not wait for the disk.
      await tx.query('set local synchronous_commit = off');
      return this.buffered(tx, work);
    });
  }

  /** Work may be retried after a deadlock. Discards what the earlier attempt buffered or cached. */
  private async buffered<T>(tx: Transaction, work: (tx: Transaction) => Promise<T>): Promise<T> {
    try {
      const result = await work(tx);
      await this.flush(tx);
      return result;
    } catch (error) {
      this.discard();
      throw error;
    }
  }

  private async flush(tx: Transaction): Promise<void> {
    const rows = [...this.sessions.values()];
    this.sessions.clear();
    if (rows.length > 0) {
      await tx.query(
        `insert into ${SHADOW}.session_names
         select * from unnest($1::bigint[], $2::uuid[], $3::text[], $4::text[]) on conflict do nothing`,
        [
          rows.map(({ sessionKey }) => sessionKey),
          rows.map(({ memoryId }) => memoryId),
          rows.map(({ actorId }) => actorId),
          rows.map(({ sessionId }) => sessionId),
        ],
      );
    }
    for (const buffer of this.buffers) await buffer.flush(tx);
  }

  private discard(): void {
    this.sessions.clear();
    for (const buffer of this.buffers) buffer.discard();
  }

  replace(
    catchUp: (tx: Transaction) => Promise<void>,
    { onlyCompare }: { readonly onlyCompare: boolean },
  ): Promise<Replacement> {
    const schemas = { live: this.live, shadow: SHADOW };
    return this.unitOfWork.run(async (tx) => {
      await this.holdWriters(tx);
      await tx.query(`set local search_path to ${SHADOW}, ${this.live}`);
      await this.buffered(tx, catchUp);
      await this.forgetErasedRecords(tx);
      // Sources of records that were never created because their event was erased.
      await tx.query(`delete from ${SHADOW}.record_sources s
        where not exists (
          select from ${SHADOW}.records r where r.record_id = s.record_id and r.tenant_id = s.tenant_id)`);
      await tx.query(`set local search_path to ${this.live}`);
      const tables = await comparedTables(tx, this.live);
      const before = await hashProjections(tx, this.live, tables);
      const rebuilt = await hashProjections(tx, SHADOW, tables);
      const differing = tables.filter(({ name }) => hashOf(before, name) !== hashOf(rebuilt, name));
      const drift: TableDrift[] = [];
      for (const table of differing) drift.push(await driftOf(tx, table, schemas));
      if (onlyCompare || differing.length === 0) return { before, rebuilt, drift };
      // Compares all tables: deleting a row cascades to the rows that reference it.
      for (const table of await comparedTables(tx, this.live)) await replaceRows(tx, table, schemas);
      await watchIdleAgents(tx, this.live);
      // Deleting a record deletes its vector, also if it is replaced; those that are left are not embedded again.
      await tx.query(`update ${this.live}.embedding_models set records_position = 0`);
      const after = await hashProjections(tx, this.live, tables);
      const unequal = after.filter(({ table, hash }) => hash !== hashOf(rebuilt, table)).map(({ table }) => table);
      if (unequal.length > 0)
        throw new Error(`These tables differ from what was written to them: ${unequal.join(', ')}.`);
      return { before, rebuilt, drift };
    });
  }

  /**
   * Deletes records that were read before an erasure and whose withdrawal was not read: it was in the log before the
   * erasure of its actor, which deletes it. What the erasure kept is in later events, which were read.
   */
  private async forgetErasedRecords(tx: Transaction): Promise<void> {
    const [memories, sessions] = [[...this.erasedMeanwhile.memories], [...this.erasedMeanwhile.sessions]];
    if (memories.length === 0) return;
    await tx.query(
      `with gone as (
         delete from ${SHADOW}.record_sources where session_key = any($1::bigint[]) returning record_id, tenant_id
       )
       delete from ${SHADOW}.records r using (select distinct record_id, tenant_id from gone) g
        where r.record_id = g.record_id and r.tenant_id = g.tenant_id
          and not exists (select from ${SHADOW}.record_sources s
                           where s.record_id = r.record_id and s.tenant_id = r.tenant_id
                             and (s.session_key is null or s.session_key <> all($1::bigint[])))`,
      [sessions],
    );
    await tx.query(
      `delete from ${SHADOW}.records r
        where r.memory_id = any($1::uuid[])
          and not exists (
            select from ${this.live}.events e
             where e.tenant_id = r.tenant_id and e.event_id = r.event_id
               and (e.session_key is null
                    or exists (select from ${this.live}.sessions s where s.session_key = e.session_key)))`,
      [memories],
    );
  }

  /**
   * Blocks changes to projections and waits for those in progress. A writer that has appended an event but not yet
   * projected it continues after us, on top of our result. Plain reads are not blocked.
   */
  private async holdWriters(tx: Transaction): Promise<void> {
    await tx.query(`set local lock_timeout = '${LOCK_TIMEOUT}'`);
    try {
      const tables = PROJECTION_TABLES.map(({ name }) => `${this.live}.${name}`).join(', ');
      await tx.query(`lock table ${tables} in exclusive mode`);
    } catch (error) {
      throw sqlStateOf(error) === LOCK_NOT_AVAILABLE ? new Restart() : error;
    }
  }

  async close(): Promise<void> {
    const { holder } = this;
    if (holder === null) return;
    this.holder = null;
    try {
      await rowsOf(holder.manager, `drop schema if exists ${SHADOW} cascade`);
      await rowsOf(holder.manager, 'select pg_advisory_unlock($1)', [LOCK]);
    } finally {
      await holder.release();
    }
  }

  async noteSession(_tx: Transaction, { sessionKey, memoryId, actorId, sessionId }: SessionName): Promise<void> {
    if (sessionKey !== null) this.sessions.set(sessionKey, { sessionKey, memoryId, actorId, sessionId });
  }

  async forgetSessions(tx: Transaction, { position, memoryId, data }: LogEvent<'content.erased'>): Promise<void> {
    const { sessionKeys } = data;
    if (sessionKeys.length === 0) return;
    if (position > this.head) {
      this.erasedMeanwhile.memories.add(memoryId);
      for (const sessionKey of sessionKeys) this.erasedMeanwhile.sessions.add(sessionKey);
    }
    await this.flush(tx);
    this.discard();
    for (const table of ['agents', 'rolling_sessions']) {
      await rowsOf(
        managerOf(tx),
        `delete from ${SHADOW}.${table} t using ${SHADOW}.session_names n
          where n.session_key = any($1)
            and (t.memory_id, t.actor_id, t.session_id) = (n.memory_id, n.actor_id, n.session_id)`,
        [[...sessionKeys]],
      );
    }
  }

  async forgetMemory(tx: Transaction, memoryId: string): Promise<void> {
    await this.flush(tx);
    this.discard();
    const manager = managerOf(tx);
    await sqlOf(manager)`
      delete from ${raw(SHADOW)}.record_sources where (record_id, tenant_id) in (
         select record_id, tenant_id from ${raw(SHADOW)}.records where memory_id = ${memoryId})`;
    for (const table of ['rolling_sessions', 'records', 'agents', 'strategies', 'memories']) {
      await rowsOf(manager, `delete from ${SHADOW}.${table} where memory_id = $1`, [memoryId]);
    }
  }
}

const hashOf = (digests: Replacement['before'], table: string): string | undefined =>
  digests.find((digest) => digest.table === table)?.hash;
