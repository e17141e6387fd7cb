import { isUserRole } from '../session/roles.js';
import type { Strength } from './record-details.js';
import { type RecordSource, statementsIn } from './record-events.js';

/** Hedged statements. Tried first, because "does not really love" is not love. */
const WEAK =
  /\b(?:ok|okay|fine|all right|alright) with\b|\b(?:does not|do not|doesn't|don't) mind\b|\b(?:not|n't) (?:really |particularly |especially )?(?:love|adore)|\b(?:not|n't) (?:really|particularly|especially|very|much)\b|\b(?:kind|sort) of\b|\b(?:somewhat|slightly|a little|a bit|sometimes|occasionally|rarely|now and then|might|maybe)\b/i;

/** Love and hate, superlatives, and constraints (what a person cannot or must not do). */
const STRONG =
  /\b(?:lov(?:e|es|ed|ing)|ador(?:e|es|ed)|hat(?:e|es|ed)|detests?|loathes?|despises?|craves?|(?:cannot|can't|can not) stand|obsessed|passionate|addicted|crazy about|favou?rites?|the (?:best|worst)|absolutely|allerg(?:y|ies|ic)|intoleran(?:t|ce)|vegan|vegetarian|pescatarian|diabetic|co?eliac|(?:cannot|can't|can not|must not|mustn't|never|always|only|not allowed)\b)/i;

/**
 * How strongly a sentence states a preference: love, hate and constraints are strong; "okay with" and "sometimes" are
 * weak; likes and habits are moderate. English only: a sentence in another language is moderate.
 */
export const strengthOf = (text: string): Strength =>
  WEAK.test(text) ? 'weak' : STRONG.test(text) ? 'strong' : 'moderate';

/**
 * How often a fact was stated: the number of distinct user messages among its sources, or of agent messages if the user
 * never stated it. Context, such as the question before a short answer, is not counted.
 */
export const timesSeen = (sources: readonly Pick<RecordSource, 'eventId' | 'role' | 'context'>[]): number => {
  const statements = statementsIn(sources);
  const byUser = statements.filter(({ role }) => isUserRole(role));
  return new Set((byUser.length > 0 ? byUser : statements).map(({ eventId }) => eventId)).size;
};
