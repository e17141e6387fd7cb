import {
  factKey,
  type Admission,
  type Candidate,
  type KnownRecord,
  type RecordsExtracted,
  type RollingWindow,
  type Slot,
  type Strategy,
} from '@turnkeeper/domain';
import type { WantedRecords } from '../records/record-writer.port.js';
import type { AnsweredWindow } from './answer-window.js';
import type { ReadAnswer } from './extractor.port.js';
import type { SessionWindow } from './session-window.js';

/** The records that the candidates have to be compared with; null if there are no candidates. */
export const comparableRecords = (
  candidates: readonly Candidate[],
  shown: readonly string[],
  slotFor: (candidate: Candidate) => Slot | null,
): WantedRecords | null => {
  if (candidates.length === 0) return null;
  const texts = candidates.map(({ text }) => text);
  return {
    factKeys: [...new Set(texts.map(factKey))],
    slotKeys: [...new Set(candidates.flatMap((candidate) => slotFor(candidate)?.key ?? []))],
    recordIds: shown,
  };
};

/** Data of the `records.extracted` event. */
export const extractedData = (
  { strategyId, version }: Strategy,
  { window, answer, answerEventId }: AnsweredWindow,
  { skipped = {} }: ReadAnswer,
  { unknownRelations, ...admission }: Admission,
  rolling: RollingWindow | undefined,
): RecordsExtracted => ({
  strategyId,
  strategyVersion: version,
  fromSequence: window.fromSequence,
  toSequence: window.toSequence,
  extractor: answer.extractor,
  model: answer.model,
  promptHash: answer.promptHash,
  rawAnswer: answerEventId === null ? answer.rawAnswer : '',
  answerEventId,
  ...admission,
  ...(Object.keys(skipped).length === 0 ? {} : { skipped }),
  ...(unknownRelations === 0 ? {} : { unknownRelations }),
  ...(rolling === undefined ? {} : { rolling }),
});

/**
 * What the window's status counts beside its records, by reason: what the extractor skipped; as `refused_…`, the facts
 * that were refused; as `doubt_…`, those that were kept although something could not be verified. Undefined if nothing.
 */
export const notKept = (
  data: Pick<RecordsExtracted, 'skipped' | 'refused' | 'records'>,
): Readonly<Record<string, number>> | undefined => {
  const counts: Record<string, number> = { ...data.skipped };
  const reasons = [
    ...data.refused.map(({ reason }) => `refused_${reason}`),
    ...data.records.flatMap(({ doubts = [] }) => doubts.map((doubt) => `doubt_${doubt}`)),
  ];
  for (const reason of reasons) counts[reason] = (counts[reason] ?? 0) + 1;
  return Object.keys(counts).length === 0 ? undefined : counts;
};

/** The window's part of the session's rolling memory. */
export const rollingWindow = (
  { records, confirmed }: Pick<Admission, 'records' | 'confirmed'>,
  known: readonly KnownRecord[],
  { userTurns, items }: SessionWindow,
  summary: string | null,
  shownText: (text: string) => string,
): RollingWindow => {
  const texts = new Map(known.map(({ recordId, text }) => [recordId, text]));
  return {
    facts: [
      ...records.map(({ recordId, text }) => ({ recordId, text })),
      ...confirmed.map(({ recordId }) => ({ recordId, text: shownText(texts.get(recordId) ?? '') })),
    ],
    summary,
    turns: userTurns,
    items,
  };
};
