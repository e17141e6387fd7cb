import { ExtractionFailed, type ExistingRecord, type ExtractionInput, type ReadAnswer } from '@turnkeeper/application';
import {
  isUserRole,
  MAX_FACTS_PER_WINDOW,
  outputOf,
  RECORD_CATEGORIES,
  RELATION_KINDS,
  STRENGTHS,
  strategyKind,
  validEventTime,
  type Candidate,
  type EventTime,
  type OutputSchema,
  type Relation,
  type WindowMessage,
} from '@turnkeeper/domain';
import { datedEpisode } from '../episodes/dated-episode.js';
import { aliasesOf, type Aliases } from './conversation.js';
import { findJson } from './find-json.js';
import { storable } from './storable.js';

/** An episode cites every message that it tells of. Further sources of a fact are left out. */
const MAX_SOURCES = 200;
const MAX_RELATIONS = 20;
/** In characters; the strategy's own limit is applied when the summary is folded in. */
const LONGEST_SUMMARY = 100_000;

/**
 * Parses the candidates and the summary, if any, from a model's text. Facts of the wrong shape, or whose data does not fit
 * the output schema, are counted: asking again
 * would cost as much and mostly give the same answer. An answer without any other fact fails.
 *
 * @throws ExtractionFailed `model.truncated_answer`, `model.unreadable_answer`, `model.too_many_facts`
 */
export const readFacts = (
  content: string,
  aliases: Aliases,
  existing: readonly ExistingRecord[] = [],
  outputSchema: OutputSchema | null = null,
): { readonly candidates: Candidate[]; readonly summary: string | null; readonly malformed: number } => {
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
  const candidates = facts.flatMap((item: unknown) => candidateOf(item, aliases, existing, outputSchema) ?? []);
  if (candidates.length === 0 && facts.length > 0) {
    throw failed('model.unreadable_answer', 'All facts have the wrong shape.', content);
  }
  const summary = field(found.value, 'summary');
  return {
    candidates,
    summary: typeof summary === 'string' ? oneLine(summary).slice(0, LONGEST_SUMMARY) : null,
    malformed: facts.length - candidates.length,
  };
};

/** Parses a model's answer about the window that it was shown. Throws like `readFacts`. */
export const readAnswer = (input: ExtractionInput, rawAnswer: string): ReadAnswer => {
  const { context, messages, existing = [], strategyType, outputSchema } = input;
  const { candidates, summary, malformed } = readFacts(rawAnswer, aliasesOf(context, messages), existing, outputSchema);
  const skipped = malformed === 0 ? {} : { skipped: { malformed } };
  const isActor = actorNames([...context, ...messages], [...existing, ...candidates]);
  const named = candidates.map(({ subject, ...fact }) =>
    subject == null || isActor(subject) ? fact : { ...fact, subject },
  );
  switch (strategyKind(strategyType).summary) {
    case 'running':
      return { candidates: named, summary, ...skipped };
    case 'episode':
      return {
        candidates: named.map((candidate) => ({ ...datedEpisode(input, candidate), category: 'event' })),
        ...skipped,
      };
    case 'none':
      return { candidates: named, ...skipped };
  }
};

/**
 * Names by which models call the session's actor, who has no subject: the speaker's name, the name given in the
 * conversation or in a record, and the prompt's words. What an agent without a name does is about the actor too.
 */
const WORDS_FOR_ACTOR = ['user', 'caller', 'customer', 'agent', 'assistant'].flatMap((word) => [word, `the ${word}`]);

const actorNames = (messages: readonly WindowMessage[], facts: readonly Pick<Candidate, 'subject' | 'attribute'>[]) => {
  const speakers = messages.flatMap(({ role, speaker }) => (isUserRole(role) ? [speaker] : []));
  const given = facts.flatMap(({ subject, attribute }) =>
    subject == null && attribute?.name === 'name' ? [attribute.value] : [],
  );
  const names = new Set([...WORDS_FOR_ACTOR, ...[speakers, given].flatMap(onlyOne)]);
  return (subject: string): boolean => names.has(subject.trim().toLowerCase());
};

/** Several names may be those of several people. */
const onlyOne = (names: readonly (string | null)[]): string[] => {
  const [name, ...more] = new Set(names.map((one) => one?.toLowerCase() ?? null));
  return name == null || more.length > 0 ? [] : [name];
};

const candidateOf = (
  item: unknown,
  aliases: Aliases,
  existing: readonly ExistingRecord[],
  outputSchema: OutputSchema | null,
): Candidate | null => {
  const text = field(item, 'text');
  const cited = field(item, 'sources');
  const sources: unknown[] = Array.isArray(cited) ? cited : [cited];
  if (typeof text !== 'string') return null;
  const read = sources.slice(0, MAX_SOURCES).map((source) => {
    const event = field(source, 'event');
    const quote = field(source, 'quote');
    if (typeof event !== 'string' || typeof quote !== 'string') return null;
    return { eventId: aliases.eventId(storable(event.trim())), quote: storable(quote) };
  });
  const data = outputSchema === null ? null : outputOf(outputSchema, field(item, 'data'));
  if (read.includes(null) || data === undefined) return null;
  const eventTime = eventTimeOf(field(item, 'event_time'));
  const relations = relationsOf(item, existing);
  return {
    text: oneLine(text),
    sources: read.filter((source) => source !== null),
    ...detailsOf(item),
    ...(data === null ? {} : { data }),
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

/** None for a new fact. A number that was not listed gives a relation without a record, which `admit` counts. */
const relationsOf = (item: unknown, existing: readonly ExistingRecord[]): Relation[] => {
  const given = field(item, 'relations');
  return (Array.isArray(given) ? (given as unknown[]) : [given]).slice(0, MAX_RELATIONS).flatMap((relation) => {
    const kind = RELATION_KINDS.find((known) => known === field(relation, 'kind'));
    if (kind === undefined) return [];
    return [{ kind, recordId: existing[Number(field(relation, 'record')) - 1]?.recordId ?? null }];
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
