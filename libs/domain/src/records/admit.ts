import { isUserRole } from '../session/roles.js';
import { cleanText } from './clean-text.js';
import { type Said, saidIn, unprovenIn } from './proof/proof.js';
import {
  type ConfirmedRecord,
  type ContinuedRecord,
  type ExtractedRecord,
  type RecordSource,
  type RefusedCandidate,
  statementsIn,
  type SupersededRecord,
} from './record-events.js';
import { type EventTime, validEventTime } from './event-time.js';
import { holdsSecret } from './secrets.js';
import { saysTheSame, slotOf, type Slot } from './slot.js';
import { supersede } from './supersede.js';

/** One fact proposed by an extractor. Untrusted: it may come from a model. */
export interface Candidate {
  readonly text: string;
  readonly sources: readonly CitedSource[];
  /** The days that the fact refers to, if its text names them. */
  readonly eventTime?: EventTime | null;
  /** Relation to an existing record; ignored unless the extractor was shown that record. */
  readonly relation?: Relation | null;
}

/** A message that a candidate cites. */
export type CitedSource = Pick<RecordSource, 'eventId' | 'quote' | 'context'>;

/** How a candidate relates to an existing record. */
export interface Relation {
  /** `same`: restates it; `replaces`: the candidate makes it obsolete. */
  readonly kind: 'same' | 'replaces';
  /** Null if the extractor named a record that it was not shown. */
  readonly recordId: string | null;
}

/** One message of the window. */
export interface WindowMessage {
  readonly eventId: string;
  readonly sequence: number;
  readonly role: string;
  /** The speaker's name if the client gave one; else null. */
  readonly speaker: string | null;
  readonly content: string;
  /** When it was said (ISO 8601). */
  readonly at: string;
  /** Source reported by the voice platform (`asr`, `greeting`, `silence`, …); else null. */
  readonly source: string | null;
}

/** A current (not superseded) record of the namespace. */
export interface KnownRecord {
  readonly recordId: string;
  readonly text: string;
  readonly statedAt: string;
  readonly slot: Slot | null;
  /** At least one source is the user's own statement. */
  readonly saidByUser: boolean;
}

export interface Admission {
  readonly records: readonly ExtractedRecord[];
  readonly confirmed: readonly ConfirmedRecord[];
  /** Absent if there are none. */
  readonly continued?: readonly ContinuedRecord[];
  readonly superseded: readonly SupersededRecord[];
  readonly refused: readonly RefusedCandidate[];
  /** Candidates whose relation named a record that was not shown or no longer exists. The relation was dropped. */
  readonly unknownRelations: number;
}

/** Maximum length of a record in characters (AgentCore's limit for record content). */
export const MAX_RECORD_LENGTH = 16_000;

/** Maximum number of facts per window. More than this is noise, not conversation. */
export const MAX_FACTS_PER_WINDOW = 200;
/** Maximum number of excess candidates that are recorded as refused. */
const MOST_EXCESS_NOTED = 100;

/** Texts with equal keys state the same fact: case, punctuation and spacing are ignored. */
export const factKey = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

/**
 * Decides which candidates become records. A candidate is accepted only if every cited source is a message that was
 * read and contains the quote verbatim, at least one of them is in the window, and the quotes support the fact
 * (`unprovenIn`). Others are refused with a reason. If the namespace already holds the fact, or the answer gives it
 * twice, its sources are added to the existing record. A fact that fills an older fact's slot with a different value
 * supersedes it. A candidate that was stated before the window and has context in it only adds that context to its
 * record.
 *
 * @param context messages before the window. A fact may use them (the question before a short answer) but not rest on
 *   them alone, because they were already read.
 * @param known records of the namespace that state one of the facts or fill one of their slots
 * @param newId returns the id of the n-th new record; must be deterministic for a given answer
 * @param slotFor the slot that a fact fills. Default: by its text
 * @param most maximum number of candidates; further ones are refused. Default: `MAX_FACTS_PER_WINDOW`
 * @param isSecret whether a text must not become part of a record. Default: `holdsSecret`
 */
