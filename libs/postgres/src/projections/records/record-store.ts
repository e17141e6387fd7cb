import type { RecordHit, RecordStore, RecordView, Transaction, TurnRanking } from '@turnkeeper/application';
import { isUserRole, type KnownRecord, type LogEvent } from '@turnkeeper/domain';
import { OWN_WEIGHT, rankRecords } from '@turnkeeper/search';
import type { DataSource } from 'typeorm';
import { rowsFor, rowsOf } from '../../connections/database.js';
import { managerOf } from '../../connections/unit-of-work.js';
import { applyExtractions } from './apply-extractions.js';
import { RECORD_COLUMNS, recordViewOf, type RecordRow } from './record-row.js';
import { FIND_RECORDS, foundOf, NEWEST_ACTORS, SUBJECTS, type FoundRow } from './record-search.sql.js';

/** Maximum records ranked in the process. The statement selects them by plain sum. */
const MOST_FOUND = 400;

const NO_TURNS: TurnRanking = { turns: [], known: 0, speakers: [], comparedMeaning: false };

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
              (select array_agg(s.role) from record_sources s where s.record_id = r.record_id and not s.is_context) as roles
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

  async actorsOf(tenantId: string, memoryId: string, namespace: string): Promise<string[]> {
    const rows = await rowsFor<{ actor_id: string }>(this.dataSource, tenantId, NEWEST_ACTORS, [
      tenantId,
      memoryId,
      namespace,
    ]);
    return rows.map((row) => row.actor_id);
  }

  async search(
    tenantId: string,
    memoryId: string,
    namespace: string,
    query: {
      text: string;
      limit: number;
      scoreThreshold: number;
      includeSuperseded?: boolean;
      ranking?: TurnRanking;
    },
  ): Promise<RecordHit[]> {
    const { turns, known, speakers, comparedMeaning } = query.ranking ?? NO_TURNS;
    const found = await rowsFor<FoundRow>(this.dataSource, tenantId, FIND_RECORDS, [
      ...[tenantId, memoryId, namespace, query.text, [...SUBJECTS, ...speakers].join(' ')],
      query.includeSuperseded ?? false,
      turns.map(({ sessionKey }) => sessionKey),
      turns.map(({ sequence }) => sequence),
      turns.map(({ raw }) => raw),
      ...[OWN_WEIGHT, Math.max(MOST_FOUND, query.limit)],
    ]);
    const scores = new Map(turns.map(({ sessionKey, sequence, raw }) => [`${sessionKey} ${sequence}`, raw]));
    const ranked = rankRecords(
      found.map((row) => foundOf(row, scores)),
      known,
      comparedMeaning,
    )
      .filter(({ score }) => score >= query.scoreThreshold)
      .slice(0, query.limit);
    const rows = await rowsFor<RecordRow>(
      this.dataSource,
      tenantId,
      `select ${RECORD_COLUMNS} from records r where r.tenant_id = $1 and r.record_id = any ($2::uuid[])`,
      [tenantId, ranked.map(({ recordId }) => recordId)],
    );
    const views = new Map(rows.map((row) => [row.record_id, recordViewOf(row)]));
    return ranked.flatMap(({ recordId, score }) => {
      const view = views.get(recordId);
      return view === undefined ? [] : [{ ...view, score }];
    });
  }
}
