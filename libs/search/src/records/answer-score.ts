import { createRequire } from 'node:module';
import type { AnswerEvidence } from './answer-evidence.js';

/** How alike a record's meaning is to the question's. */
export interface Likeness {
  /** Cosine, on the scale of the local model; null without vectors. */
  readonly likeness: number | null;
  /** Number of records that were compared. */
  readonly compared: number;
}

/** What a single matched word leaves open, as a factor per word. */
const LEFT_BY_A_WORD = 0.3;
/** More likeness than this is beyond chance. */
const CLOSE = 0.6;
/** Among more records, some has more to do with any question by chance. */
const FEW_RECORDS = 6;
const MANY_RECORDS = 400;

/** What tells how well a record answers, as numbers of about the same size. */
export const signalsOf = (evidence: AnswerEvidence, { likeness, compared }: Likeness) => ({
  share: evidence.share,
  matched: 1 - LEFT_BY_A_WORD ** evidence.matched,
  covered: evidence.covered,
  near: evidence.near,
  nearest: evidence.nearest,
  nearCovered: evidence.nearCovered,
  alike: evidence.alike,
  topics: evidence.topics,
  topicsAlike: evidence.topicsAlike,
  offTopic: evidence.offTopic * (1 - evidence.share),
  asksTopics: evidence.asksTopics,
  likeness: Math.max(0, likeness ?? 0),
  close: Math.max(0, (likeness ?? 0) - CLOSE),
  // What has the question's very words has them wherever it is.
  size: (1 - evidence.share) * Math.log2(Math.min(MANY_RECORDS, Math.max(FEW_RECORDS, compared)) / FEW_RECORDS),
  always: 1,
});

type Signal = keyof ReturnType<typeof signalsOf>;
type Weights = Readonly<Partial<Record<Signal, number>>>;

/**
 * Fitted to pairs of questions and records by `tools/quality/fit-scores.mjs`, separately without and with vectors.
 * `docs/quality.md` shows what they separate on pairs that were not used.
 */
const FITTED = createRequire(import.meta.url)('../../data/answer-weights.json') as Readonly<
  Record<'words' | 'vectors', Weights>
>;
/** Of languages whose words have neither vectors nor topics: set by hand. */
const PLAIN: Readonly<Record<'words' | 'vectors', Weights>> = {
  words: { share: 2.9, matched: 2.2, covered: 2.5, always: -3.2 },
  vectors: { share: 1.9, matched: 1.6, covered: 2.1, likeness: 9.9, size: -0.8, always: -3.6 },
};

/** Words of the question from which on they tell enough by themselves. */
const ENOUGH_WORDS = 2;

/** How well a record answers by its own words and meaning, 0–1. From 0.5 on it is likely to. */
export const answerScore = (evidence: AnswerEvidence, like: Likeness): number => {
  const signals = signalsOf(evidence, like);
  if (signals.share === 0 && signals.near === 0 && signals.topics === 0 && signals.likeness === 0) return 0;
  const mode = like.likeness === null ? 'words' : 'vectors';
  if (!evidence.knowsMeanings) return scored(PLAIN[mode], signals);
  const byWords = evidence.matched >= ENOUGH_WORDS ? scored(PLAIN.words, signals) : 0;
  return Math.max(byWords, scored(FITTED[mode], signals));
};

const scored = (weights: Weights, signals: Readonly<Record<Signal, number>>): number => {
  let sum = 0;
  for (const [signal, weight] of Object.entries(weights) as [Signal, number][]) sum += weight * signals[signal];
  return 1 / (1 + Math.exp(-sum));
};

/** Least nearness of the words' meanings, or likeness, that supports a score from what was said around a record. */
const SUPPORT = { near: 0.1, likeness: 0.35 };
/** Most that a record scores whose neighbours match the question and which does not itself. */
const MAX_UNSUPPORTED = 0.49;

/**
 * The score of a record that turns led to: theirs, if the record itself has to do with the question by a word, a topic or
 * its meaning. Neighbours help to find a record, and do not make it an answer.
 */
export const supportedScore = (byTurns: number, evidence: AnswerEvidence, { likeness }: Likeness): number =>
  evidence.share > 0 || evidence.topics > 0 || evidence.near >= SUPPORT.near || (likeness ?? 0) >= SUPPORT.likeness
    ? byTurns
    : Math.min(byTurns, MAX_UNSUPPORTED);