export const admit = (input: {
  readonly candidates: readonly Candidate[];
  readonly window: readonly WindowMessage[];
  readonly context?: readonly WindowMessage[];
  readonly known: readonly KnownRecord[];
  /** Ids of the records that the extractor was shown. Relations to other records are ignored. */
  readonly shown?: readonly string[];
  readonly namespace: string;
  readonly newId: (index: number) => string;
  readonly slotFor?: (text: string) => Slot | null;
  readonly most?: number;
  readonly isSecret?: (text: string) => boolean;
}): Admission => {
  const { slotFor = slotOf, most = MAX_FACTS_PER_WINDOW, isSecret = holdsSecret } = input;
  const window = new Set(input.window.map(({ eventId }) => eventId));
  const messages = new Map([...(input.context ?? []), ...input.window].map((message) => [message.eventId, message]));
  const speakers = [...new Set([...messages.values()].flatMap(({ speaker }) => speaker ?? []))];
  const said = new Map<string, Said>();
  const find = finder(input.known);
  const shown = new Set(input.shown ?? []);
  const current = new Map(input.known.map((record) => [record.recordId, record]));
  const records: NewRecord[] = [];
  const recordOf = new Map<string, NewRecord>();
  const confirmed = new Map<string, RecordSource[]>();
  const continued = new Map<string, RecordSource[]>();
  const replaced = new Map<string, string>();
  const refused: RefusedCandidate[] = [];
  let unknownRelations = 0;

  for (const candidate of input.candidates.slice(0, most)) {
    const text = cleanText(candidate.text.trim()) ?? '';
    const relation = candidate.relation ?? null;
    const named = relation?.recordId ?? null;
    const related = named !== null && shown.has(named) ? current.get(named) : undefined;
    // A restatement of a shown record is supported by that record's sources.
    const restated = relation?.kind === 'same' ? (related?.text ?? '') : '';
    const verdict = judge({ ...candidate, text }, { messages, window, said, speakers, restated, isSecret });
    if (typeof verdict === 'string') {
      // A secret must not be copied into the list of refused candidates.
      refused.push({ text: isSecret(text) || verdict === 'secret' ? '' : excerpt(text), reason: verdict });
      continue;
    }
    if (relation !== null && related === undefined) unknownRelations += 1;
    const slot = slotFor(text);
    const sourcesOfWindow = verdict.filter(({ eventId }) => window.has(eventId));
    if (statementsIn(sourcesOfWindow).length === 0) {
      // The window before read the statement. If it made no record of it, there is nothing to continue.
      const before = find(text, slot)?.recordId;
      if (before !== undefined) continued.set(before, mergeSources(continued.get(before) ?? [], sourcesOfWindow));
      continue;
    }
    const known = (relation?.kind === 'same' ? related : undefined) ?? find(text, slot);
    if (isEcho(slot, verdict, known, input.known)) {
      refused.push({ text: excerpt(text), reason: 'echo' });
      continue;
    }
    if (known !== undefined) {
      confirmed.set(known.recordId, mergeSources(confirmed.get(known.recordId) ?? [], verdict));
      continue;
    }
    const keys = identities(text, slot);
    let record = keys.map((key) => recordOf.get(key)).find((found) => found !== undefined);
    if (record === undefined) {
      const eventTime = validEventTime(candidate.eventTime);
      record = { text, slot, eventTime, recordId: input.newId(records.length), sources: [] };
      records.push(record);
    }
    for (const key of keys) recordOf.set(key, record);
    record.sources = mergeSources(record.sources, verdict);
    if (relation?.kind === 'replaces' && related !== undefined) replaced.set(related.recordId, record.recordId);
  }

  const excess = input.candidates.slice(most, most + MOST_EXCESS_NOTED);
  for (const { text } of excess) refused.push({ text: isSecret(text) ? '' : excerpt(text), reason: 'too_many' });

  const statedAt = (sources: readonly RecordSource[]): string =>
    statementsIn(sources)
      .map(({ eventId }) => messages.get(eventId)?.at ?? '')
      .reduce(later, '');
  const added: ExtractedRecord[] = records.map(({ recordId, text, sources, slot, eventTime }) => ({
    recordId,
    text,
    sources,
    namespace: input.namespace,
    statedAt: statedAt(sources),
    slot,
    ...(eventTime === null ? {} : { eventTime }),
  }));
  const again: ConfirmedRecord[] = [...confirmed].map(([recordId, sources]) => ({
    recordId,
    sources,
    statedAt: statedAt(sources),
  }));
  const restated = new Map(again.map((record) => [record.recordId, record.statedAt]));
  const superseded = supersede([
    ...input.known.map((record) => ({
      ...record,
      statedAt: later(record.statedAt, restated.get(record.recordId) ?? ''),
    })),
    ...added,
  ]);
  // Earlier decisions stand until one of the records is stated again: looking at a slot must not restore a withdrawn
  // supersession.
  const stated = new Set([...added, ...again].map(({ recordId }) => recordId));
  const bySlot = superseded.filter(({ recordId, by }) => stated.has(recordId) || stated.has(by));
  const ended = new Set(bySlot.map(({ recordId }) => recordId));
  const byAnswer = [...replaced]
    .filter(([recordId, by]) => !ended.has(recordId) && isLater(current.get(recordId), added, by))
    .map(([recordId, by]) => ({ recordId, by }));
  const goesOn: ContinuedRecord[] = [...continued].map(([recordId, sources]) => ({ recordId, sources }));
  return {
    records: added,
    confirmed: again,
    ...(goesOn.length === 0 ? {} : { continued: goesOn }),
    superseded: [...bySlot, ...byAnswer],
    refused,
    unknownRelations,
  };
};

interface NewRecord {
  readonly recordId: string;
  readonly text: string;
  readonly slot: Slot | null;
  readonly eventTime: EventTime | null;
  sources: RecordSource[];
}

/** Identities of a fact: its text, and its slot if one value of that slot is one fact. */
const identities = (text: string, slot: Slot | null): readonly string[] => [
  `text ${factKey(text)}`,
  ...(slot !== null && saysTheSame(slot, slot) ? [`slot ${slot.key}=${slot.value}`] : []),
];

