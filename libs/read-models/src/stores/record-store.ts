import type { RecordHit, RecordStore, RecordView, Transaction } from '@turnkeeper/application';
import { isUserRole, type KnownRecord, type LogEvent } from '@turnkeeper/domain';
import type { DataSource } from 'typeorm';
import { rowsFor, rowsOf } from '../database.js';
import { managerOf } from '../unit-of-work.js';
import { applyExtractions } from './apply-extractions.js';
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
    wanted: {
      readonly factKeys: readonly string[];
      readonly slotKeys: readonly string[];
      readonly recordIds?: readonly string[];
    },
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
            or md5(r.slot_key) = any(select md5(key) from unnest($4::text[]) as key)
            or r.record_id = any($5::uuid[]))
        order by r.stated_at, r.record_id`,
      [memoryId, namespace, [...wanted.factKeys], [...wanted.slotKeys], [...(wanted.recordIds ?? [])]],
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
    await applyExtractions(managerOf(tx), [event]);
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
