import { isUserRole } from '../session/roles.js';
import type { Candidate, KnownRecord, WindowMessage } from './candidate.js';
import { cleanText } from './clean-text.js';
import { factKey } from './fact-key.js';
import { judge } from './judge-candidate.js';
import type { Said } from './proof/proof.js';
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

export interface AdmissionInput {
  readonly candidates: readonly Candidate[];
  readonly window: readonly WindowMessage[];
  /**
   * Messages before the window. A fact may use them (the question before a short answer) but not rest on them alone,
   * because they were already read.
   */
  readonly context?: readonly WindowMessage[];
  /** Records of the namespace that state one of the facts or fill one of their slots. */
  readonly known: readonly KnownRecord[];
  /** Ids of the records that the extractor was shown. Relations to other records are ignored. */
  readonly shown?: readonly string[];
  readonly namespace: string;
  /** Returns the id of the n-th new record; must be deterministic for a given answer. */
  readonly newId: (index: number) => string;
  /** The slot that a fact fills. Default: by its text. */
  readonly slotFor?: (text: string) => Slot | null;
  /** Maximum number of candidates; further ones are refused. Default: `MAX_FACTS_PER_WINDOW`. */
  readonly most?: number;
  /** Whether a text must not become part of a record. Default: `holdsSecret`. */
  readonly isSecret?: (text: string) => boolean;
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

/** Maximum number of facts per window. More than this is noise, not conversation. */
export const MAX_FACTS_PER_WINDOW = 200;
/** Maximum number of excess candidates that are recorded as refused. */
const MOST_EXCESS_NOTED = 100;

/**
 * Decides which candidates become records. A candidate is accepted only if every cited source is a message that was
 * read and contains the quote verbatim, at least one of them is in the window, and the quotes support the fact
 * (`unprovenIn`). Others are refused with a reason. If the namespace already holds the fact, or the answer gives it
 * twice, its sources are added to the existing record. A fact that fills an older fact's slot with a different value
 * supersedes it. A candidate that was stated before the window and has context in it only adds that context to its
 * record.
 */
export const admit = (input: AdmissionInput): Admission => {
  const { isSecret = holdsSecret, most = MAX_FACTS_PER_WINDOW } = input;
  const messages = new Map([...(input.context ?? []), ...input.window].map((message) => [message.eventId, message]));
  const draft = draftOf(input, messages);
  const excess = input.candidates.slice(most, most + MOST_EXCESS_NOTED);
  for (const { text } of excess) draft.refused.push({ text: isSecret(text) ? '' : excerpt(text), reason: 'too_many' });

  const statedAt = (sources: readonly RecordSource[]): string =>
    statementsIn(sources)
      .map(({ eventId }) => messages.get(eventId)?.at ?? '')
      .reduce(later, '');
  const records: ExtractedRecord[] = draft.records.map(({ recordId, text, sources, slot, eventTime }) => ({
    recordId,
    text,
    sources,
    namespace: input.namespace,
    statedAt: statedAt(sources),
    slot,
    ...(eventTime === null ? {} : { eventTime }),
  }));
  const confirmed: ConfirmedRecord[] = [...draft.confirmed].map(([recordId, sources]) => ({
    recordId,
    sources,
    statedAt: statedAt(sources),
  }));
  const continued: ContinuedRecord[] = [...draft.continued].map(([recordId, sources]) => ({ recordId, sources }));
  return {
    records,
    confirmed,
    ...(continued.length === 0 ? {} : { continued }),
    superseded: supersededBy(records, confirmed, input.known, draft.replaced),
    refused: draft.refused,
    unknownRelations: draft.unknownRelations,
  };
};

/** What becomes of the candidates, before it is known when their facts were stated. */
interface Draft {
  readonly records: NewRecord[];
  /** New sources by the id of a known record. */
  readonly confirmed: Map<string, RecordSource[]>;
  /** New context by the id of a known record. */
  readonly continued: Map<string, RecordSource[]>;
  /** By the id of the record that the answer replaces: the id of the new one. */
  readonly replaced: Map<string, string>;
  readonly refused: RefusedCandidate[];
  unknownRelations: number;
}

const draftOf = (input: AdmissionInput, messages: ReadonlyMap<string, WindowMessage>): Draft => {
  const { slotFor = slotOf, most = MAX_FACTS_PER_WINDOW, isSecret = holdsSecret } = input;
  const window = new Set(input.window.map(({ eventId }) => eventId));
  const speakers = [...new Set([...messages.values()].flatMap(({ speaker }) => speaker ?? []))];
  const evidence = { messages, window, speakers, isSecret, said: new Map<string, Said>() };
  const find = finder(input.known);
  const shown = new Set(input.shown ?? []);
  const current = new Map(input.known.map((record) => [record.recordId, record]));
  const recordOf = new Map<string, NewRecord>();
  const draft: Draft = {
    records: [],
    confirmed: new Map(),
    continued: new Map(),
    replaced: new Map(),
    refused: [],
    unknownRelations: 0,
  };

  for (const candidate of input.candidates.slice(0, most)) {
    const text = cleanText(candidate.text.trim()) ?? '';
    const relation = candidate.relation ?? null;
    const named = relation?.recordId ?? null;
    const related = named !== null && shown.has(named) ? current.get(named) : undefined;
    // A restatement of a shown record is supported by that record's sources.
    const restated = relation?.kind === 'same' ? (related?.text ?? '') : '';
    const verdict = judge({ ...candidate, text }, { ...evidence, restated });
    if (typeof verdict === 'string') {
      // A secret must not be copied into the list of refused candidates.
      draft.refused.push({ text: isSecret(text) || verdict === 'secret' ? '' : excerpt(text), reason: verdict });
      continue;
    }
    if (relation !== null && related === undefined) draft.unknownRelations += 1;
    const slot = slotFor(text);
    const sourcesOfWindow = verdict.filter(({ eventId }) => window.has(eventId));
    if (statementsIn(sourcesOfWindow).length === 0) {
      // The window before read the statement. If it made no record of it, there is nothing to continue.
      const before = find(text, slot)?.recordId;
      if (before !== undefined) addSources(draft.continued, before, sourcesOfWindow);
      continue;
    }
    const known = (relation?.kind === 'same' ? related : undefined) ?? find(text, slot);
    if (isEcho(slot, verdict, known, input.known)) {
      draft.refused.push({ text: excerpt(text), reason: 'echo' });
      continue;
    }
    if (known !== undefined) {
      addSources(draft.confirmed, known.recordId, verdict);
      continue;
    }
    const keys = identities(text, slot);
    let record = keys.map((key) => recordOf.get(key)).find((found) => found !== undefined);
    if (record === undefined) {
      const eventTime = validEventTime(candidate.eventTime);
      record = { text, slot, eventTime, recordId: input.newId(draft.records.length), sources: [] };
      draft.records.push(record);
    }
    for (const key of keys) recordOf.set(key, record);
    record.sources = mergeSources(record.sources, verdict);
    if (relation?.kind === 'replaces' && related !== undefined) draft.replaced.set(related.recordId, record.recordId);
  }
  return draft;
};

/** @param replaced by the id of a known record: the new one that replaces it according to the answer */
const supersededBy = (
  added: readonly ExtractedRecord[],
  confirmed: readonly ConfirmedRecord[],
  known: readonly KnownRecord[],
  replaced: ReadonlyMap<string, string>,
): SupersededRecord[] => {
  const restatedAt = new Map(confirmed.map(({ recordId, statedAt }) => [recordId, statedAt]));
  const current = known.map((record) => ({
    ...record,
    statedAt: later(record.statedAt, restatedAt.get(record.recordId) ?? ''),
  }));
  // Earlier decisions stand until one of the records is stated again: looking at a slot must not restore a withdrawn
  // supersession.
  const stated = new Set([...added, ...confirmed].map(({ recordId }) => recordId));
  const bySlot = supersede([...current, ...added]).filter(({ recordId, by }) => stated.has(recordId) || stated.has(by));
  const ended = new Set(bySlot.map(({ recordId }) => recordId));
  const knownById = new Map(known.map((record) => [record.recordId, record]));
  const byAnswer = [...replaced]
    .filter(([recordId, by]) => !ended.has(recordId) && isLater(knownById.get(recordId), added, by))
    .map(([recordId, by]) => ({ recordId, by }));
  return [...bySlot, ...byAnswer];
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

/** The first 200 characters, safe to store. */
const excerpt = (text: string): string => text.slice(0, 200).replace(/[\0\p{Cs}]/gu, '\uFFFD');

const addSources = (to: Map<string, RecordSource[]>, recordId: string, sources: readonly RecordSource[]): void => {
  to.set(recordId, mergeSources(to.get(recordId) ?? [], sources));
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
