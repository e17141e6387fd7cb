import type {
  ErasedSources,
  ErasureScope,
  HeldRecord,
  NamespaceScope,
  RecordOrigin,
  RecordWriter,
  Transaction,
  WantedRecords,
} from '@turnkeeper/application';
import {
  detailsOf,
  factKey,
  RecordExists,
  supersederOf,
  type KnownRecord,
  type RecordDetails,
  type RecordSnapshot,
} from '@turnkeeper/domain';
import { eraseFirstAnswers } from '../../access/idempotent-requests.js';
import { columnOf, listOf, rowsOf } from '../../connections/database.js';
import { inBatches } from '../../connections/pacer.js';
import { managerOf } from '../../connections/unit-of-work.js';
import { applyExtractions, type Extraction } from './apply-extractions.js';
import {
  accountsOf,
  BATCH,
  memoriesOf,
  ownersOf,
  quotingOf,
  recordsSupersededBy,
  unsupportedOf,
  type ErasedQuote,
} from './erased-records.js';
import { SNAPSHOT_COLUMNS, snapshotOf, writeSnapshots, type SnapshotRow } from './record-snapshot.js';
import { eventTimeOf, type EventTimeRow } from './record-row.js';
import { refusing } from '../../connections/lasting-failure.js';
import { raw, sqlOf, sqlViewsOf } from '../../connections/sql.js';

export class PgRecordWriter implements RecordWriter {
  async lockNamespace(tx: Transaction, memoryId: string, namespace: string): Promise<void> {
    await rowsOf(managerOf(tx), `select pg_advisory_xact_lock(hashtextextended($1, 0))`, [`${memoryId}${namespace}`]);
  }

  async known(tx: Transaction, memoryId: string, namespace: string, wanted: WantedRecords): Promise<KnownRecord[]> {
    const rows = await sqlOf<StatementRow & EventTimeRow & { details: RecordDetails }>(managerOf(tx))`
      select r.record_id, r.text, r.stated_at, r.slot_key, r.slot_value,
             r.event_from::text, r.event_to::text, r.details
        from (
          -- Each key by itself through its index: with an "or", the whole namespace would be read.
          select f.record_id from unnest(${[...wanted.factKeys]}::text[]) as wanted (key) cross join lateral (
            select record_id from records
             where memory_id = ${memoryId} and md5(namespace) = md5(${namespace}) and md5(fact_key) = md5(wanted.key)
               and superseded_by is null
            offset 0) f
          union
          select s.record_id from unnest(${[...wanted.slotKeys]}::text[]) as wanted (key) cross join lateral (
            select record_id from records
             where memory_id = ${memoryId} and md5(namespace) = md5(${namespace}) and md5(slot_key) = md5(wanted.key)
               and slot_key is not null and superseded_by is null
            offset 0) s
          union
          select unnest(${[...(wanted.recordIds ?? [])]}::uuid[])
        ) found cross join lateral (
          select * from records r
           where r.record_id = found.record_id and r.memory_id = ${memoryId} and r.namespace = ${namespace}
             and r.superseded_by is null
          offset 0) r
       order by r.stated_at, r.record_id`;
    return rows.map(({ details: { category, subject, attribute }, ...row }) => ({
      ...statementOf(row),
      ...detailsOf({ category, subject, attribute }),
      eventTime: eventTimeOf(row),
    }));
  }

  async apply(tx: Transaction, event: Extraction): Promise<void> {
    await applyExtractions(managerOf(tx), [event]);
  }

  async namespaceOf(tx: Transaction, tenantId: string, memoryId: string, recordId: string): Promise<string | null> {
    const [row] = await sqlOf<{ namespace: string }>(managerOf(tx))`
      select namespace from records where tenant_id = ${tenantId} and memory_id = ${memoryId}
        and record_id = ${recordId}`;
    return row?.namespace ?? null;
  }

  async hold(tx: Transaction, tenantId: string, memoryId: string, recordId: string): Promise<HeldRecord | null> {
    const manager = managerOf(tx);
    const [row] = await sqlOf<SnapshotRow & { event_id: string; session_key: number | null }>(manager)`
      select ${raw(SNAPSHOT_COLUMNS)}, r.event_id, r.session_key::float8 from records r
       where r.tenant_id = ${tenantId} and r.memory_id = ${memoryId} and r.record_id = ${recordId} for update`;
    if (row === undefined) return null;
    const { event_id: madeBy, session_key: key, ...snapshot } = row;
    const [session] = await sqlOf<{ session_id: string }>(manager)`
      select session_id from sessions where session_key = ${key} and tenant_id = ${tenantId}`;
    const sourcePlaces = await sqlViewsOf<HeldRecord['sourcePlaces'][number]>(manager)`
      select session_key::float8, sequence::float8 from record_sources
        where record_id = ${recordId} and tenant_id = ${tenantId} and session_key is not null`;
    const sessionId = session?.session_id ?? null;
    return { ...snapshotOf(snapshot), madeBy, sessionKey: key, sessionId, sourcePlaces };
  }

