import { describe, expect, it } from 'vitest';
import type { RecordsExtracted, RecordSource } from '../records/record-events.js';
import { redactDerived, type Redaction } from './redact.js';

const source = (eventId: string): RecordSource => ({ eventId, sequence: 1, role: 'user', quote: `said in ${eventId}` });
const record = (recordId: string, ...eventIds: string[]) => ({
  recordId,
  text: `text of ${recordId}`,
  namespace: '/n',
  sources: eventIds.map(source),
  statedAt: '2026-01-01T00:00:00.000Z',
  slot: null,
});
const extracted = (changes: Partial<RecordsExtracted> = {}): RecordsExtracted =>
  ({
    strategyId: 's',
    strategyVersion: 1,
    fromSequence: 1,
    toSequence: 5,
    extractor: 'x',
    model: null,
    promptHash: 'h',
    rawAnswer: 'whatever the model said',
    records: [record('r1', 'e1'), record('r2', 'e1', 'e2')],
    confirmed: [{ recordId: 'r0', sources: [source('e1'), source('e3')], statedAt: '2026-01-01T00:00:00.000Z' }],
    superseded: [{ recordId: 'r7', by: 'r1' }],
    refused: [{ text: 'something else that was said', reason: 'unknown_event' }],
    ...changes,
  }) as RecordsExtracted;
const redaction = (parts: Partial<Record<keyof Redaction, string[]>>): Redaction => ({
  eventIds: new Set(parts.eventIds),
  withdrawn: new Set(parts.withdrawn),
  carried: new Set(parts.carried),
});

describe('an extraction whose source event is erased', () => {
  const data = redactDerived(
    { type: 'records.extracted', data: extracted() },
    redaction({ eventIds: ['e1'], withdrawn: ['r1'] }),
  ) as RecordsExtracted;

  it('loses the records based only on it, and its sources in others', () => {
    expect(data.records.map(({ recordId, sources }) => [recordId, sources.map(({ eventId }) => eventId)])).toEqual([
      ['r2', ['e2']],
    ]);
    expect(data.confirmed[0]?.sources.map(({ eventId }) => eventId)).toEqual(['e3']);
  });

  it('loses records that only their context is left of', () => {
    const context: RecordSource = { ...source('e2'), context: true };
    const records = [{ ...record('r1', 'e1'), sources: [source('e1'), context] }];
    const redacted = redactDerived(
      { type: 'records.extracted', data: extracted({ records }) },
      redaction({ eventIds: ['e1'] }),
    ) as RecordsExtracted;
    expect(redacted.records).toEqual([]);
  });

  it('loses it as context of an earlier record', () => {
    const [first, second] = [source('e1'), source('e2')].map((one): RecordSource => ({ ...one, context: true }));
    const continued = [
      { recordId: 'r8', sources: [first!, second!] },
      { recordId: 'r9', sources: [first!] },
      { recordId: 'r1', sources: [second!] },
    ];
    const redacted = redactDerived(
      { type: 'records.extracted', data: extracted({ continued }) },
      redaction({ eventIds: ['e1'], withdrawn: ['r1'] }),
    ) as RecordsExtracted;
    expect(redacted.continued).toEqual([{ recordId: 'r8', sources: [second] }]);
  });

  it('loses the whole answer and all refused candidates', () => {
    expect(data).toMatchObject({ rawAnswer: '', refused: [] });
    expect(JSON.stringify(data)).not.toContain('said in e1');
  });

  it('keeps its window, so that the windows still cover the session without gaps', () => {
    expect([data.fromSequence, data.toSequence, data.superseded]).toEqual([1, 5, [{ recordId: 'r7', by: 'r1' }]]);
  });

  it('is unchanged once nothing is left to remove', () => {
    expect(
      redactDerived({ type: 'records.extracted', data }, redaction({ eventIds: ['e1'], withdrawn: ['r1'] })),
    ).toBeNull();
  });
});

describe('other events with copies of records', () => {
  it('lose withdrawn records', () => {
    const inserted = { recordId: 'r1', text: 'a', namespace: '/n', strategyId: null };
    const kept = { ...inserted, recordId: 'r2' };
    expect(
      redactDerived(
        { type: 'records.inserted', data: { records: [inserted, kept] } },
        redaction({ withdrawn: ['r1'] }),
      ),
    ).toEqual({ records: [kept] });
    expect(
      redactDerived(
        { type: 'record.corrected', data: { recordId: 'r1', text: 'a' } },
        redaction({ withdrawn: ['r1'] }),
      ),
    ).toEqual({ recordId: 'r1', text: '' });
  });

  it('lose records that are carried over again', () => {
    const records = [{ recordId: 'r1' }, { recordId: 'r2' }] as never;
    expect(redactDerived({ type: 'records.carried_over', data: { records } }, redaction({ carried: ['r2'] }))).toEqual({
      records: [{ recordId: 'r1' }],
    });
  });

  it('are unchanged if they contain other records', () => {
    const corrected = { type: 'record.corrected', data: { recordId: 'r9', text: 'a' } } as const;
    expect(redactDerived(corrected, redaction({ withdrawn: ['r1'], carried: ['r2'] }))).toBeNull();
  });
});

describe('a rolling-memory window whose source event is erased', () => {
  it('loses its whole summary, and the facts whose records are based only on it', () => {
    const rolling = {
      facts: [
        { recordId: 'r1', text: 'gone' },
        { recordId: 'r2', text: 'stays' },
        { recordId: 'r0', text: 'stays too' },
      ],
      summary: 'all of it',
      turns: 2,
      items: 5,
    };
    const data = redactDerived(
      { type: 'records.extracted', data: extracted({ rolling }) },
      redaction({ eventIds: ['e1'], withdrawn: ['r1'] }),
    ) as RecordsExtracted;
    expect(data.rolling).toEqual({ ...rolling, summary: null, facts: rolling.facts.slice(1) });
  });
});
