import { atOnce } from '@turnkeeper/domain';
import type { MessageAppended } from '@turnkeeper/domain';
import { readTurnQuery, respeltTerms, type TurnQuery } from '../query/read-query.js';
import type { Language } from '../text/languages.js';
import { evidenceWeight } from './evidence.js';
import { indexTurn } from './index-turn.js';
import type { ScopeSize, SessionPostings, TermPostings } from './lexical.js';
import { mergeStems, stemsOf } from './merge-stems.js';
import type { RankedTurn } from './rank.js';
import { candidates, rankTurns, TurnTable } from './rank-turns.js';
import { reachOf, RECIPE, type TurnRecipe } from './recipe.js';
import type { IndexedTurn } from './turn.js';

/** A message of a corpus. `session` and `place` are numbered from 1: sessions, and messages within a session. */
export interface CorpusMessage {
  readonly session: number;
  readonly place: number;
  /** When it was said (ISO 8601). */
  readonly at: string;
  readonly message: MessageAppended;
}

export interface CorpusRanking {
  readonly query: TurnQuery;
  readonly ranked: readonly RankedTurn[];
  /** The query's terms with their postings. */
  readonly terms: readonly TermPostings[];
  readonly size: ScopeSize;
  /** See `evidenceWeight`. */
  readonly weight: number;
}

interface PlacedTurn {
  readonly session: number;
  readonly place: number;
  readonly turn: IndexedTurn;
}

/** Turns in memory, ranked by the same code as those in Postgres. For evaluating a recipe and for tests. */
export class TurnCorpus {
  private readonly turns: PlacedTurn[] = [];
  private readonly table = new TurnTable();
  private readonly languages = new Map<Language, number>();

  constructor(messages: readonly CorpusMessage[]) {
    const bySession = new Map<number, Language>();
    for (const { session, place, at, message } of messages) {
      const turn = indexTurn(message, at, bySession.get(session) ?? 'en');
      if (turn === null) continue;
      if (turn.language !== 'en') bySession.set(session, turn.language);
      this.languages.set(turn.language, (this.languages.get(turn.language) ?? 0) + 1);
      this.table.set(session, place, turn);
      this.turns.push({ session, place, turn });
    }
  }

  /**
   * @param meaningOf weighted similarity of a turn to the question; 0 without vectors
   * @param read parses the question
   */
  rank(
    question: string,
    recipe: TurnRecipe = RECIPE,
    meaningOf?: (session: number, place: number) => number,
    read = readTurnQuery,
  ): CorpusRanking {
    const query = read(question, this.context());
    const size = {
      turns: this.turns.length,
      sessions: new Set(this.turns.map(({ session }) => session)).size,
      words: this.turns.reduce((sum, { turn }) => sum + wordsIn(turn), 0),
    };
    const asked = respeltTerms(query.terms, (stem) => this.postingsOf(stem).turns > 0) ?? query.terms;
    const ofStems = stemsOf(asked).map((stem) => this.postingsOf(stem));
    const terms = mergeStems(asked, ofStems, size);
    const ranked = rankTurns(query, atOnce(candidates(terms, size, recipe)), this.table, recipe, meaningOf);
    const weight = evidenceWeight(query, terms, size, ranked[0], reachOf(recipe));
    return { query, ranked, terms, size, weight };
  }

  private context() {
    const years = this.turns.map(({ turn }) => new Date(turn.day * 86_400_000).getUTCFullYear());
    const speakers = this.turns.flatMap(({ turn }) => turn.speaker ?? []);
    const languages = [...this.languages].sort(([, a], [, b]) => b - a).map(([language]) => language);
    return {
      years: [...new Set(years)],
      speakers: [...new Set(speakers)],
      languages: languages.length === 0 ? (['en'] as const) : languages.slice(0, 3),
    };
  }

  private postingsOf(term: string): TermPostings {
    const bySession = new Map<number, { places: number[]; counts: number[]; words: number[]; total: number }>();
    for (const { session, place, turn } of this.turns) {
      const count = turn.terms.get(term);
      if (count === undefined) continue;
      const found = bySession.get(session) ?? { places: [], counts: [], words: [], total: 0 };
      bySession.set(session, found);
      found.places.push(place);
      found.counts.push(count);
      found.words.push(wordsIn(turn));
      found.total += count;
    }
    const postings = [...bySession].map(([session, found]): SessionPostings => ({
      session,
      ...found,
      sessionWords: this.sessionWords(session),
    }));
    const turns = postings.reduce((sum, { places }) => sum + places.length, 0);
    return { term, turns, sessions: postings.length, postings };
  }

  private sessionWords(of: number): number {
    return this.turns.reduce((sum, { session, turn }) => (session === of ? sum + wordsIn(turn) : sum), 0);
  }
}

const wordsIn = (turn: IndexedTurn): number => [...turn.terms.values()].reduce((sum, count) => sum + count, 0);
