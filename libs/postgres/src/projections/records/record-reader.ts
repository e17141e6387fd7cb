import type {
  RecordConditions,
  RecordFilter,
  RecordHit,
  RecordLineage,
  RecordQuery,
  RecordReader,
  RecordView,
} from '@turnkeeper/application';
import type { RecordSnapshot } from '@turnkeeper/domain';
import { rankRecords } from '@turnkeeper/search';
import type { DataSource } from 'typeorm';
import { preparedRowsFor, rowsFor } from '../../connections/database.js';
import { inSlices, inSteps } from '../../search/time-slices.js';
import type { RecordMeaning } from '../../search/vectors/record-meaning.js';
import { PgTotals } from '../usage/totals.js';
import { bestFound } from './found-records.js';
import { RecordCandidates } from './record-candidates.js';
import { lineageOf } from './record-lineage.js';
import { RECORD_COLUMNS, recordViewOf, type RecordRow } from './record-row.js';
import { conditionsOf, hasConditions } from './record-filter.sql.js';
import { READ_FOUND } from './record-search.sql.js';
import { scorer } from './score-record.js';
import { SNAPSHOT_COLUMNS, snapshotOf, type SnapshotRow } from './record-snapshot.js';

/** Further records that are scored: by its own words, one may answer better than those that rank before it. */
const SPARE = 20;
/** Records with the most similar meaning that are scored, at least. */
const MAX_NEAREST = 50;
/** Records that are searched if a search has conditions: the newest ones that meet them. As many as are compared by meaning. */
const MAX_MEETING = 50_000;
/** The newest of these, which are always scored. */
const FEW = 200;
/** Newest records, which are always scored: without vectors, some answer that share no word with the question. */
const NEWEST = 40;
/** Least score of a record that nothing else has found. */
const LEAST_OF_NEWEST = 0.25;

/** Newest records of an actor among which open states are looked for. */
const MAX_STATES_READ = 2_000;

/** Longest chain of changed values that is followed. */
const MAX_CHANGES = 100;

const newestFirst = (a: RecordRow, b: RecordRow): number =>
  b.created_at.getTime() - a.created_at.getTime() || (a.record_id < b.record_id ? -1 : 1);

export class PgRecordReader implements RecordReader {
  private readonly totals: PgTotals;
  private readonly candidates: RecordCandidates;