  async current(
    tx: Transaction,
    { tenantId, memoryId, namespace }: NamespaceScope,
    factKeys: readonly string[],
  ): Promise<ReadonlyMap<string, string>> {
    const rows = await sqlOf<{ record_id: string; fact_key: string }>(managerOf(tx))`
      select r.record_id, r.fact_key from unnest(${[...factKeys]}::text[]) as wanted (key) cross join lateral (
        select record_id, fact_key from records
         where tenant_id = ${tenantId} and memory_id = ${memoryId} and md5(namespace) = md5(${namespace})
           and namespace = ${namespace}
           and md5(fact_key) = md5(wanted.key) and superseded_by is null
        offset 0) r`;
    return new Map(rows.map((row) => [row.fact_key, row.record_id]));
  }

  async save(tx: Transaction, origin: RecordOrigin, records: readonly RecordSnapshot[]): Promise<void> {
    await writeSnapshots(managerOf(tx), origin, records);
  }

  async correct(tx: Transaction, tenantId: string, recordId: string, text: string, recordedAt: string): Promise<void> {
    const manager = managerOf(tx);
    await refusing(
      'records_by_fact',
      RecordExists,
      () =>
        sqlOf(manager)`
        update records set text = ${text}, fact_key = ${factKey(text)}, slot_key = null, slot_value = null,
          keywords = '', updated_at = ${recordedAt},
                details = details - '{attribute,data,doubts}'::text[]
          where record_id = ${recordId} and tenant_id = ${tenantId}`,
    );
    // It means something else now.
    await rowsOf(manager, `delete from record_vectors where record_id = $1 and tenant_id = $2`, [recordId, tenantId]);
  }

  async makeCurrent(tx: Transaction, tenantId: string, recordId: string, recordedAt: string): Promise<void> {
    await refusing(
      'records_by_fact',
      RecordExists,
      () =>
        sqlOf(managerOf(tx))`
        update records set superseded_by = null, valid_to = null, updated_at = ${recordedAt}
          where record_id = ${recordId} and tenant_id = ${tenantId}`,
    );
  }

  async remove(tx: Transaction, tenantId: string, recordIds: readonly string[]): Promise<void> {
    const manager = managerOf(tx);
    await inBatches(recordIds, BATCH, async (batch) => {
      const values = [listOf(batch), tenantId];
      await rowsOf(manager, `delete from record_sources where record_id = any($1) and tenant_id = $2`, values);
      await rowsOf(manager, `delete from records where record_id = any($1) and tenant_id = $2`, values);
    });
  }

  async withdraw(tx: Transaction, tenantId: string, recordIds: readonly string[]): Promise<ErasedSources> {
    const manager = managerOf(tx);
    for (const memoryId of await memoriesOf(manager, tenantId, recordIds))
      await eraseFirstAnswers(manager, tenantId, memoryId);
    const survivors = await recordsSupersededBy(manager, tenantId, recordIds);
    const accounts = await accountsOf(manager, tenantId, [...recordIds, ...survivors]);
    const owners = await ownersOf(manager, tenantId, recordIds);
    await this.remove(tx, tenantId, recordIds);
    return {
      withdrawn: [...recordIds],
      survivors: await this.reinstate(tx, tenantId, survivors),
      accounts,
      ...owners,
    };
  }

  /**
   * Reinstates records whose superseder is gone, unless a current record states the same fact or contradicts them.
   *
   * @param recordIds last stated first, so that those stated before find them
   */
  private async reinstate(tx: Transaction, tenantId: string, recordIds: readonly string[]): Promise<RecordSnapshot[]> {
    const rows = await sqlOf<StatementRow & { memory_id: string; namespace: string }>(managerOf(tx))`
      select r.record_id, r.text, r.stated_at, r.slot_key, r.slot_value, r.memory_id, r.namespace
         from unnest(${listOf(recordIds)}::uuid[]) with ordinality as t (record_id, n) join records r using (record_id)
        where r.tenant_id = ${tenantId} order by t.n`;
    for (const row of rows) {
      const record = statementOf(row);
      const [fact, slotKeys] = [factKey(record.text), record.slot === null ? [] : [record.slot.key]];
      const current = await this.known(tx, row.memory_id, row.namespace, { factKeys: [fact], slotKeys });
      const successor = current.find(({ text }) => factKey(text) === fact) ?? supersederOf(record, current);
      await sqlOf(managerOf(tx))`
        update records set superseded_by = ${successor?.recordId ?? null}, valid_to = ${successor?.statedAt ?? null}
          where record_id = ${record.recordId} and tenant_id = ${tenantId}`;
    }
    return this.snapshots(tx, tenantId, recordIds);
  }

