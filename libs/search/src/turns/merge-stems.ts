import type { QueryTerm } from '../query/read-query.js';
import type { ScopeSize, SessionPostings, TermPostings } from './lexical.js';

/** The distinct stems of a query's terms: the index knows only stems. */
export const stemsOf = (terms: readonly QueryTerm[]): string[] => [
  ...new Set(terms.flatMap(({ stems, meant = [] }) => [...stems, ...meant])),
];

/**
 * Postings of a query's terms. Several stems of one term count like repetitions of it.
 *
 * @param ofStems postings of each of `stemsOf(terms)`
 */
export const mergeStems = (
  terms: readonly QueryTerm[],
  ofStems: readonly TermPostings[],
  size: ScopeSize,
): TermPostings[] => {
  const byStem = new Map(ofStems.map((postings) => [postings.term, postings]));
  const foundOf = (stems: readonly string[]) =>
    stems.flatMap((stem) => byStem.get(stem) ?? []).filter(({ turns }) => turns > 0);
  return terms.map(({ term, stems, meant = [] }) => {
    const own = foundOf(stems);
    const found = own.length > 0 ? own : foundOf(meant).slice(0, 1);
    const [only] = found;
    if (only === undefined) return { term, turns: 0, sessions: 0, postings: [] };
    return found.length === 1 ? { ...only, term } : merged(term, found, size);
  });
};

const merged = (term: string, found: readonly TermPostings[], size: ScopeSize): TermPostings => {
  const bySession = new Map<number, SessionPostings[]>();
  for (const one of found.flatMap(({ postings }) => postings)) {
    const list = bySession.get(one.session);
    if (list === undefined) bySession.set(one.session, [one]);
    else list.push(one);
  }
  const postings = Array.from(bySession.values(), mergedInSession);
  const isComplete = found.every((stem) => stem.turns === placesIn(stem.postings));
  return {
    term,
    postings,
    turns: isComplete ? placesIn(postings) : holdingAny(found, size, 'turns'),
    sessions: isComplete ? postings.length : holdingAny(found, size, 'sessions'),
  };
};

const placesIn = (postings: readonly SessionPostings[]): number =>
  postings.reduce((sum, { places }) => sum + places.length, 0);

/** The number that holds any of the stems, as if these were independent: of very many turns, not all are listed. */
const holdingAny = (found: readonly TermPostings[], size: ScopeSize, of: 'turns' | 'sessions'): number => {
  const all = Math.max(1, size[of]);
  return all * (1 - found.reduce((none, stem) => none * Math.max(0, 1 - stem[of] / all), 1));
};

const mergedInSession = (found: readonly SessionPostings[]): SessionPostings => {
  const [first] = found as [SessionPostings];
  if (found.length === 1) return first;
  const turns = new Map<number, { count: number; readonly words: number }>();
  for (const { places, counts, words } of found) {
    for (const [index, place] of places.entries()) {
      const count = counts[index] ?? 1;
      const turn = turns.get(place);
      if (turn === undefined) turns.set(place, { count, words: words[index] ?? 0 });
      else turn.count += count;
    }
  }
  return {
    ...first,
    places: [...turns.keys()],
    counts: Array.from(turns.values(), ({ count }) => count),
    words: Array.from(turns.values(), ({ words }) => words),
    total: found.reduce((sum, { total }) => sum + total, 0),
    // A stem that only occurs in turns beyond the index knows the length of these alone.
    sessionWords: Math.max(...found.map(({ sessionWords }) => sessionWords)),
  };
};
