import { ExtractionFailed, type ExistingRecord, type ExtractionInput, type ReadAnswer } from '@turnkeeper/application';
import {
  MAX_FACTS_PER_WINDOW,
  strategyKind,
  validEventTime,
  type Candidate,
  type EventTime,
  type Relation,
} from '@turnkeeper/domain';
import { datedEpisode } from '../episodes/dated-episode.js';
import { aliasesOf, type Aliases } from './conversation.js';
import { findJson } from './find-json.js';
import { storable } from './storable.js';

const MOST_SOURCES = 20;
/** In characters; the strategy's own limit is applied when the summary is folded in. */
const LONGEST_SUMMARY = 100_000;

/**
 * Parses the candidates and the summary, if any, from a model's text. All or nothing: one malformed item fails the
 * whole answer, because a silently dropped fact would look like one that was never stated.
 *
 * @throws ExtractionFailed `model.truncated_answer`, `model.unreadable_answer`, `model.too_many_facts`
 */
export const readFacts = (
  content: string,
  aliases: Aliases,
  existing: readonly ExistingRecord[] = [],
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
    const candidate = candidateOf(item, aliases, existing);
    if (candidate === null) throw failed('model.unreadable_answer', 'A fact has the wrong shape.', content);
    return candidate;
  });
  const summary = field(found.value, 'summary');
  return { candidates, summary: typeof summary === 'string' ? oneLine(summary).slice(0, LONGEST_SUMMARY) : null };
};

/** Parses a model's answer about the window that it was shown. Throws like `readFacts`. */
export const readAnswer = (input: ExtractionInput, rawAnswer: string): ReadAnswer => {
  const { candidates, summary } = readFacts(rawAnswer, aliasesOf(input.context, input.messages), input.existing ?? []);
  switch (strategyKind(input.strategyType).summary) {
    case 'running':
      return { candidates, summary };
    case 'episode':
      return { candidates: candidates.map((candidate) => datedEpisode(input, candidate)) };
    case 'none':
      return { candidates };
  }
};

const candidateOf = (item: unknown, aliases: Aliases, existing: readonly ExistingRecord[]): Candidate | null => {
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
  const eventTime = eventTimeOf(field(item, 'event_time'));
  const relation = relationOf(field(item, 'relation'), existing);
  return {
    text: oneLine(text),
    sources: read.filter((source) => source !== null),
    ...(eventTime === null ? {} : { eventTime }),
    ...(relation === null ? {} : { relations: [relation] }),
  };
};

/** An invalid time is dropped: the fact is valid without it. */
const eventTimeOf = (value: unknown): EventTime | null => {
  const [from, to] = [field(value, 'from') ?? null, field(value, 'to') ?? null];
  const isDay = (day: unknown): day is string | null => day === null || typeof day === 'string';
  return isDay(from) && isDay(to) ? validEventTime({ from, to }) : null;
};

/** Null for a new fact. A number that was not listed gives a relation without a record, which `admit` counts. */
const relationOf = (value: unknown, existing: readonly ExistingRecord[]): Relation | null => {
  const kind = field(value, 'kind');
  if (kind !== 'sameAs' && kind !== 'replaces') return null;
  const number = field(value, 'record');
  const recordId = typeof number === 'number' ? (existing[number - 1]?.recordId ?? null) : null;
  return { kind: kind === 'sameAs' ? 'same' : 'replaces', recordId };
};

const oneLine = (text: string): string =>
  storable(text)
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();

/** An own property of a plain object; undefined otherwise. */
const field = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;

const failed = (code: string, message: string, raw: string): ExtractionFailed =>
  new ExtractionFailed(code, message, storable(raw));