  async namespacesOf(tx: Transaction, scope: ErasureScope, sessionKeys: readonly number[]): Promise<string[]> {
    return columnOf<string>(
      rowsOf(
        managerOf(tx),
        `select distinct r.namespace collate "C" as namespace from records r where ${CONCERNED}
          order by r.namespace collate "C"`,
        concernedBy(scope, sessionKeys),
      ),
    );
  }

  async eraseSessions(tx: Transaction, scope: ErasureScope, sessionKeys: readonly number[]): Promise<ErasedSources> {
    const manager = managerOf(tx);
    const ids = await columnOf<string>(
      rowsOf(
        manager,
        `select r.record_id from records r where ${CONCERNED} for update`,
        concernedBy(scope, sessionKeys),
      ),
    );
    const gone = await sqlOf<ErasedQuote>(manager)`
      delete from record_sources where session_key = any(${[...sessionKeys]}) and tenant_id = ${scope.tenantId}
        returning record_id, quote`;
    const erased = withoutOwner(
      await this.withdrawUnsupported(tx, scope.tenantId, ids, gone),
      scope.sessionId === null ? scope.actorId : null,
    );
    const staying = without(ids, erased.withdrawn);
    // Remaining records lose their link to what was erased; of an erased actor not even the name is kept.
    await sqlOf(manager)`
      update records set session_key = null, actor_id = nullif(actor_id,
        ${scope.sessionId === null ? scope.actorId : null})
        where record_id = any(${staying}) and tenant_id = ${scope.tenantId}`;
    return this.withStaying(tx, scope.tenantId, staying, erased);
  }

  async namespacesOfEvent(tx: Transaction, tenantId: string, eventId: string): Promise<string[]> {
    return columnOf<string>(
      sqlOf(managerOf(tx))`
        select distinct r.namespace collate "C" as namespace from records r join record_sources s using (record_id, tenant_id)
        where s.event_id = ${eventId} and tenant_id = ${tenantId} order by r.namespace collate "C"`,
    );
  }

  async eraseEvent(tx: Transaction, tenantId: string, eventId: string): Promise<ErasedSources> {
    const gone = await sqlOf<ErasedQuote>(managerOf(tx))`
      delete from record_sources where event_id = ${eventId} and tenant_id = ${tenantId} returning record_id, quote`;
    return this.withoutSources(tx, tenantId, gone);
  }

  async removeUnheard(
    tx: Transaction,
    { tenantId, sessionKey }: { readonly tenantId: string; readonly sessionKey: number },
    heard: ReadonlyMap<string, string>,
  ): Promise<ErasedSources> {
    const sources = await sqlOf<{ record_id: string; event_id: string; quote: string }>(managerOf(tx))`
      select record_id, event_id, quote from record_sources
        where event_id = any(${[...heard.keys()]}) and tenant_id = ${tenantId}
          and session_key = ${sessionKey} for update`;
    const unheard = sources.filter(({ event_id: eventId, quote }) => heard.get(eventId)?.includes(quote) === false);
    await sqlOf(managerOf(tx))`
      delete from record_sources s using unnest(${unheard.map((source) => source.record_id)}::uuid[],
        ${unheard.map((source) => source.event_id)}::uuid[],
          ${unheard.map((source) => source.quote)}::text[]) as u (record_id, event_id, quote)
        where s.tenant_id = ${tenantId} and s.record_id = u.record_id and s.event_id = u.event_id
          and s.quote = u.quote`;
    return this.withoutSources(tx, tenantId, unheard);
  }

  /** @param gone what records no longer cite */
  private async withoutSources(
    tx: Transaction,
    tenantId: string,
    gone: readonly ErasedQuote[],
  ): Promise<ErasedSources> {
    const ids = [...new Set(gone.map((source) => source.record_id))];
    const erased = await this.withdrawUnsupported(tx, tenantId, ids, gone);
    return this.withStaying(tx, tenantId, without(ids, erased.withdrawn), erased);
  }

