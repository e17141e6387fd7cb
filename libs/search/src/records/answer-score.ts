import type { AnswerEvidence } from './answer-evidence.js';

/**
 * Which evidence maps to a score of 0.5. Fitted to pairs of questions and records, separately without and with vectors;
 * `docs/quality.md` shows what they separate on pairs that were not used.
 */
interface Weights {
  readonly share: number;
  readonly matched: number;
  readonly covered: number;
  readonly likeness: number;
  readonly even: number;
}
const BY_WORDS: Weights = { share: 2.9, matched: 2.2, covered: 2.5, likeness: 0, even: 3.2 };
const WITH_VECTORS: Weights = { share: 1.9, matched: 1.6, covered: 2.1, likeness: 9.9, even: 5.4 };
/** What a single matched word leaves open, as a factor per word. */
const LEFT_BY_A_WORD = 0.3;

/** Among more records, the most alike is more alike by chance: the evidence that is needed grows with each doubling. */
const BY_DOUBLING = 0.8;
const USUAL_RECORDS = 30;
const FEWEST_RECORDS = 6;
const MANY_RECORDS = 400;

/** What a record loses for being less alike than the best one, beyond a difference that says nothing. */
const BEHIND = { weight: 2.5, spare: 0.1 };

/** Least share of the question's words, or likeness, that supports a score from what was said around a record. */
const SUPPORT = { share: 0.15, likeness: 0.35 };
/** Most that a record scores whose neighbours match the question and which does not itself. */
const MOST_UNSUPPORTED = 0.49;

/** How alike a record's meaning is to the question's, among how many records. */
export interface Likeness {
  /** Cosine, on the scale of the local model. */
  readonly likeness: number;
  /** That of the record that is most alike. */
  readonly best: number;
  readonly compared: number;
}

/**
 * How well a record answers by its own words and meaning, 0–1.
 *
 * @param like null without vectors
 */
export const answerScore = ({ share, matched, covered }: AnswerEvidence, like: Likeness | null): number => {
  const weights = like === null ? BY_WORDS : WITH_VECTORS;
  const evidence =
    weights.share * share +
    weights.matched * (1 - LEFT_BY_A_WORD ** matched) +
    weights.covered * covered +
    weights.likeness * Math.max(0, like?.likeness ?? 0) -
    (like === null ? 0 : BEHIND.weight * Math.max(0, like.best - like.likeness - BEHIND.spare));
  if (evidence <= 0) return 0;
  return 1 / (1 + Math.exp(weights.even + bySize(like) - evidence));
};

const bySize = (like: Likeness | null): number => {
  if (like === null) return 0;
  const records = Math.min(MANY_RECORDS, Math.max(FEWEST_RECORDS, like.compared));
  return BY_DOUBLING * Math.log2(records / USUAL_RECORDS);
};

/**
 * The score of a record that turns led to: theirs, if the record itself has to do with the question. Neighbours help to
 * find a record, and do not make it an answer.
 */
export const supportedScore = (byTurns: number, { share }: AnswerEvidence, like: Likeness | null): number =>
  share >= SUPPORT.share || (like?.likeness ?? 0) >= SUPPORT.likeness ? byTurns : Math.min(byTurns, MOST_UNSUPPORTED);
