import { NO_TURNS, type RankableTurns, type RecordQuery, type TurnRanking } from '@turnkeeper/application';
import { shortened, type CitingRecord, type WordsFound } from '@turnkeeper/search';
import type { DataSource } from 'typeorm';
import { listOf, preparedRowsFor } from '../../connections/database.js';
import type { NamespaceScope, NamespacesInMemory } from '../../search/held/held-namespaces.js';
import { citingRecordsOf, wordsFoundOf, type WordsRow } from './found-rows.js';
import { FIND_ACTORS_OR_RECORDS, FIND_BY_TURNS, FIND_BY_WORDS, SUBJECTS } from './record-search.sql.js';

/** Maximum records ranked in the process. They are selected by plain sum, which the ranking may reorder. */
const MOST_FOUND = { byTurns: 150, byWords: 100 };

const BY_WORDS = { find_record_words: FIND_BY_WORDS, find_actors_or_records: FIND_ACTORS_OR_RECORDS };

/** Number of records that a namespace is assumed to have, to decide when to hold it. Few have more. */
const USUAL_RECORDS = 2_000;

/** What is ranked. */
export interface Candidates {
  /** Undefined if the records are based on no turns. */
  readonly about: RankableTurns | undefined;
  readonly most: number;
  /** Undefined if nothing was found. */
  readonly words: WordsFound | undefined;
  readonly ranking: TurnRanking;
  readonly citing: readonly CitingRecord[];
}

type Namespace = Pick<NamespaceScope, 'tenantId' | 'memoryId' | 'namespace'>;

/** Finds records by their own words and, if they are about actors with turns, by these. */
export class RecordCandidates {
  /** @param inMemory absent: every search reads from Postgres */
  constructor(
    private readonly dataSource: DataSource,
    private readonly inMemory?: NamespacesInMemory,
  ) {}

  async find(scope: Namespace, query: RecordQuery): Promise<Candidates> {
    const asked = { ...scope, text: shortened(query.text), subjects: subjectsOf([]) };
    return (await this.findInMemory(asked, query)) ?? this.findStored(asked, query);
  }

  /** Resolves to null if the namespace is not in memory, or a word is in too many records. */
  private async findInMemory(scope: NamespaceScope, query: RecordQuery): Promise<Candidates | null> {
    const { turns: openTurns, includeSuperseded = false } = query;
    const known = this.inMemory?.peek(scope);
    if (this.inMemory === undefined || known === undefined) return null;
    // Whom the records are about and how they are called rarely changes, so nothing waits for the check.
    const { subjects } = known;
    const actors = known.records.newestActors();
    const [opened, about] = await Promise.all([
      this.inMemory.open({ ...scope, subjects }),
      openTurns === undefined || actors.length === 0 ? undefined : openTurns(actors),
    ]);
    if (opened === null) return null;
    const { records } = opened.held;
    if (openTurns !== undefined && !isSame(records.newestActors(), actors)) return null;
    opened.held.subjects = subjectsOf(about?.speakers ?? []);
    if (opened.held.subjects !== subjects) return this.findInMemory(scope, query);
    const { asked } = opened.check;
    const most = mostOf(query, about !== undefined);
    const words = records.findWords(asked, { includeSuperseded, most });
    if (words === null) return null;
    const ranking = (await about?.rank()) ?? NO_TURNS;
    return { about, most, words, ranking, citing: records.findCiting(ranking.turns, asked, { includeSuperseded }) };
  }

  private async findStored(scope: NamespaceScope, query: RecordQuery): Promise<Candidates> {
    this.inMemory?.searched(scope, USUAL_RECORDS);
    const find = async (statement: keyof typeof BY_WORDS, speakers: readonly string[], most: number) => {
      const [row] = await preparedRowsFor<WordsRow & { readonly actors?: string[] }>(this.dataSource, scope.tenantId, {
        name: statement,
        text: BY_WORDS[statement],
        values: [
          ...[scope.tenantId, scope.memoryId, scope.namespace, scope.text, subjectsOf(speakers)],
          ...[query.includeSuperseded ?? false, most],
        ],
      });
      return row;
    };
    const { turns: openTurns } = query;
    const most = mostOf(query, false);
    const first = await find(openTurns === undefined ? 'find_record_words' : 'find_actors_or_records', [], most);
    const { actors = [] } = first ?? {};
    if (openTurns === undefined || actors.length === 0) {
      return { about: undefined, most, words: first && wordsFoundOf(first), ranking: NO_TURNS, citing: [] };
    }
    const about = await openTurns(actors);
    const mostByTurns = mostOf(query, true);
    const [words, cited] = await Promise.all([
      find('find_record_words', about.speakers, mostByTurns),
      this.findCiting(scope, query, about),
    ]);
    return { about, most: mostByTurns, words: words && wordsFoundOf(words), ...cited };
  }

  /** Ranks the turns and finds the records that cite them. */
  private async findCiting(
    { tenantId, memoryId, namespace, text }: NamespaceScope,
    { includeSuperseded = false }: RecordQuery,
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
}

const subjectsOf = (speakers: readonly string[]): string => [...SUBJECTS, ...speakers].join(' ');

const mostOf = ({ limit }: RecordQuery, byTurns: boolean): number =>
  Math.max(byTurns ? MOST_FOUND.byTurns : MOST_FOUND.byWords, 2 * limit);

const isSame = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((one, at) => one === b[at]);
