import type { Candidate, KnownRecord, Relation, WindowMessage } from './candidate.js';
import { cleanText } from './clean-text.js';
import { validDetails } from './details.js';
import { type EventTime, validEventTime } from './event-time.js';
import { factKey } from './fact-key.js';
import { judge, type Evidence, type SecretReader } from './judge-candidate.js';
import { addsDetail, canRelate, isAlike, isDatedEvent } from './known-record.js';
import { type NumberReader, readDigits, readOnce } from './numbers.js';
import { saidWords } from './proof/names.js';
import type { RecordDetails } from './record-details.js';
import {
  type ConfirmedRecord,
  type ContinuedRecord,
  type ExtractedRecord,
  type RecordSource,
  type RefusedCandidate,
  statementsIn,
  type SupersededRecord,
} from './record-events.js';
import { saysTheSame, slotOf, type Slot } from './slot.js';
import { byTimeStated, supersede } from './supersede.js';

export interface AdmissionInput {
  readonly candidates: readonly Candidate[];
  readonly window: readonly WindowMessage[];
  /**
   * Messages before the window. A fact may use them (the question before a short answer) but not rest on them alone,
   * because they were already read.
   */
  readonly context?: readonly WindowMessage[];
  /** The text that the session's earlier windows carry forward; the extractor may take names from it. */
  readonly summary?: string | null;
  /** Records of the namespace that state one of the facts or fill one of their slots. */
  readonly known: readonly KnownRecord[];
  /** Ids of the records that the extractor was shown. Relations to other records are ignored. */
  readonly shown?: readonly string[];
  readonly namespace: string;
  /** Returns the id of the n-th new record; must be deterministic for a given answer. */
  readonly newId: (index: number) => string;
  /** The slot that a fact fills. Default: that of its attribute, with `actor` as the key of the session's actor. */
  readonly slotFor?: (candidate: Candidate) => Slot | null;
  /**
   * Candidates quote what was said, so only equal texts are one record: else the quotes of an erased message would stay
   * in a record that also cites another one. Default false.
   */
  readonly verbatim?: boolean;
  /** Maximum number of candidates; further ones are refused. Default: `MAX_FACTS_PER_WINDOW`. */
  readonly most?: number;
  /** Default: `readDigits`. */
  readonly readNumbers?: NumberReader;
  readonly secrets: SecretReader;
}

export interface Admission {
  readonly records: readonly ExtractedRecord[];
  readonly confirmed: readonly ConfirmedRecord[];
  /** Absent if there are none. */
  readonly continued?: readonly ContinuedRecord[];
  readonly superseded: readonly SupersededRecord[];
  readonly refused: readonly RefusedCandidate[];
  /** Relations to a record that was not shown, no longer exists or is about another person. They were dropped. */
  readonly unknownRelations: number;
}

/** Maximum number of facts per window. More than this is noise, not conversation. */
export const MAX_FACTS_PER_WINDOW = 200;
/** Maximum number of excess candidates that are recorded as refused. */
const MAX_EXCESS_NOTED = 100;

/**
 * Decides which candidates become records. A candidate is accepted only if every cited source is a message that was
 * read and contains the quote verbatim, at least one of them is in the window, and none of its numbers contradicts the
 * quotes. Others are refused with a reason. What cannot be verified is kept as a doubt of the record.
 *
 * If the namespace already holds the fact, or the answer gives it twice, its sources are added to the existing record,
 * unless the candidate says more: then it supersedes the record. A fact that gives a single-valued attribute another
 * value supersedes the one before, as does one that replaces or ends a record according to the answer. Only a new
 * record supersedes, so that a supersession which a client withdrew stays withdrawn.
 */
