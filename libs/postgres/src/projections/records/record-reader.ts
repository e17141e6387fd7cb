import type {
  RecordFilter,
  RecordHit,
  RecordLineage,
  RecordQuery,
  RecordReader,
  RecordView,
} from '@turnkeeper/application';
import { type RecordSnapshot, statementsIn } from '@turnkeeper/domain';
import { factorBySide, rankRecords } from '@turnkeeper/search';
import type { DataSource } from 'typeorm';
import { preparedRowsFor, rowsFor } from '../../connections/database.js';
import { PgTotals } from '../usage/totals.js';
import { bestFound } from './found-records.js';
import { RecordCandidates } from './record-candidates.js';
import { lineageOf } from './record-lineage.js';
import { RECORD_COLUMNS, recordViewOf, type RecordRow } from './record-row.js';
import { SNAPSHOT_COLUMNS, snapshotOf, type SnapshotRow } from './record-snapshot.js';

/** Records of the other side that may rank before those of the side that a question asks about. */
const MOST_OF_OTHER_SIDE = 20;

/** Longest chain of changed values that is followed. */
const MOST_CHANGES = 100;

/** Not `$6 is null or …`: Postgres would read all records of the memory. */
const CITES = `r.record_id in (select s.record_id from record_sources s where s.event_id = $6 and s.tenant_id = $1)`;

export class PgRecordReader implements RecordReader {
  private readonly totals: PgTotals;
  private readonly candidates: RecordCandidates;

  constructor(private readonly dataSource: DataSource) {
    this.totals = new PgTotals(dataSource);
    this.candidates = new RecordCandidates(dataSource);
  }

  async find(tenantId: string, memoryId: string, recordId: string): Promise<RecordView | null> {
    const [row] = await rowsFor<RecordRow>(
      this.dataSource,
      tenantId,
      `select ${RECORD_COLUMNS} from records r where r.tenant_id = $1 and r.memory_id = $2 and r.record_id = $3`,
      [tenantId, memoryId, recordId],
    );
    return row === undefined ? null : recordViewOf(row);
  }

  async list(tenantId: string, memoryId: string, filter: RecordFilter): Promise<RecordView[]> {
    const rows = await rowsFor<RecordRow>(
      this.dataSource,
      tenantId,
      `select ${RECORD_COLUMNS} from records r
        where r.tenant_id = $1 and r.memory_id = $2
          and ($3::text is null or md5(r.namespace) = md5($3) and r.namespace = $3)
          and ($4::uuid is null or r.strategy_id = $4)
          and ($5::text is null or r.actor_id = $5)
          and ${filter.sourceEventId === undefined ? '$6::uuid is null' : CITES}
          and ($7::timestamptz is null or r.created_at >= $7)
          and ($8::timestamptz is null or r.created_at <= $8)
          and ($9 or r.superseded_by is null)
          and ($12::text is null or r.details ->> 'category' = $12)
          and ($13::text is null or r.details -> 'attribute' ->> 'name' = $13)
          and ($10::uuid is null or (r.created_at, r.record_id) < (
            select p.created_at, p.record_id from records p where p.record_id = $10 and p.tenant_id = $1))
        order by r.created_at desc, r.record_id desc limit $11`,
      [
        tenantId,
        memoryId,
        filter.namespace ?? null,
        filter.strategyId ?? null,
        filter.actorId ?? null,
        filter.sourceEventId ?? null,
        filter.createdFrom ?? null,
        filter.createdTo ?? null,
        filter.includeSuperseded,
        filter.after ?? null,
        filter.limit,
        filter.category ?? null,
        filter.attribute ?? null,
      ],
    );
    return rows.map(recordViewOf);
  }

  async newest(tenantId: string, memoryId: string, namespace: string, limit: number): Promise<RecordView[]> {
    const rows = await rowsFor<RecordRow>(
      this.dataSource,
      tenantId,
      `select ${RECORD_COLUMNS} from records r
        where r.tenant_id = $1 and r.memory_id = $2 and md5(r.namespace) = md5($3) and r.namespace = $3
          and r.superseded_by is null
        order by r.stated_at desc, r.created_at desc, r.record_id limit $4`,
      [tenantId, memoryId, namespace, limit],
    );
    return rows.map(recordViewOf);
  }

  async attributesOfActor(tenantId: string, memoryId: string, actorId: string, limit: number): Promise<RecordView[]> {
    const rows = await rowsFor<RecordRow>(
      this.dataSource,
      tenantId,
      `select ${RECORD_COLUMNS} from records r
        where r.tenant_id = $1 and r.memory_id = $2 and r.actor_id = $3
          and r.superseded_by is null and r.details ? 'attribute'
        order by r.stated_at desc, r.created_at desc, r.record_id limit $4`,
      [tenantId, memoryId, actorId, limit],
    );
    return rows.map(recordViewOf);
  }

