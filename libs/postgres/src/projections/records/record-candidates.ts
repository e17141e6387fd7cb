import { NO_TURNS, type RankableTurns, type RecordQuery, type TurnRanking } from '@turnkeeper/application';
import {
  doubtfulWords,
  respelt,
  shortened,
  wordsBeginningLike,
  type CitingRecord,
  type WordsFound,
} from '@turnkeeper/search';
import type { DataSource } from 'typeorm';
import { listOf, preparedRowsFor } from '../../connections/database.js';
import { inSlices } from '../../search/time-slices.js';
import { citingRecordsOf, wordsFoundOf, type WordsRow } from './found-rows.js';
import { FIND_ACTORS_OR_RECORDS, FIND_BY_TURNS, FIND_BY_WORDS, NEWEST_TEXTS, SUBJECTS } from './record-search.sql.js';

/** Maximum records ranked in the process. They are selected by plain sum, which the ranking may reorder. */
const MAX_FOUND = { byTurns: 150, byWords: 100 };

const BY_WORDS = { find_record_words: FIND_BY_WORDS, find_actors_or_records: FIND_ACTORS_OR_RECORDS };

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

interface Namespace {
  readonly tenantId: string;
  readonly memoryId: string;
  readonly namespace: string;
}

/** Finds records by their own words and, if they are about actors with turns, by these. */
export class RecordCandidates {
  constructor(private readonly dataSource: DataSource) {}

  /** @param only ids of the records that may be found, newest first; null for all */
  async find(scope: Namespace, query: RecordQuery, only: readonly string[] | null): Promise<Candidates> {
    const text = shortened(query.text);
    const found = await this.findText(scope, text, query, only);
    if (found.words === undefined || isEveryWordKnown(found.words)) return found;
    const added = await this.respelt(scope, text);
    return added.length === 0 ? found : this.findText(scope, [text, ...added].join(' '), query, only);
  }

  private async findText(
    scope: Namespace,
    text: string,
    query: RecordQuery,
    only: readonly string[] | null,
  ): Promise<Candidates> {
    const find = async (statement: keyof typeof BY_WORDS, speakers: readonly string[], most: number) => {
      const [row] = await preparedRowsFor<WordsRow & { readonly actors?: string[] }>(this.dataSource, scope.tenantId, {
        name: statement,
        text: BY_WORDS[statement],
        values: [
          ...[scope.tenantId, scope.memoryId, scope.namespace, text, subjectsOf(speakers)],
          ...[query.includeSuperseded ?? false, most, only],
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
      this.findCiting(scope, text, { ...query, only }, about),
    ]);
    return { about, most: mostByTurns, words: words && wordsFoundOf(words), ...cited };
  }

  /** Words of the namespace's newest records that unknown words of the query may be misspellings of. */
  private async respelt({ tenantId, memoryId, namespace }: Namespace, query: string): Promise<string[]> {
    const doubtful = doubtfulWords(query);
    if (doubtful.length === 0) return [];
    const [row] = await preparedRowsFor<{ texts: string | null }>(this.dataSource, tenantId, {
      name: 'newest_texts',
      text: NEWEST_TEXTS,
      values: [tenantId, memoryId, namespace],
    });
    const vocabulary = new Set<string>();
    const read = wordsBeginningLike(doubtful);
    await inSlices(row?.texts?.split('\n') ?? [], (text) => read(text).forEach((word) => vocabulary.add(word)));
    return respelt(doubtful, vocabulary);
  }

  /** Ranks the turns and finds the records that cite them. */
  private async findCiting(
    { tenantId, memoryId, namespace }: Namespace,
    text: string,
    { includeSuperseded = false, only }: RecordQuery & { readonly only: readonly string[] | null },
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
        only,
      ],
    });
    return { ranking, citing: citingRecordsOf(row?.records ?? null) };
  }
}

const isEveryWordKnown = ({ weights, known }: WordsFound): boolean =>
  weights.filter((weight) => weight > 0).length <= known;

const subjectsOf = (speakers: readonly string[]): string => [...SUBJECTS, ...speakers].join(' ');

const mostOf = ({ limit }: RecordQuery, byTurns: boolean): number =>
  Math.max(byTurns ? MAX_FOUND.byTurns : MAX_FOUND.byWords, 2 * limit);