export const admit = (input: AdmissionInput): Admission => {
  const { secrets, most = MAX_FACTS_PER_WINDOW, context = [], window } = input;
  const messages = new Map(
    [...context, ...window]
      .toSorted((one, other) => one.sequence - other.sequence)
      .map((message) => [message.eventId, message]),
  );
  const draft = draftOf(input, messages);
  const excess = input.candidates.slice(most, most + MAX_EXCESS_NOTED);
  for (const { text } of excess)
    draft.refused.push({ text: secrets.holds(text) ? '' : excerpt(text), reason: 'too_many' });

  const newest = (sources: readonly RecordSource[]) =>
    statementsIn(sources)
      .flatMap(({ eventId }) => messages.get(eventId) ?? [])
      .map(({ at, sequence }) => ({ statedAt: at, sequence }))
      .toSorted(byTimeStated)
      .at(-1) ?? { statedAt: '', sequence: 0 };
  const records: ExtractedRecord[] = draft.records.map(
    ({ recordId, text, sources, slot, eventTime, details, told }) => ({
      recordId,
      text,
      sources,
      namespace: input.namespace,
      statedAt: told ?? newest(sources).statedAt,
      slot,
      ...details,
      ...(eventTime === null ? {} : { eventTime }),
    }),
  );
  const knownById = new Map(input.known.map((record) => [record.recordId, record]));
  const confirmed: ConfirmedRecord[] = [...draft.confirmed].map(([recordId, sources]) => {
    const known = knownById.get(recordId);
    const { statedAt } = known !== undefined && isDatedEvent(known) ? known : newest(sources);
    return { recordId, sources, statedAt };
  });
  const continued: ContinuedRecord[] = [...draft.continued].map(([recordId, sources]) => ({ recordId, sources }));
  const added = records.map((record) => ({ ...record, sequence: newest(record.sources).sequence }));
  return {
    records,
    confirmed,
    ...(continued.length === 0 ? {} : { continued }),
    superseded: supersededBy(added, confirmed, input.known, draft.replaced),
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

interface NewRecord {
  readonly recordId: string;
  readonly text: string;
  readonly slot: Slot | null;
  readonly eventTime: EventTime | null;
  readonly details: RecordDetails;
  /** When it was told before, for an event in the past that is told again with more detail; else undefined. */
  readonly told: string | undefined;
  sources: RecordSource[];
}

const draftOf = (input: AdmissionInput, messages: ReadonlyMap<string, WindowMessage>): Draft => {
  const { slotFor = (candidate) => slotOf(candidate, 'actor'), most = MAX_FACTS_PER_WINDOW } = input;
  const evidence = evidenceOf(input, messages);
  const { verbatim = false } = input;
  const find = finder(input.known, verbatim);
  const relatedTo = relationReader(input);
  const recordOf = new Map<string, NewRecord>();
  const draft: Draft = {
    records: [],
    confirmed: new Map(),
    continued: new Map(),
    replaced: new Map(),
    refused: [],
    unknownRelations: 0,
  };

  for (const given of input.candidates.slice(0, most)) {
    const text = cleanText(given.text.trim()) ?? '';
    const details = validDetails(given);
    const { attribute = null, subject = null } = details;
    const candidate = { ...given, text, attribute, subject };
    const { related, ignored } = relatedTo(candidate);
    const verdict = judge(candidate, { ...evidence, records: related.map(({ record }) => record.text) });
    if (typeof verdict === 'string') {
      // A secret must not be copied into the list of refused candidates.
      draft.refused.push({
        text: evidence.secrets.holds(text) || verdict === 'secret' ? '' : excerpt(text),
        reason: verdict,
      });
      continue;
    }
    draft.unknownRelations += ignored;
    const { sources, doubts } = verdict;
    const idsOf = (...kinds: readonly Relation['kind'][]) =>
      related.flatMap(({ kind, record }) => (kinds.includes(kind) ? [record] : []));
    const others = idsOf('another');
    const ownSlot = slotFor(candidate);
    // Both are true, so neither may end the other.
    const slot = others.some((record) => record.slot?.key === ownSlot?.key) ? null : ownSlot;
    const sourcesOfWindow = sources.filter(({ eventId }) => evidence.window.has(eventId));
    if (statementsIn(sourcesOfWindow).length === 0) {
      // The window before read the statement. If it made no record of it, there is nothing to continue.
      const before = find(text, slot)?.recordId;
      if (before !== undefined) addSources(draft.continued, before, sourcesOfWindow);
      continue;
    }
    const [known = find(text, slot)] = idsOf('same', 'extends');
    const isRicher = known !== undefined && addsDetail(text, known.text);
    if (known !== undefined && !isRicher) {
      addSources(draft.confirmed, known.recordId, sources);
      continue;
    }
    const keys = identities(text, verbatim ? null : slot);
    let record = keys.map((key) => recordOf.get(key)).find((found) => found !== undefined && isAlike(found.text, text));
    if (record === undefined) {
      record = {
        text,
        slot,
        eventTime: validEventTime(candidate.eventTime),
        details: { ...details, ...(doubts.length === 0 ? {} : { doubts }) },
        recordId: input.newId(draft.records.length),
        told: known !== undefined && isDatedEvent(known) ? known.statedAt : undefined,
        sources: [],
      };
      draft.records.push(record);
    }
    for (const key of keys) recordOf.set(key, record);
    record.sources = mergeSources(record.sources, sources);
    const ended = [...idsOf('replaces', 'ends'), ...(known === undefined ? [] : [known])];
    for (const { recordId } of ended) draft.replaced.set(recordId, record.recordId);
  }
  return draft;
};

/** Extractors call them so, whatever their roles are. */
const SPEAKERS_WITHOUT_NAME = ['User', 'Agent'];

const evidenceOf = (input: AdmissionInput, messages: ReadonlyMap<string, WindowMessage>): Omit<Evidence, 'records'> => {
  const { readNumbers = readDigits, secrets } = input;
  const shown = new Set(input.shown ?? []);
  const listed = input.known.filter(({ recordId }) => shown.has(recordId));
  return {
    messages,
    window: new Set(input.window.map(({ eventId }) => eventId)),
    said: saidWords([
      ...SPEAKERS_WITHOUT_NAME,
      ...new Set([...messages.values()].flatMap(({ role, speaker }) => [role, speaker ?? ''])),
      ...[...messages.values()].map(({ content }) => content),
      ...listed.flatMap(({ text, subject }) => [text, subject ?? '']),
      input.summary ?? '',
    ]),
    readDigits: readOnce(readDigits),
    readNumbers: readOnce(readNumbers),
    secrets,
  };
};

/** Returns the relations of a candidate that hold, and how many do not. */
const relationReader = (input: AdmissionInput) => {
  const shown = new Set(input.shown ?? []);
  const current = new Map(input.known.map((record) => [record.recordId, record]));
  return (candidate: Candidate) => {
    const relations = candidate.relations ?? [];
    const related = relations.flatMap(({ kind, recordId }) => {
      const record = recordId !== null && shown.has(recordId) ? current.get(recordId) : undefined;
      return record !== undefined && canRelate(kind, candidate, record) ? [{ kind, record }] : [];
    });
    return { related, ignored: relations.length - related.length };
  };
};

/** @param replaced by the id of a known record: the new one that replaces it according to the answer */
const supersededBy = (
  added: readonly (ExtractedRecord & { readonly sequence: number })[],
  confirmed: readonly ConfirmedRecord[],
  known: readonly KnownRecord[],
  replaced: ReadonlyMap<string, string>,
): SupersededRecord[] => {
  const restatedAt = new Map(confirmed.map(({ recordId, statedAt }) => [recordId, statedAt]));
  const current = known.map((record) => ({
    ...record,
    statedAt: later(record.statedAt, restatedAt.get(record.recordId) ?? ''),
  }));
  const isNew = new Set(added.map(({ recordId }) => recordId));
  const bySlot = supersede([...current, ...added]).filter(({ recordId, by }) => isNew.has(recordId) || isNew.has(by));
  const ended = new Set(bySlot.map(({ recordId }) => recordId));
  const knownById = new Map(known.map((record) => [record.recordId, record]));
  const byAnswer = [...replaced]
    .filter(([recordId, by]) => !ended.has(recordId) && isLater(knownById.get(recordId), added, by))
    .map(([recordId, by]) => ({ recordId, by }));
  return [...bySlot, ...byAnswer];
};

/** Identities of a fact: its text, and the value that it gives to an attribute. */
const identities = (text: string, slot: Slot | null): readonly string[] => [
  `text ${factKey(text)}`,
  ...(slot === null ? [] : [`slot ${slot.key}=${slot.value}`]),
];

/** Finds the known record that states a fact: with the same text, or a similar one with the same value in the same slot. */
const finder = (known: readonly KnownRecord[], verbatim: boolean) => {
  const byText = new Map(known.map((record) => [factKey(record.text), record]));
  return (text: string, slot: Slot | null): KnownRecord | undefined =>
    byText.get(factKey(text)) ??
    (slot === null || verbatim
      ? undefined
      : known.find((record) => record.slot !== null && saysTheSame(record.slot, slot) && isAlike(record.text, text)));
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
