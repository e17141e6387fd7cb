import type { Steps } from '@turnkeeper/domain';
import { reachOf, type TurnRecipe } from './recipe.js';

/** Postings of a term in one session: positions, with data about each. */
export interface SessionPostings {
  readonly session: number;
  readonly places: readonly number[];
  /** Term count per turn. */
  readonly counts: readonly number[];
  /** Number of words per turn. */
  readonly words: readonly number[];
  /** Term count in the session, including positions that are not listed. */
  readonly total: number;
  /** Number of words in the session. */
  readonly sessionWords: number;
}

/** Postings of one of the question's terms. */
export interface TermPostings {
  readonly term: string;
  /** Number of turns in scope that contain it, including those not listed. */
  readonly turns: number;
  /** Number of sessions in scope that contain it, including those not listed. */
  readonly sessions: number;
  readonly postings: readonly SessionPostings[];
}

/** Size of the searched scope. */
export interface ScopeSize {
  readonly turns: number;
  readonly sessions: number;
  /** Total number of words in its turns. */
  readonly words: number;
}

/** A turn's lexical score. Each part is a share of the question's maximum score. */
export interface LexicalScore {
  readonly session: number;
  readonly place: number;
  readonly context: number;
  readonly own: number;
  readonly inSession: number;
  /** The own-words part of the previous turn. */
  readonly before: number;
  /** The weighted sum that candidates are selected by. */
  readonly sum: number;
}

/** Inverse document frequency, as in BM25. */
const idf = (of: number, holding: number): number => Math.log(1 + (of - holding + 0.5) / (holding + 0.5));
const LEAST_WEIGHT = 1e-9;

/** A question's maximum score: every term beyond saturation. */
const mostPossible = (terms: readonly TermPostings[], size: ScopeSize): number =>
  Math.max(
    LEAST_WEIGHT,
    terms.reduce((sum, { turns }) => sum + idf(size.turns, turns), 0),
  );

/** Scores the turns that contain a term or are next to one that does; returns the `most` best, best first. A step per session. */
export function* scoreWords(
  terms: readonly TermPostings[],
  size: ScopeSize,
  recipe: TurnRecipe,
  most: number,
): Steps<LexicalScore[]> {
  const possible = mostPossible(terms, size);
  const bySession = new Map<number, { readonly term: TermPostings; readonly postings: SessionPostings }[]>();
  for (const term of terms) {
    for (const postings of term.postings) {
      const list = bySession.get(postings.session);
      if (list === undefined) bySession.set(postings.session, [{ term, postings }]);
      else list.push({ term, postings });
    }
  }
  const scores = new BestScores(most);
  const sums = new Sums();
  for (const [session, found] of bySession) {
    yield;
    scoreSession(session, found, size, possible, recipe, sums, scores);
  }
  return scores.list();
}

/** Sums by place, reused for all sessions: an array of its own for each would cost more than filling it. */
class Sums {
  context = new Float64Array(0);
  own = new Float64Array(0);
  spread = new Float64Array(0);

  clear(length: number): void {
    if (this.context.length < length) {
      this.context = new Float64Array(2 * length);
      this.own = new Float64Array(2 * length);
      this.spread = new Float64Array(2 * length);
      return;
    }
    this.context.fill(0, 0, length);
    this.own.fill(0, 0, length);
    this.spread.fill(0, 0, length);
  }
}

/** Numbers per score in `BestScores`, as in `LexicalScore`. */
const FIELDS = 7;
const SUM = 6;

/** The `most` best scores, as plain numbers: a question matches thousands of turns, and only the best become objects. */
class BestScores {
  private readonly numbers: number[] = [];
  /** Scores below are not among the best. */
  private least = -Infinity;
  /** Length of `numbers` beyond which the rest is dropped. */
  private room: number;

  constructor(private readonly most: number) {
    this.room = 4 * most * FIELDS;
  }

  add(
    session: number,
    place: number,
    context: number,
    own: number,
    inSession: number,
    before: number,
    sum: number,
  ): void {
    if (sum < this.least) return;
    this.numbers.push(session, place, context, own, inSession, before, sum);
    if (this.numbers.length > this.room) this.dropRest();
  }

  /** Best first. */
  list(): LexicalScore[] {
    this.dropRest();
    const scores: LexicalScore[] = [];
    for (let from = 0; from < this.numbers.length; from += FIELDS) scores.push(this.scoreAt(from));
    return scores.sort(byScore).slice(0, this.most);
  }