  /**
   * Adds records that must survive with the remaining ones. The log no longer shows when those were last stated, nor
   * since when they supersede others.
   */
  private async withStaying(
    tx: Transaction,
    tenantId: string,
    staying: readonly string[],
    { withdrawn, survivors, accounts, ...owners }: ErasedSources,
  ): Promise<ErasedSources> {
    const superseded = await columnOf<string>(
      sqlOf(managerOf(tx))`
        select record_id from records where superseded_by = any(${[...staying]}) and tenant_id = ${tenantId}`,
    );
    const ids = [...staying, ...superseded, ...survivors.map(({ recordId }) => recordId)];
    return {
      withdrawn,
      survivors: await this.snapshots(tx, tenantId, [...new Set(ids)]),
      accounts: [...accounts, ...(await accountsOf(managerOf(tx), tenantId, ids))],
      ...owners,
    };
  }

  /** Withdraws those of the records that no remaining source states, or whose texts hold what is gone. */
  private async withdrawUnsupported(
    tx: Transaction,
    tenantId: string,
    recordIds: readonly string[],
    gone: readonly ErasedQuote[],
  ): Promise<ErasedSources> {
    const manager = managerOf(tx);
    const quoting = await quotingOf(manager, tenantId, gone);
    const unsupported = [...new Set([...(await unsupportedOf(manager, tenantId, recordIds)), ...quoting])];
    if (unsupported.length === 0)
      return { withdrawn: [], survivors: [], accounts: [], owners: [], ownersInSessions: [] };
    return this.withdraw(tx, tenantId, unsupported);
  }

  private async snapshots(tx: Transaction, tenantId: string, recordIds: readonly string[]): Promise<RecordSnapshot[]> {
    if (recordIds.length === 0) return [];
    const rows = await sqlOf<SnapshotRow>(managerOf(tx))`
      select ${raw(SNAPSHOT_COLUMNS)} from records r where r.record_id = any(${[...recordIds]})
        and r.tenant_id = ${tenantId}
       order by r.created_at, r.record_id`;
    return rows.map(snapshotOf);
  }
}

const without = (recordIds: readonly string[], others: readonly string[]): string[] => {
  const excluded = new Set(others);
  return recordIds.filter((recordId) => !excluded.has(recordId));
};

interface StatementRow {
  readonly record_id: string;
  readonly text: string;
  readonly stated_at: Date;
  readonly slot_key: string | null;
  readonly slot_value: string | null;
}

const statementOf = ({ slot_key: key, slot_value: value, ...row }: StatementRow) => ({
  recordId: row.record_id,
  text: row.text,
  statedAt: row.stated_at.toISOString(),
  slot: key === null || value === null ? null : { key, value },
});

/** Accounts of records that are in one of the sessions. */
const ACCOUNTS = `select e.event_id from events e
   where e.session_key = any($3) and e.sequence is null and e.tenant_id = $1
     and e.type in ('records.inserted', 'records.carried_over')`;

/**
 * Records extracted from one of the sessions or citing one, those whose last account in the log is in one, and all
 * records of an erased actor. With `or` instead of a union, Postgres would read all records of the memory. It reads them
 * for sessions with accounts only, which are few.
 */
const CONCERNED = `r.tenant_id = $1 and r.memory_id = $2 and r.record_id in (
    select o.record_id from records o where o.session_key = any($3) and o.tenant_id = $1
    union all
    select s.record_id from record_sources s where s.session_key = any($3) and s.tenant_id = $1
    union all
    select o.record_id from records o
     where $4::text is not null and o.actor_id = $4 and o.memory_id = $2 and o.tenant_id = $1
    union all
    select o.record_id from records o
     where exists (${ACCOUNTS}) and o.event_id in (${ACCOUNTS}) and o.memory_id = $2 and o.tenant_id = $1)`;

const concernedBy = (
  { tenantId, memoryId, actorId, sessionId }: ErasureScope,
  sessionKeys: readonly number[],
): unknown[] => [tenantId, memoryId, [...sessionKeys], sessionId === null ? actorId : null];

/** The streams of an erased actor are deleted as a whole. */
const withoutOwner = (erased: ErasedSources, actorId: string | null): ErasedSources => ({
  ...erased,
  owners: erased.owners.filter((owner) => owner !== actorId),
  ownersInSessions: erased.ownersInSessions.filter((owner) => owner !== actorId),
});
