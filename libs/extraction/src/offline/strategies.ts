import type { StrategyType, WindowMessage } from '@turnkeeper/domain';
import { preferenceIn } from './rules/preferences.js';
import { topicOf } from './rules/topic.js';
import { isReport } from './rules/reported.js';
import { KEEP_FROM, salienceOf } from './rules/salience.js';
import { smallTalkIn } from './rules/small-talk.js';
import { isUser } from './rules/speakable.js';
import { leansOnBefore, mentionsSpeaker } from './rules/subject.js';
import { wordCount } from './text/clauses.js';

/**
 * What a clause is good for: `own` tells of the speaker and is rewritten in the third person, `report` tells of
 * something else and is kept as said by the speaker; null is left out.
 */
export type Verdict = 'own' | 'report' | null;
export type Judge = (clause: string, message: WindowMessage) => Verdict;

/** A longer clause is a monologue that the rules did not understand. */
const MAX_CLAUSE_LENGTH = 400;
/** "I am vegetarian." */
const MIN_WORDS = 3;
/** A preference is worth keeping however short it is. */
const PREFERENCE_BONUS = 1;
/** A summary takes only what stands out. */
const SUMMARY_FROM = KEEP_FROM + 3;

const isFactual = (clause: string): boolean =>
  wordCount(clause) >= MIN_WORDS &&
  clause.length <= MAX_CLAUSE_LENGTH &&
  smallTalkIn(clause) === null &&
  !leansOnBefore(clause);

const semantic = (clause: string, from: number): Verdict => {
  if (!isFactual(clause)) return null;
  if (mentionsSpeaker(clause)) {
    const salience = salienceOf(clause) + (preferenceIn(clause) === null ? 0 : PREFERENCE_BONUS);
    return salience >= from ? 'own' : null;
  }
  return isReport(clause) ? 'report' : null;
};

/**
 * What each strategy keeps.
 *
 * - SEMANTIC: facts of both sides.
 * - USER_PREFERENCE: likes, dislikes, habits and constraints, in the user's own words only.
 * - CUSTOM: rules cannot follow a prompt. Of the semantic facts those are kept that share a word with it; a prompt
 *   without a telling word ("remember what matters") keeps none.
 * - SUMMARY: the semantic facts that stand out; the rolling summary itself is made elsewhere.
 */
export const judgeFor = (type: StrategyType, customPrompt: string | null): Judge => {
  switch (type) {
    case 'SEMANTIC':
      return (clause) => semantic(clause, KEEP_FROM);
    case 'USER_PREFERENCE':
      return (clause, message) =>
        isUser(message.role) && isFactual(clause) && mentionsSpeaker(clause) && preferenceIn(clause) !== null
          ? 'own'
          : null;
    case 'CUSTOM': {
      const topic = topicOf(customPrompt ?? '');
      return (clause) => (topic.covers(clause) ? semantic(clause, KEEP_FROM) : null);
    }
    case 'SUMMARY':
      return (clause) => semantic(clause, SUMMARY_FROM);
  }
};