  async successors(
    tenantId: string,
    memoryId: string,
    namespaces: readonly string[],
    eventIds: readonly string[],
  ): Promise<ReadonlyMap<string, readonly Pick<RecordView, 'text' | 'attribute'>[]>> {
    if (eventIds.length === 0 || namespaces.length === 0) return new Map();
    const rows = await rowsFor<{ event_id: string; text: string; attribute: RecordView['attribute'] }>(
      this.dataSource,
      tenantId,
      `with recursive chain as (
         select s.event_id, r.superseded_by as record_id, 1 as depth
           from record_sources s join records r using (record_id, tenant_id)
          where s.event_id = any($3::uuid[]) and tenant_id = $1 and not s.is_context
            and r.memory_id = $2 and r.namespace = any($4::text[]) and r.superseded_by is not null
         union
         select c.event_id, r.superseded_by, c.depth + 1
           from chain c join records r on r.record_id = c.record_id and r.tenant_id = $1
          where r.superseded_by is not null and c.depth < ${MOST_CHANGES}
       )
       select distinct c.event_id, r.text, r.details -> 'attribute' as attribute
         from chain c join records r on r.record_id = c.record_id and r.tenant_id = $1
        where r.superseded_by is null order by r.text`,
      [tenantId, memoryId, [...eventIds], [...namespaces]],
    );
    const byEvent = new Map<string, Pick<RecordView, 'text' | 'attribute'>[]>();
    for (const { event_id: eventId, ...successor } of rows)
      byEvent.set(eventId, [...(byEvent.get(eventId) ?? []), successor]);
    return byEvent;
  }

  async newestOfActor(tenantId: string, memoryId: string, actorId: string, limit: number): Promise<RecordView[]> {
    const rows = await rowsFor<RecordRow>(
      this.dataSource,
      tenantId,
      // The sources of the chosen ones only.
      `select ${RECORD_COLUMNS} from (
         select * from records
          where tenant_id = $1 and memory_id = $2 and actor_id = $3 and superseded_by is null
          order by stated_at desc, created_at desc, record_id limit $4
       ) r order by r.stated_at desc, r.created_at desc, r.record_id`,
      [tenantId, memoryId, actorId, limit],
    );
    return rows.map(recordViewOf);
  }

  async search(tenantId: string, memoryId: string, namespace: string, query: RecordQuery): Promise<RecordHit[]> {
    const scope = { tenantId, memoryId, namespace };
    const { about, most, words, ranking, citing } = await this.candidates.find(scope, query);
    if (words === undefined) return [];
    const scores = ranking.turns.map(({ raw }) => raw);
    const factor = factorBySide(query.text, about?.speakers ?? []);
    const { weight, scopeTurns, comparedMeaning } = ranking;
    const ranked = rankRecords(bestFound(words, citing, scores, most), weight, scopeTurns, comparedMeaning)
      .filter(({ score }) => score >= query.scoreThreshold)
      .slice(0, factor === null ? query.limit : query.limit + MOST_OF_OTHER_SIDE);
    const rows = await preparedRowsFor<RecordRow>(this.dataSource, tenantId, {
      name: 'read_records',
      text: `select ${RECORD_COLUMNS} from records r where r.tenant_id = $1 and r.record_id = any ($2::uuid[])`,
      values: [tenantId, ranked.map(({ recordId }) => recordId)],
    });
    const views = new Map(rows.map((row) => [row.record_id, recordViewOf(row)]));
    const hits = ranked.flatMap(({ recordId, score }): RecordHit[] => {
      const view = views.get(recordId);
      return view === undefined ? [] : [{ ...view, score }];
    });
    if (factor === null) return hits;
    const rolesOf = ({ sources }: RecordView): string[] => statementsIn(sources).map(({ role }) => role);
    return hits
      .map((hit) => ({ ...hit, score: hit.score * factor({ text: hit.text, roles: rolesOf(hit) }) }))
      .filter(({ score }) => score >= query.scoreThreshold)
      .sort((a, b) => b.score - a.score)
      .slice(0, query.limit);
  }

  async count(tenantId: string, memoryId: string): Promise<{ current: number; superseded: number }> {
    const totals = await this.totals.ofMemory(tenantId, memoryId);
    const sum = (of: 'currentRecords' | 'supersededRecords') => totals.reduce((all, total) => all + total[of], 0);
    return { current: sum('currentRecords'), superseded: sum('supersededRecords') };
  }

  async snapshotsAfter(
    tenantId: string,
    memoryId: string,
    after: string | null,
    limit: number,
  ): Promise<RecordSnapshot[]> {
    const rows = await rowsFor<SnapshotRow>(
      this.dataSource,
      tenantId,
      `select ${SNAPSHOT_COLUMNS} from records r
        where r.tenant_id = $1 and r.memory_id = $2 and ($3::uuid is null or r.record_id > $3)
        order by r.record_id limit $4`,
      [tenantId, memoryId, after, limit],
    );
    return rows.map(snapshotOf);
  }

  lineage(tenantId: string, memoryId: string, recordId: string): Promise<RecordLineage | null> {
    return lineageOf(this.dataSource, tenantId, memoryId, recordId);
  }
}
