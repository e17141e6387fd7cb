import type { Language, QueryContext } from '@turnkeeper/search';
import type { Tail } from './tail.js';

/** What the index holds of a scope: a row of `turn_scope`, with the number of events that it does not hold yet. */
export interface HeldScope {
  readonly indexed: number;
  readonly head: number;
  readonly asked: number;
  readonly sessions: number;
  readonly turns: number;
  readonly words: number;
  readonly first_day: number | null;
  readonly last_day: number | null;
  readonly speakers: readonly string[];
  readonly languages: readonly Language[];
  readonly session_key: number | null;
  readonly unread: number;
}

const A_DAY = 86_400_000;
const yearOf = (day: number): number => new Date(day * A_DAY).getUTCFullYear();
/** Maximum number of years tried for a date without a year. No memory spans centuries. */
const MAX_YEARS = 20;

/** What affects how a question about the scope is parsed. */
export const contextOf = (held: HeldScope, tail: Tail): QueryContext => {
  const days = [held.first_day, held.last_day, ...tail.added.map(({ turn }) => turn.day)].filter((day) => day !== null);
  const last = days.length === 0 ? 0 : yearOf(days.reduce((a, b) => Math.max(a, b)));
  const first = days.length === 0 ? 0 : yearOf(days.reduce((a, b) => Math.min(a, b)));
  const years = Array.from({ length: Math.min(MAX_YEARS, last - first + 1) }, (_, at) => last - at);
  const speakers = new Set(held.speakers);
  const languages = new Set<Language>(held.languages);
  for (const { turn } of tail.added) {
    if (turn.speaker !== null) speakers.add(turn.speaker);
    languages.add(turn.language);
  }
  return { years, speakers: [...speakers], languages: languages.size === 0 ? (['en'] as const) : [...languages] };
};
