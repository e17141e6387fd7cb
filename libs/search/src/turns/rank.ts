import { nearness } from '../query/dates.js';
import type { TurnQuery } from '../query/read-query.js';
import type { LexicalScore } from './lexical.js';
import { OPENING_TURNS, type TurnRecipe } from './recipe.js';
import type { TurnTraits } from './turn.js';

/** The weighted parts of a turn's score. They add up to `sum`; `score` is `sum` times `speakerFactor`. */
interface ScoreParts {
  readonly context: number;
  readonly own: number;
  readonly session: number;
  readonly answersQuestion: number;
  readonly date: number;
  readonly when: number;
  readonly names: number;
  readonly opening: number;
  readonly asks: number;
  readonly meaning: number;
  readonly speakerFactor: number;
}

export interface RankedTurn {
  readonly session: number;
  readonly place: number;
  /** The recipe's sum, not yet mapped to 0–1. */
  readonly raw: number;
  readonly parts: ScoreParts;
}

/**
 * One turn's score by the whole recipe.
 *
 * @param isAnswer the previous turn in its session contains a question
 * @param meaning weighted similarity of its vector to the question's; 0 without vectors
 */
export const scoreTurn = (
  query: TurnQuery,
  words: LexicalScore,
  turn: TurnTraits,
  isAnswer: boolean,
  recipe: TurnRecipe,
  meaning = 0,
): RankedTurn => {
  const parts: ScoreParts = {
    context: recipe.context * words.context,
    own: recipe.own * words.own,
    session: recipe.session * words.inSession,
    answersQuestion: isAnswer ? recipe.answers * words.before : 0,
    date: recipe.date * nearness(turn.day, query.windows),
    when: query.asksWhen && turn.hasTimeWord ? recipe.when : 0,
    names: recipe.names * turn.names,
    opening: words.place <= OPENING_TURNS ? recipe.opening : 0,
    asks: turn.endsWithQuestion ? recipe.asks : 0,
    meaning,
    speakerFactor: saidBy(query.speaker, turn) ? recipe.speaker : 1,
  };
  // Written out, because this runs for every candidate of every search.
  const { context, own, session, answersQuestion, date, when, names, opening, asks } = parts;
  const sum = context + own + session + answersQuestion + date + when + names + opening + asks + meaning;
  return { session: words.session, place: words.place, raw: sum * parts.speakerFactor, parts };
};

const saidBy = (speaker: TurnQuery['speaker'], turn: TurnTraits): boolean => {
  if (speaker === null) return false;
  return 'name' in speaker ? turn.speaker === speaker.name : turn.role === speaker.role;
};

/** Best first; ties are broken by the earlier turn. */
export const byRank = (a: RankedTurn, b: RankedTurn): number =>
  b.raw - a.raw || a.session - b.session || a.place - b.place;