/** Finds the known record that states a fact: with the same text, or with the same value in the same slot. */
const finder = (known: readonly KnownRecord[]) => {
  const byIdentity = new Map(
    known.flatMap((record) => identities(record.text, record.slot).map((key) => [key, record])),
  );
  return (text: string, slot: Slot | null): KnownRecord | undefined =>
    identities(text, slot)
      .map((key) => byIdentity.get(key))
      .find((record) => record !== undefined);
};

/** Messages that arrive late never replace anything stated after them. */
const isLater = (old: KnownRecord | undefined, added: readonly ExtractedRecord[], by: string): boolean => {
  const record = added.find(({ recordId }) => recordId === by);
  return old !== undefined && record !== undefined && Date.parse(record.statedAt) >= Date.parse(old.statedAt);
};

/** ISO 8601 times may have zones, so they are compared as instants. An empty time is earlier than all others. */
const later = (a: string, b: string): string => {
  if (a === '' || b === '') return a === '' ? b : a;
  return Date.parse(b) > Date.parse(a) ? b : a;
};

/**
 * The agent repeats what the user said before (most likely because it was shown the memory), which is no new evidence.
 * Anything else the agent says is treated like any other fact.
 */
const isEcho = (
  slot: Slot | null,
  sources: readonly RecordSource[],
  known: KnownRecord | undefined,
  all: readonly KnownRecord[],
): boolean => {
  if (statementsIn(sources).some(({ role }) => isUserRole(role))) return false;
  if (known?.saidByUser === true) return true;
  return (
    slot !== null &&
    all.some((record) => record.saidByUser && record.slot?.key === slot.key && record.slot.value === slot.value)
  );
};

/** A NUL or a lone surrogate. */
const NOT_TEXT = /[\0\p{Cs}]/u;

/** Two letters, digits or symbols (such as emoji), with anything between them. */
const MORE_THAN_A_LETTER = /[\p{L}\p{N}\p{S}][^]*?[\p{L}\p{N}\p{S}]/u;

/** The first 200 characters, safe to store. */
const excerpt = (text: string): string => text.slice(0, 200).replace(/[\0\p{Cs}]/gu, '\uFFFD');

/** What a candidate is checked against. */
interface Evidence {
  readonly messages: ReadonlyMap<string, WindowMessage>;
  readonly window: ReadonlySet<string>;
  /** Cache: words of the messages cited so far. */
  readonly said: Map<string, Said>;
  readonly speakers: readonly string[];
  /** Text of the existing record that the candidate restates; else empty. */
  readonly restated: string;
  readonly isSecret: (text: string) => boolean;
}

const judge = (
  candidate: Candidate,
  { messages, window, said, speakers, restated, isSecret }: Evidence,
): RecordSource[] | RefusedCandidate['reason'] => {
  if (factKey(candidate.text) === '' || candidate.sources.length === 0) return 'empty';
  if (candidate.text.length > MAX_RECORD_LENGTH) return 'too_long';
  if (NOT_TEXT.test(candidate.text)) return 'not_text';
  // The fact does not rest on its context.
  const told = candidate.sources.filter(({ context, quote }) => context !== true || !isSecret(quote));
  if ([candidate.text, ...told.map(({ quote }) => quote)].some(isSecret)) return 'secret';
  const sources: RecordSource[] = [];
  for (const { eventId, quote, context } of told) {
    const message = messages.get(eventId);
    if (message === undefined) return 'unknown_event';
    if (quote.trim() === '' || !message.content.includes(quote)) return 'quote_not_in_event';
    // A quote may start or end inside an emoji's surrogate pair and still be found in the message.
    if (NOT_TEXT.test(quote)) return 'not_text';
    const { sequence, role } = message;
    sources.push({ eventId, sequence, role, quote, ...(context === true ? { context } : {}) });
  }
  const statements = statementsIn(sources);
  // A single letter occurs in almost every message.
  if (!statements.some(({ quote }) => MORE_THAN_A_LETTER.test(quote))) return 'quote_does_not_carry';
  if (!sources.some(({ eventId }) => window.has(eventId))) return 'only_context';
  const cited = [...new Set(sources.map(({ eventId }) => eventId))].flatMap((eventId) => messages.get(eventId) ?? []);
  for (const { eventId, content, at } of cited) if (!said.has(eventId)) said.set(eventId, saidIn(content, at));
  const words = cited.flatMap(({ eventId }) => said.get(eventId) ?? []);
  const quotes = sources.map(({ quote }) => quote);
  return unprovenIn(candidate.text, quotes, words, speakers, restated) ?? sources;
};

/** The same quote can be context of one statement and itself another statement; the statement wins. */
const mergeSources = (old: readonly RecordSource[], more: readonly RecordSource[]): RecordSource[] => {
  const merged = new Map<string, RecordSource>();
  for (const source of [...old, ...more]) {
    const key = `${source.eventId}\n${source.quote}`;
    const known = merged.get(key);
    if (known === undefined || (known.context === true && source.context !== true)) merged.set(key, source);
  }
  return [...merged.values()];
};