  private dropRest(): void {
    const { numbers, most } = this;
    const count = numbers.length / FIELDS;
    if (count > most) {
      const sums = new Float64Array(count);
      for (let at = 0; at < count; at += 1) sums[at] = numbers[at * FIELDS + SUM] ?? 0;
      this.least = sums.sort()[count - most] ?? -Infinity;
      let kept = 0;
      for (let from = 0; from < numbers.length; from += FIELDS) {
        if ((numbers[from + SUM] ?? 0) < this.least) continue;
        for (let field = 0; field < FIELDS; field += 1) numbers[kept + field] = numbers[from + field] as number;
        kept += FIELDS;
      }
      numbers.length = kept;
    }
    // Many equal scores may all stay.
    this.room = Math.max(this.room, 2 * numbers.length);
  }

  private scoreAt(from: number): LexicalScore {
    const { numbers } = this;
    return {
      session: numbers[from] ?? 0,
      place: numbers[from + 1] ?? 0,
      context: numbers[from + 2] ?? 0,
      own: numbers[from + 3] ?? 0,
      inSession: numbers[from + 4] ?? 0,
      before: numbers[from + 5] ?? 0,
      sum: numbers[from + SUM] ?? 0,
    };
  }
}

const byScore = (a: LexicalScore, b: LexicalScore): number =>
  b.sum - a.sum || a.session - b.session || a.place - b.place;

const scoreSession = (
  session: number,
  found: readonly { readonly term: TermPostings; readonly postings: SessionPostings }[],
  size: ScopeSize,
  possible: number,
  recipe: TurnRecipe,
  sums: Sums,
  into: BestScores,
): void => {
  const { neighbours } = recipe;
  const reach = reachOf(recipe);
  let first = Number.MAX_SAFE_INTEGER;
  let last = 0;
  for (const { postings } of found) {
    for (const place of postings.places) {
      if (place < first) first = place;
      if (place > last) last = place;
    }
  }
  const from = Math.max(1, first - reach);
  const length = last + reach - from + 1;
  sums.clear(length);
  const { context, own, spread } = sums;
  const usualTurn = Math.max(1, size.words / Math.max(1, size.turns));
  const usualSession = Math.max(1, size.words / Math.max(1, size.sessions));
  const { saturation, lengthPenalty, sessionSaturation, sessionLengthPenalty } = recipe;
  let inSession = 0;
  for (const { term, postings } of found) {
    const weight = idf(size.turns, term.turns);
    const { total, sessionWords } = postings;
    const touched: number[] = [];
    for (let index = 0; index < postings.places.length; index += 1) {
      const count = postings.counts[index] ?? 1;
      const at = (postings.places[index] ?? from) - from;
      const longer = 1 - lengthPenalty + (lengthPenalty * (postings.words[index] ?? usualTurn)) / usualTurn;
      own[at] = (own[at] ?? 0) + (weight * count) / (count + saturation * longer);
      for (let offset = 0; offset < neighbours.length; offset += 1) {
        // The weight for "one before" applies to a word one turn earlier, so it contributes forwards.
        const target = at + reach - offset;
        if (target < 0 || target >= length) continue;
        const before = spread[target] ?? 0;
        if (before === 0) touched.push(target);
        spread[target] = before + (neighbours[offset] ?? 0) * count;
      }
    }
    for (const at of touched) {
      const w = spread[at] ?? 0;
      context[at] = (context[at] ?? 0) + (weight * w) / (w + saturation);
      spread[at] = 0;
    }
    const longer = 1 - sessionLengthPenalty + (sessionLengthPenalty * sessionWords) / usualSession;
    inSession += (idf(size.sessions, term.sessions) * total) / (total + sessionSaturation * longer);
  }
  inSession /= possible;
  for (let at = 0; at < length; at += 1) {
    if (context[at] === 0) continue;
    const ofContext = (context[at] ?? 0) / possible;
    const ofOwn = (own[at] ?? 0) / possible;
    const sum = recipe.context * ofContext + recipe.own * ofOwn + recipe.session * inSession;
    into.add(session, from + at, ofContext, ofOwn, inSession, (at === 0 ? 0 : (own[at - 1] ?? 0)) / possible, sum);
  }
};