  /** @param meaning absent: records are found by words and turns only */
  constructor(
    private readonly dataSource: DataSource,
    private readonly meaning?: Pick<RecordMeaning, 'nearest'>,
  ) {
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
    const conditions = conditionsOf(filter, 8);
    const rows = await rowsFor<RecordRow>(
      this.dataSource,
      tenantId,
      `select ${RECORD_COLUMNS} from records r
        where r.tenant_id = $1 and r.memory_id = $2
          and ($3::text is null or md5(r.namespace) = md5($3) and r.namespace = $3)
          and ($4::text is null or r.actor_id = $4)
          and ($6 or r.superseded_by is null)${conditions.sql}
          and ($7::uuid is null or (r.created_at, r.record_id) < (
            select p.created_at, p.record_id from records p where p.record_id = $7 and p.tenant_id = $1))
        order by r.created_at desc, r.record_id desc limit $5`,
      [
        tenantId,
        memoryId,
        filter.namespace ?? null,
        filter.actorId ?? null,
        filter.limit,
        filter.includeSuperseded,
        filter.after ?? null,
        ...conditions.values,
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

  async statesOfActor(
    tenantId: string,
    memoryId: string,
    actorId: string,
    namespace: string,
    each: { readonly actor: number; readonly others: number },
  ): Promise<RecordView[]> {
    const rows = await rowsFor<RecordRow>(
      this.dataSource,
      tenantId,
      `select ${RECORD_COLUMNS} from (
         select s.*, row_number() over (partition by s.details ->> 'category', s.details ? 'subject'
                                        order by s.stated_at desc, s.created_at desc, s.record_id) as place
           from (
             select * from records
              where tenant_id = $1 and memory_id = $2 and actor_id = $3 and superseded_by is null
              order by stated_at desc, created_at desc, record_id limit ${MAX_STATES_READ}
           ) s
          where md5(s.namespace) = md5($4) and s.namespace = $4
            and s.details ->> 'category' in ('preference', 'plan', 'request')
       ) r
        where r.place <= case when r.details ? 'subject' then $6::int else $5::int end
        order by r.place, r.stated_at desc, r.record_id`,
      [tenantId, memoryId, actorId, namespace, each.actor, each.others],
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
          where r.superseded_by is not null and c.depth < ${MAX_CHANGES}
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
    const only = await this.meeting(scope, query.conditions ?? {});
    if (only?.length === 0) return [];
    const mostNearest = Math.max(MAX_NEAREST, query.limit);
    const [{ about, most, words, ranking, citing }, nearest] = await Promise.all([
      this.candidates.find(scope, query, only),
      this.meaning?.nearest(scope, query.text, mostNearest, only) ?? null,
    ]);
    const found =
      words === undefined
        ? []
        : await inSteps(
            bestFound(
              words,
              citing,
              ranking.turns.map(({ raw }) => raw),
              most,
            ),
          );
    const { weight, scopeTurns, comparedMeaning } = ranking;
    const byTurns = new Map(
      rankRecords(found, weight, scopeTurns, comparedMeaning)
        .slice(0, query.limit + SPARE)
        .map(({ recordId, score }) => [recordId, score]),
    );
    const likeness = new Map(nearest?.records.map(({ recordId, likeness: like }) => [recordId, like]));
    // Less alike than all of these; if they are all there are, it has no vector yet.
    const otherwise =
      nearest !== null && nearest.records.length >= mostNearest ? (nearest.records.at(-1)?.likeness ?? null) : null;
    const rows = await preparedRowsFor<RecordRow>(this.dataSource, tenantId, {
      name: 'read_found_records',
      text: READ_FOUND(RECORD_COLUMNS),
      values: [
        ...[tenantId, memoryId, namespace],
        [...new Set([...byTurns.keys(), ...likeness.keys(), ...(only?.slice(0, FEW) ?? [])])],
        query.includeSuperseded ?? false,
        NEWEST,
      ],
    });
    const newest = rows.toSorted(newestFirst).slice(0, NEWEST);
    const score = scorer(
      query.text,
      about?.speakers ?? [],
      newest.map(({ text }) => text),
    );
    // Not those that are only scored because they meet the conditions: the others would score less.
    const compared = nearest?.compared ?? new Set([...byTurns.keys(), ...newest.map((row) => row.record_id)]).size;
    const among = only === null ? null : new Set(only);
    const wanted = rows.filter(({ record_id: recordId }) => among?.has(recordId) ?? true);
    const scored = await inSlices(wanted, (row) => {
      const ofTurns = byTurns.get(row.record_id) ?? 0;
      const hit = score(row, ofTurns, { likeness: likeness.get(row.record_id) ?? otherwise, compared });
      const isFound = byTurns.has(row.record_id) || likeness.has(row.record_id);
      return { row, ofTurns, ...hit, least: isFound ? 0 : LEAST_OF_NEWEST };
    });
    return scored
      .filter((hit) => hit.score > 0 && hit.score >= Math.max(hit.least, query.scoreThreshold))
      .sort((a, b) => b.score - a.score || b.ofTurns - a.ofTurns || newestFirst(a.row, b.row))
      .slice(0, query.limit)
      .map(({ row, score, foundBy }): RecordHit => ({ ...recordViewOf(row), score, foundBy }));
  }

  /** Ids of the records that meet conditions, newest first; null without conditions. */
  private async meeting(
    { tenantId, memoryId, namespace }: { tenantId: string; memoryId: string; namespace: string },
    conditions: RecordConditions,
  ): Promise<readonly string[] | null> {
    if (!hasConditions(conditions)) return null;
    const { sql, values } = conditionsOf(conditions, 4);
    const [row] = await rowsFor<{ ids: string[] }>(
      this.dataSource,
      tenantId,
      `select array(
         select r.record_id from records r
          where r.tenant_id = $1 and r.memory_id = $2 and md5(r.namespace) = md5($3) and r.namespace = $3${sql}
          order by r.created_at desc, r.record_id limit ${MAX_MEETING}) as ids`,
      [tenantId, memoryId, namespace, ...values],
    );
    return row?.ids ?? [];
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
