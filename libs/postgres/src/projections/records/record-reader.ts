import {
  NO_TURNS,
  type RankableTurns,
  type RecordFilter,
  type RecordHit,
  type RecordLineage,
  type RecordQuery,
  type RecordReader,
  type RecordView,
  type TurnRanking,
} from '@turnkeeper/application';
import { type RecordSnapshot, statementsIn } from '@turnkeeper/domain';
import { factorBySide, rankRecords, shortened, type CitingRecord, type WordsFound } from '@turnkeeper/search';
import type { DataSource } from 'typeorm';
import { listOf, preparedRowsFor, rowsFor } from '../../connections/database.js';
import { PgTotals } from '../usage/totals.js';
import { bestFound } from './found-records.js';
import { citingRecordsOf, wordsFoundOf, type WordsRow } from './found-rows.js';
import { lineageOf } from './record-lineage.js';
import { RECORD_COLUMNS, recordViewOf, type RecordRow } from './record-row.js';
import { FIND_ACTORS_OR_RECORDS, FIND_BY_TURNS, FIND_BY_WORDS, SUBJECTS } from './record-search.sql.js';
import { SNAPSHOT_COLUMNS, snapshotOf, type SnapshotRow } from './record-snapshot.js';

/** Maximum records ranked in the process. They are selected by plain sum, which the ranking may reorder. */
const MOST_FOUND = { byTurns: 150, byWords: 100 };

/** Records of the other side that may rank before those of the side that a question asks about. */
const MOST_OF_OTHER_SIDE = 20;

const BY_WORDS = { find_record_words: FIND_BY_WORDS, find_actors_or_records: FIND_ACTORS_OR_RECORDS };

interface NamespaceScope {
  readonly tenantId: string;
  readonly memoryId: string;
  readonly namespace: string;
}

/** What is ranked; `about` is undefined if the records are based on no turns. */
interface Candidates {
  readonly about: RankableTurns | undefined;
  readonly most: number;
  readonly words: WordsFound | undefined;
  readonly ranking: TurnRanking;
  readonly citing: readonly CitingRecord[];
}

/** Not `$6 is null or …`: Postgres would read all records of the memory. */
const CITES = `r.record_id in (select s.record_id from record_sources s where s.event_id = $6 and s.tenant_id = $1)`;

export class PgRecordReader implements RecordReader {
  private readonly totals: PgTotals;

  constructor(private readonly dataSource: DataSource) {
    this.totals = new PgTotals(dataSource);
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
    const { about, most, words, ranking, citing } = await this.findCandidates(scope, query);
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

  /** Records by their own words and, if they are about actors with turns, by these. */
  private async findCandidates(scope: NamespaceScope, query: RecordQuery): Promise<Candidates> {
    const text = shortened(query.text);
    const find = async (statement: keyof typeof BY_WORDS, speakers: readonly string[], most: number) => {
      const [row] = await preparedRowsFor<WordsRow & { readonly actors?: string[] }>(this.dataSource, scope.tenantId, {
        name: statement,
        text: BY_WORDS[statement],
        values: [
          ...[scope.tenantId, scope.memoryId, scope.namespace, text, [...SUBJECTS, ...speakers].join(' ')],
          ...[query.includeSuperseded ?? false, most],
        ],
      });
      return row;
    };
    const { turns: openTurns } = query;
    const most = Math.max(MOST_FOUND.byWords, 2 * query.limit);
    const first = await find(openTurns === undefined ? 'find_record_words' : 'find_actors_or_records', [], most);
    const { actors = [] } = first ?? {};
    if (openTurns === undefined || actors.length === 0) {
      return { about: undefined, most, words: first && wordsFoundOf(first), ranking: NO_TURNS, citing: [] };
    }
    const about = await openTurns(actors);
    const mostByTurns = Math.max(MOST_FOUND.byTurns, 2 * query.limit);
    const [words, cited] = await Promise.all([
      find('find_record_words', about.speakers, mostByTurns),
      this.findCiting(scope, { ...query, text }, about),
    ]);
    return { about, most: mostByTurns, words: words && wordsFoundOf(words), ...cited };
  }

  /** Ranks the turns and finds the records that cite them. */
  private async findCiting(
    { tenantId, memoryId, namespace }: NamespaceScope,
    { text, includeSuperseded = false }: RecordQuery,
    about: RankableTurns,
  ): Promise<Pick<Candidates, 'ranking' | 'citing'>> {
    const ranking = await about.rank();
    const { turns } = ranking;
    if (turns.length === 0) return { ranking, citing: [] };
    const [row] = await preparedRowsFor<{ records: string | null }>(this.dataSource, tenantId, {
      name: 'find_citing_records',
      text: FIND_BY_TURNS,
      values: [
        ...[tenantId, memoryId, namespace, text, includeSuperseded],
        listOf(turns.map(({ sessionKey }) => sessionKey)),
        listOf(turns.map(({ sequence }) => sequence)),
      ],
    });
    return { ranking, citing: citingRecordsOf(row?.records ?? null) };
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
