import type { Candidate, WindowMessage } from '@turnkeeper/domain';
import { isUser } from './rules/speakable.js';
import { isQuestion, sentencesOf } from './text/sentences.js';

/** Sentences that one window adds to the summary, and the longest of them in characters. */
const MOST_SENTENCES = 4;
const LONGEST_SENTENCE = 220;
const DECISION =
  /\b(?:decided|agreed|booked|cancelled|signed|accepted|chose|bought|moved|quit|started|joined|is going to|will|plans? to|got married|engaged|lost their job)\b/;
const NAME = /(?<=\p{L}[\p{L},;']* )\p{Lu}\p{L}+/gu;

/**
 * The summary so far, with the sentences of a window that carry most: decisions, named things and dates before the
 * rest, and the question that the user left open at its end. Each is a fact that the rules understood, so it can be
 * read alone.
 *
 * @returns null when the window adds nothing and there was no summary before
 */
export const summarised = (
  before: string | null,
  facts: readonly Candidate[],
  messages: readonly WindowMessage[],
): string | null => {
  const ranked = facts
    .filter(({ text }) => text.length <= LONGEST_SENTENCE)
    .map((fact, index) => ({ text: fact.text, index, weight: weightOf(fact, index, facts.length) }))
    .toSorted((one, other) => other.weight - one.weight || one.index - other.index)
    .slice(0, MOST_SENTENCES)
    .toSorted((one, other) => one.index - other.index);
  const told = new Set(before === null ? [] : sentencesOf(before).map(({ text }) => text));
  const added = ranked.map(({ text }) => text).filter((text) => !told.has(text));
  const open = openQuestion(messages);
  const parts = [...(before === null || before === '' ? [] : [before]), ...added, ...(open === null ? [] : [open])];
  return parts.length === 0 ? null : parts.join(' ');
};

const weightOf = ({ text, eventTime }: Candidate, index: number, count: number): number =>
  (DECISION.test(text) ? 3 : 0) +
  Math.min(3, text.match(NAME)?.length ?? 0) +
  (eventTime === undefined || eventTime === null ? 0 : 1) +
  (/\d/.test(text) ? 1 : 0) +
  (index === 0 || index === count - 1 ? 1 : 0);

/** What the user asked last, when nobody has spoken since. */
const openQuestion = (messages: readonly WindowMessage[]): string | null => {
  const last = messages.at(-1);
  if (last === undefined || !isUser(last.role)) return null;
  const asked = sentencesOf(last.content).at(-1)?.text ?? '';
  return isQuestion(asked) && asked.length <= LONGEST_SENTENCE && !/["“”]/.test(asked) ? `Left open: "${asked}"` : null;
};
