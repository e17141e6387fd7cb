import { ExtractionFailed, type ExtractionInput, type ReadAnswer } from '@turnkeeper/application';
import { MAX_FACTS_PER_WINDOW, type Candidate } from '@turnkeeper/domain';
import { aliasesOf, type Aliases } from './conversation.js';
import { findJson } from './find-json.js';
import { storable } from './storable.js';

const MOST_SOURCES = 20;
/** Characters; the strategy's own limit is applied when the summary is folded in. */
const LONGEST_SUMMARY = 100_000;

/**
 * Reads the candidates and, where there is one, the summary out of a model's text. All or nothing: one item of the wrong shape fails the answer, for a
 * fact dropped in silence would look like a fact that was never said.
 *
 * @throws ExtractionFailed `model.truncated_answer`, `model.unreadable_answer`, `model.too_many_facts`
 */
export const readFacts = (
  content: string,
  aliases: Aliases,
): { readonly candidates: Candidate[]; readonly summary: string | null } => {
  const found = findJson(content);
  if (found.kind === 'truncated') throw failed('model.truncated_answer', 'The answer breaks off.', content);
  if (found.kind === 'none') throw failed('model.unreadable_answer', 'There is no JSON in the answer.', content);
  const facts = Array.isArray(found.value) ? (found.value as unknown[]) : field(found.value, 'facts');
  if (!Array.isArray(facts)) {
    throw failed('model.unreadable_answer', 'The answer is JSON of another shape.', content);
  }
  if (facts.length > MAX_FACTS_PER_WINDOW) {
    const message = `The answer has ${facts.length} facts; one window gives ${MAX_FACTS_PER_WINDOW} at most.`;
    throw failed('model.too_many_facts', message, content);
  }
  const candidates = facts.map((item: unknown) => {
    const candidate = candidateOf(item, aliases);
    if (candidate === null) throw failed('model.unreadable_answer', 'A fact has the wrong shape.', content);
    return candidate;
  });
  const summary = field(found.value, 'summary');
  return { candidates, summary: typeof summary === 'string' ? oneLine(summary).slice(0, LONGEST_SUMMARY) : null };
};

/** What the answer of a model says about the window that it was shown. Throws like `readFacts`. */
export const readAnswer = (input: ExtractionInput, rawAnswer: string): ReadAnswer => {
  const { candidates, summary } = readFacts(rawAnswer, aliasesOf(input.context, input.messages));
  return input.strategyType === 'SUMMARY' ? { candidates, summary } : { candidates };
};

const candidateOf = (item: unknown, aliases: Aliases): Candidate | null => {
  const text = field(item, 'text');
  const sources = field(item, 'sources');
  if (typeof text !== 'string' || !Array.isArray(sources) || sources.length > MOST_SOURCES) return null;
  const read = sources.map((source: unknown) => {
    const event = field(source, 'event');
    const quote = field(source, 'quote');
    if (typeof event !== 'string' || typeof quote !== 'string') return null;
    return { eventId: aliases.eventId(storable(event.trim())), quote: storable(quote) };
  });
  if (read.includes(null)) return null;
  return { text: oneLine(text), sources: read.filter((source) => source !== null) };
};

const oneLine = (text: string): string =>
  storable(text)
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();

/** An own property of a plain object; undefined for anything else. */
const field = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;

const failed = (code: string, message: string, raw: string): ExtractionFailed =>
  new ExtractionFailed(code, message, storable(raw));
