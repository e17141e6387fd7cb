import { ExtractionFailed, type ExistingRecord, type ExtractionInput, type ReadAnswer } from '@turnkeeper/application';
import {
  isUserRole,
  MAX_FACTS_PER_WINDOW,
  RECORD_CATEGORIES,
  RELATION_KINDS,
  STRENGTHS,
  strategyKind,
  validEventTime,
  type Candidate,
  type EventTime,
  type Relation,
  type WindowMessage,
} from '@turnkeeper/domain';
import { datedEpisode } from '../episodes/dated-episode.js';
import { aliasesOf, type Aliases } from './conversation.js';
import { findJson } from './find-json.js';
import { storable } from './storable.js';

const MOST_SOURCES = 20;
const MOST_RELATIONS = 20;
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
  const { context, messages, existing = [], strategyType } = input;
  const { candidates, summary } = readFacts(rawAnswer, aliasesOf(context, messages), existing);
  const isActor = actorNames([...context, ...messages]);
  const named = candidates.map(({ subject, ...fact }) =>
    subject == null || isActor(subject) ? fact : { ...fact, subject },
  );
  switch (strategyKind(strategyType).summary) {
    case 'running':
      return { candidates: named, summary };
    case 'episode':
      return { candidates: named.map((candidate) => ({ ...datedEpisode(input, candidate), category: 'event' })) };
    case 'none':
      return { candidates: named };
  }
};

/**
 * Names by which models call the session's actor, who has no subject: the speaker's name, and the prompt's words. What an
 * agent without a name does is about the actor too.
 */
const WORDS_FOR_ACTOR = ['user', 'the user', 'agent', 'the agent', 'assistant', 'the assistant'];

const actorNames = (messages: readonly WindowMessage[]) => {
  const speakers = new Set(messages.flatMap(({ role, speaker }) => (isUserRole(role) ? [speaker] : [])));
  const [only] = speakers;
  const names = new Set([...WORDS_FOR_ACTOR, ...(speakers.size === 1 && only != null ? [only.toLowerCase()] : [])]);
  return (subject: string): boolean => names.has(subject.trim().toLowerCase());
};

const candidateOf = (item: unknown, aliases: Aliases, existing: readonly ExistingRecord[]): Candidate | null => {
  const text = field(item, 'text');
  const cited = field(item, 'sources');
  const sources: unknown[] = Array.isArray(cited) ? cited : [cited];
  if (typeof text !== 'string' || sources.length > MOST_SOURCES) return null;
  const read = sources.map((source) => {
    const event = field(source, 'event');
    const quote = field(source, 'quote');
    if (typeof event !== 'string' || typeof quote !== 'string') return null;
    return { eventId: aliases.eventId(storable(event.trim())), quote: storable(quote) };
  });
  if (read.includes(null)) return null;
  const eventTime = eventTimeOf(field(item, 'event_time'));
  const relations = relationsOf(item, existing);
  return {
    text: oneLine(text),
    sources: read.filter((source) => source !== null),
    ...detailsOf(item),
    ...(eventTime === null ? {} : { eventTime }),
    ...(relations.length === 0 ? {} : { relations }),
  };
};

/** Details of the wrong shape are left out: the fact is valid without them. */
const detailsOf = (item: unknown): Pick<Candidate, 'category' | 'subject' | 'attribute' | 'strength'> => {
  const category = RECORD_CATEGORIES.find((known) => known === field(item, 'category'));
  const strength = STRENGTHS.find((known) => known === field(item, 'strength'));
  const subject = field(item, 'subject');
  const given = field(item, 'attribute');
  const [name, value, single] = [field(given, 'name'), field(given, 'value'), field(given, 'single')];
  const written = typeof value === 'number' ? String(value) : value;
  return {
    ...(category === undefined ? {} : { category }),
    ...(strength === undefined ? {} : { strength }),
    ...(typeof subject === 'string' && subject.trim() !== '' ? { subject: oneLine(subject) } : {}),
    ...(typeof name === 'string' && typeof written === 'string'
      ? { attribute: { name: oneLine(name), value: oneLine(written), single: single === true } }
      : {}),
  };
};

/** An invalid time is dropped: the fact is valid without it. */
const eventTimeOf = (value: unknown): EventTime | null => {
  const [from, to] = [field(value, 'from') ?? null, field(value, 'to') ?? null];
  const isDay = (day: unknown): day is string | null => day === null || typeof day === 'string';
  return isDay(from) && isDay(to) ? validEventTime({ from, to }) : null;
};

/**
 * None for a new fact. A number that was not listed gives a relation without a record, which `admit` counts. Answers to
 * prompts of earlier releases have one `relation`.
 */
const relationsOf = (item: unknown, existing: readonly ExistingRecord[]): Relation[] => {
  const given = field(item, 'relations') ?? field(item, 'relation');
  return (Array.isArray(given) ? (given as unknown[]) : [given]).slice(0, MOST_RELATIONS).flatMap((relation) => {
    const named = field(relation, 'kind');
    const kind = named === 'sameAs' ? 'same' : RELATION_KINDS.find((known) => known === named);
    if (kind === undefined) return [];
    const number = field(relation, 'record');
    return [{ kind, recordId: typeof number === 'number' ? (existing[number - 1]?.recordId ?? null) : null }];
  });
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
