import type { RecordHit, RecordStore, RecordView, Transaction } from '@turnkeeper/application';
import { factKey, isUserRole, slotWords, type KnownRecord, type LogEvent, type RecordSource } from '@turnkeeper/domain';
import type { DataSource, EntityManager } from 'typeorm';
import { managerOf, rowsFor, rowsOf } from '../database.js';
import { RECORD_COLUMNS, recordViewOf, type RecordRow } from './record-row.js';
import { SEARCH_RECORDS } from './record-search.sql.js';

export class PgRecordStore implements RecordStore {
  constructor(private readonly dataSource: DataSource) {}

  async lockNamespace(tx: Transaction, memoryId: string, namespace: string): Promise<void> {
    await rowsOf(managerOf(tx), `select pg_advisory_xact_lock(hashtextextended($1, 0))`, [`${memoryId}${namespace}`]);
  }

  async known(
    tx: Transaction,
    memoryId: string,
    namespace: string,
    wanted: { readonly factKeys: readonly string[]; readonly slotKeys: readonly string[] },
  ): Promise<KnownRecord[]> {
    const rows = await rowsOf<{
      record_id: string;
      text: string;
      stated_at: Date;
      slot_key: string | null;
      slot_value: string | null;
      roles: string[] | null;
    }>(
      managerOf(tx),
      `select r.record_id, r.text, r.stated_at, r.slot_key, r.slot_value,
              (select array_agg(s.role) from record_sources s where s.record_id = r.record_id) as roles
         from records r
        where r.memory_id = $1 and md5(r.namespace) = md5($2) and r.namespace = $2 and r.superseded_by is null
          and (md5(r.fact_key) = any(select md5(key) from unnest($3::text[]) as key)
            or md5(r.slot_key) = any(select md5(key) from unnest($4::text[]) as key))
        order by r.stated_at, r.record_id`,
      [memoryId, namespace, [...wanted.factKeys], [...wanted.slotKeys]],
    );
    return rows.map((row) => ({
      recordId: row.record_id,
      text: row.text,
      statedAt: row.stated_at.toISOString(),
      slot: row.slot_key === null || row.slot_value === null ? null : { key: row.slot_key, value: row.slot_value },
      saidByUser: (row.roles ?? []).some(isUserRole),
    }));
  }

  async apply(tx: Transaction, event: Omit<LogEvent<'records.extracted'>, 'position'>): Promise<void> {
    const manager = managerOf(tx);
    const { data } = event;
    for (const record of data.records) {
      await rowsOf(
        manager,
        `insert into records
           (record_id, tenant_id, memory_id, namespace, strategy_id, strategy_version, actor_id, session_key,
            text, fact_key, extractor, model, prompt_hash, event_id, created_at, updated_at,
            stated_at, slot_key, slot_value, keywords)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $15, $16, $17, $18, $19)`,
        [
          record.recordId,
          event.tenantId,
          event.memoryId,
          record.namespace,
          data.strategyId,
          data.strategyVersion,
          event.actorId,
          event.sessionKey,
          record.text,
          factKey(record.text),
          data.extractor,
          data.model,
          data.promptHash,
          event.eventId,
          event.recordedAt,
          record.statedAt,
          record.slot?.key ?? null,
          record.slot?.value ?? null,
          slotWords(record.slot),
        ],
      );
    }
    await insertSources(manager, event, [...data.records, ...data.confirmed]);
    for (const { recordId, statedAt } of data.confirmed) {
      await rowsOf(
        manager,
        `update records set updated_at = $2, stated_at = greatest(stated_at, $3) where record_id = $1 and tenant_id = $4 and memory_id = $5`,
        [recordId, event.recordedAt, statedAt, event.tenantId, event.memoryId],
      );
    }
    for (const { recordId, by } of data.superseded) {
      await rowsOf(
        manager,
        `update records set superseded_by = $2, valid_to = (select stated_at from records where record_id = $2),
                updated_at = $3
          where record_id = $1 and tenant_id = $4 and memory_id = $5`,
        [recordId, by, event.recordedAt, event.tenantId, event.memoryId],
      );
    }
  }

  async list(tenantId: string, memoryId: string, namespace: string, limit: number): Promise<RecordView[]> {
    const rows = await rowsFor<RecordRow>(
      this.dataSource,
      tenantId,
      `select ${RECORD_COLUMNS} from records r
        where r.tenant_id = $1 and r.memory_id = $2 and md5(r.namespace) = md5($3) and r.namespace = $3
          and r.superseded_by is null
        order by r.created_at desc, r.record_id limit $4`,
      [tenantId, memoryId, namespace, limit],
    );
    return rows.map(recordViewOf);
  }

  async search(
    tenantId: string,
    memoryId: string,
    namespace: string,
    query: { text: string; limit: number; scoreThreshold: number; includeSuperseded?: boolean },
  ): Promise<RecordHit[]> {
    const rows = await rowsFor<RecordRow & { score: number }>(
      this.dataSource,
      tenantId,
      `select hit.score, ${RECORD_COLUMNS} from (${SEARCH_RECORDS}) hit join records r using (record_id)
        order by hit.score desc, r.created_at desc, r.record_id`,
      [tenantId, memoryId, namespace, query.text, query.scoreThreshold, query.limit, query.includeSuperseded ?? false],
    );
    return rows.map((row) => ({ ...recordViewOf(row), score: row.score }));
  }
}

const insertSources = async (
  manager: EntityManager,
  event: Omit<LogEvent<'records.extracted'>, 'position'>,
  records: readonly { readonly recordId: string; readonly sources: readonly RecordSource[] }[],
): Promise<void> => {
  const sources = records.flatMap(({ recordId, sources: list }) => list.map((source) => ({ recordId, ...source })));
  if (sources.length === 0) return;
  await rowsOf(
    manager,
    `insert into record_sources (record_id, event_id, tenant_id, session_key, sequence, role, quote)
     select t.record_id, t.event_id, $1, $2, t.sequence, t.role, t.quote
       from unnest($3::uuid[], $4::uuid[], $5::bigint[], $6::text[], $7::text[])
         as t(record_id, event_id, sequence, role, quote)
     on conflict do nothing`,
    [
      event.tenantId,
      event.sessionKey,
      sources.map((source) => source.recordId),
      sources.map((source) => source.eventId),
      sources.map((source) => source.sequence),
      sources.map((source) => source.role),
      sources.map((source) => source.quote),
    ],
  );
};
