import { askAndRead, type ExtractionInput, type Extractor } from '@turnkeeper/application';
import { admit, type EventTime, type KnownRecord, type RecordSource, type WindowMessage } from '@turnkeeper/domain';
import { strengthOf } from '../notes/strength.js';
import type { Dialogue, Expectation } from './read-dialogues.js';
import { secrets } from '../secrets/secrets.js';

/** A record after a dialogue has run. */
interface DialogueRecord extends KnownRecord {
  readonly sources: readonly RecordSource[];
  readonly eventTime: EventTime | null;
  readonly supersededBy: string | null;
}

export interface DialogueRun {
  readonly records: readonly DialogueRecord[];
  /** Typed values in the order of the notes, as `name=value` or `subject: name=value`. */
  readonly values: readonly string[];
  readonly skipped: Readonly<Record<string, number>>;
  /** Failed expectations as text; empty if the dialogue passes. */
  readonly failures: readonly string[];
}

/** Number of messages before a window that are passed as context. */
const CONTEXT = 4;

/** Extracts a dialogue's sessions one after the other, as the service would, and checks the resulting records. */
export const runDialogue = async (dialogue: Dialogue, extractor: Extractor): Promise<DialogueRun> => {
  let records: DialogueRecord[] = [];
  const skipped: Record<string, number> = {};
  const values: string[] = [];
  let context: WindowMessage[] = [];
  let sequence = 0;
  for (const { day, lines } of dialogue.sessions) {
    const messages = lines.map(({ role, text }): WindowMessage => {
      sequence += 1;
      const at = `${day}T12:00:${String(sequence % 60).padStart(2, '0')}Z`;
      return { eventId: `event-${sequence}`, sequence, role, speaker: null, content: text, at, source: null };
    });
    const known = records.filter(({ supersededBy }) => supersededBy === null);
    const existing = known.map(({ recordId, text, statedAt, subject, attribute }) => ({
      ...{ recordId, text, statedAt },
      ...(subject == null ? {} : { subject }),
      ...(attribute == null ? {} : { attribute }),
    }));
    const input: ExtractionInput = {
      tenantId: 'tenant',
      strategyType: 'SEMANTIC',
      strategyVersion: 1,
      customPrompt: null,
      context,
      messages,
      existing,
    };
    const reading = await askAndRead(extractor, input, new AbortController().signal);
    for (const { attribute, subject } of reading.candidates)
      if (attribute != null)
        values.push(`${subject == null ? '' : `${subject}: `}${attribute.name}=${attribute.value}`);
    const made = records.length;
    const admission = admit({
      candidates: reading.candidates,
      window: messages,
      context,
      known,
      shown: existing.map(({ recordId }) => recordId),
      namespace: '/',
      secrets,
      newId: (index) => `record-${made + index}`,
    });
    for (const [reason, count] of Object.entries(reading.skipped ?? {}))
      skipped[reason] = (skipped[reason] ?? 0) + count;
    records = folded(records, admission);
    context = [...context, ...messages].slice(-CONTEXT);
  }
  const failures = dialogue.expectations.flatMap((expectation) => {
    const holds = check(expectation, records, values, skipped);
    return holds ? [] : [`${expectation.kind}: ${expectation.words}`];
  });
  return { records, values, skipped, failures };
};

const folded = (records: readonly DialogueRecord[], admission: ReturnType<typeof admit>): DialogueRecord[] => {
  const confirmed = new Map(admission.confirmed.map((record) => [record.recordId, record]));
  const superseded = new Map(admission.superseded.map(({ recordId, by }) => [recordId, by]));
  const added = admission.records.map((record) => ({
    ...record,
    eventTime: record.eventTime ?? null,
    supersededBy: null,
  }));
  return [...records, ...added].map((record) => {
    const again = confirmed.get(record.recordId);
    return {
      ...record,
      sources: [...record.sources, ...(again?.sources ?? [])],
      statedAt: again?.statedAt ?? record.statedAt,
      supersededBy: superseded.get(record.recordId) ?? record.supersededBy,
    };
  });
};

const holdsWords = (text: string, words: string): boolean => text.toLowerCase().includes(words.toLowerCase());

const check = (
  { kind, words }: Expectation,
  records: readonly DialogueRecord[],
  values: readonly string[],
  skipped: Readonly<Record<string, number>>,
): boolean => {
  const current = records.filter(({ supersededBy }) => supersededBy === null);
  const [first = '', ...others] = words.split(' ');
  const rest = others.join(' ');
  const found = current.filter(({ text }) => holdsWords(text, rest));
  const isCurrent = (one: string): boolean => current.some(({ text }) => holdsWords(text, one));
  const isEnded = (old: string, by: string): boolean =>
    !current.some(({ text, attribute }) => {
      const isOld = holdsWords(text, old) || attribute?.value === old;
      return isOld && !holdsWords(text, by);
    });
  switch (kind) {
    case 'keep':
      return isCurrent(words);
    case 'not':
      return !isCurrent(words);
    case 'gone':
      return !isCurrent(words) && records.some(({ text }) => holdsWords(text, words));
    case 'none':
      return records.length === 0;
    case 'most':
      return current.length <= Number(first);
    case 'text':
      return current.some(({ text }) => text === words);
    case 'value':
      return values.includes(words);
    case 'no value':
      return !values.some((value) => value.includes(`${words}=`));
    case 'sources':
      return found.some(({ sources }) => new Set(sources.map(({ eventId }) => eventId)).size >= Number(first));
    case 'when':
      return found.some(({ eventTime }) => `${eventTime?.from ?? ''}..${eventTime?.to ?? ''}` === first);
    case 'strength':
      return found.some(({ text }) => strengthOf(text) === first);
    case 'changed':
    case 'ended': {
      const [old = '', by = ''] = words.split(' -> ');
      return isEnded(old, by) && (kind === 'ended' || isCurrent(by));
    }
    case 'both':
      return words.split(' + ').every(isCurrent);
    case 'skipped':
      return (skipped[first] ?? 0) > 0;
    default:
      return false;
  }
};
