import type { FoundBy, RecordView } from '@turnkeeper/application';
import { statementsIn } from '@turnkeeper/domain';
import { answerReader, answerScore, factorBySide, ownTextOf, supportedScore, type Likeness } from '@turnkeeper/search';
import { SUBJECTS } from './record-search.sql.js';

interface Scored {
  readonly score: number;
  readonly foundBy: FoundBy;
}

/**
 * Scores records by what they say themselves: their text, their quotes, and the question that they answer;
 * not by the sentence that a note quotes to tell what it is about.
 *
 * @param speakers lower-case names
 * @param others texts of other records of the namespace
 */
export const scorer = (
  question: string,
  speakers: readonly string[],
  others: readonly string[],
): ((record: Pick<RecordView, 'text' | 'sources'>, byTurns: number, like: Likeness) => Scored) => {
  const read = answerReader(question, [...SUBJECTS, 'customer', ...speakers], others);
  const factor = factorBySide(question, speakers);
  return ({ text, sources }, byTurns, like) => {
    const statements = statementsIn(sources);
    const own = ownTextOf(text);
    const evidence = read({
      said: [own, ...statements.map(({ quote }) => quote)],
      asked: sources.flatMap(({ context, quote }) =>
        context !== true || (text.includes(quote) && !own.includes(quote)) ? [] : [quote],
      ),
    });
    const foundBy = { words: evidence.share, meaning: like.likeness, turns: byTurns };
    // Turns say more of a record that is based on them than its words do, which are few of theirs.
    const byWords = sources.length > 0 && like.likeness === null ? 0 : answerScore(evidence, like);
    const score = Math.max(byWords, sources.length > 0 ? supportedScore(byTurns, evidence, like) : 0);
    return { score: score * (factor?.({ text, roles: statements.map(({ role }) => role) }) ?? 1), foundBy };
  };
};
