import type { ConfirmedRecord, ExtractedRecord, RecordSource, RefusedCandidate } from './record-events.js';

/** One thing an extractor believes it read. Untrusted: it may come from a model. */
export interface Candidate {
  readonly text: string;
  readonly sources: readonly { readonly eventId: string; readonly quote: string }[];
}

/** One message of the window that was read. */
export interface WindowMessage {
  readonly eventId: string;
  readonly sequence: number;
  readonly role: string;
  /** Who spoke, where the client said so; else null. */
  readonly speaker: string | null;
  readonly content: string;
  /** When it was said (ISO 8601). */
  readonly at: string;
  /** `asr`, `greeting`, `silence`, … as the voice platform said; else null. */
  readonly source: string | null;
}

/** A record that the namespace already holds. */
export interface KnownRecord {
  readonly recordId: string;
  readonly text: string;
}

export interface Admission {
  readonly records: readonly ExtractedRecord[];
  readonly confirmed: readonly ConfirmedRecord[];
  readonly refused: readonly RefusedCandidate[];
}

/** Longest record text in characters (AgentCore's limit for a record's content). */
export const MAX_RECORD_LENGTH = 16_000;

/** Two texts with the same key state the same fact: case, punctuation and spacing do not make another one. */
export const factKey = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

/**
 * Decides what of an extractor's answer becomes memory. A candidate is taken only when every source it cites is a
 * message of this window and holds the quote word for word; the rest is refused with its reason. A fact that the
 * namespace already holds, or that the answer gives twice, adds its sources to the one record.
 *
 * @param newId gives the id of the n-th new record; the same answer must get the same ids
 */
export const admit = (input: {
  readonly candidates: readonly Candidate[];
  readonly window: readonly WindowMessage[];
  readonly known: readonly KnownRecord[];
  readonly namespace: string;
  readonly newId: (index: number) => string;
}): Admission => {
  const messages = new Map(input.window.map((message) => [message.eventId, message]));
  const knownByKey = new Map(input.known.map((record) => [factKey(record.text), record.recordId]));
  const records = new Map<string, { recordId: string; text: string; sources: RecordSource[] }>();
  const confirmed = new Map<string, RecordSource[]>();
  const refused: RefusedCandidate[] = [];

  for (const candidate of input.candidates) {
    const text = candidate.text.trim();
    const verdict = judge({ ...candidate, text }, messages);
    if (typeof verdict === 'string') {
      refused.push({ text: excerpt(text), reason: verdict });
      continue;
    }
    const key = factKey(text);
    const knownId = knownByKey.get(key);
    if (knownId !== undefined) {
      confirmed.set(knownId, mergeSources(confirmed.get(knownId) ?? [], verdict));
      continue;
    }
    const record = records.get(key) ?? { recordId: input.newId(records.size), text, sources: [] };
    record.sources = mergeSources(record.sources, verdict);
    records.set(key, record);
  }

  return {
    records: [...records.values()].map((record) => ({ ...record, namespace: input.namespace })),
    confirmed: [...confirmed].map(([recordId, sources]) => ({ recordId, sources })),
    refused,
  };
};

/** A NUL, or half of a surrogate pair. */
const NOT_TEXT = /[\0\p{Cs}]/u;

/** The first 200 characters, safe to store. */
const excerpt = (text: string): string => text.slice(0, 200).replace(/[\0\p{Cs}]/gu, '\uFFFD');

const judge = (
  candidate: Candidate,
  messages: ReadonlyMap<string, WindowMessage>,
): RecordSource[] | RefusedCandidate['reason'] => {
  if (factKey(candidate.text) === '' || candidate.sources.length === 0) return 'empty';
  if (candidate.text.length > MAX_RECORD_LENGTH) return 'too_long';
  if (NOT_TEXT.test(candidate.text)) return 'not_text';
  const sources: RecordSource[] = [];
  for (const { eventId, quote } of candidate.sources) {
    const message = messages.get(eventId);
    if (message === undefined) return 'unknown_event';
    if (quote.trim() === '' || !message.content.includes(quote)) return 'quote_not_in_event';
    // A quote may begin or end within an emoji and still be found in the message.
    if (NOT_TEXT.test(quote)) return 'not_text';
    sources.push({ eventId, sequence: message.sequence, role: message.role, quote });
  }
  return sources;
};

const mergeSources = (old: readonly RecordSource[], more: readonly RecordSource[]): RecordSource[] => {
  const seen = new Set(old.map((source) => `${source.eventId}\n${source.quote}`));
  return [...old, ...more.filter((source) => !seen.has(`${source.eventId}\n${source.quote}`))];
};
