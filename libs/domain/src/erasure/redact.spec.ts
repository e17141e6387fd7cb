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

describe('an extraction, when an event that it read is erased', () => {
  const data = redactDerived(
    { type: 'records.extracted', data: extracted() },
    redaction({ eventIds: ['e1'], withdrawn: ['r1'] }),
  ) as RecordsExtracted;

  it('loses the records that rested on it alone, and its part in the others', () => {
    expect(data.records.map(({ recordId, sources }) => [recordId, sources.map(({ eventId }) => eventId)])).toEqual([
      ['r2', ['e2']],
    ]);
    expect(data.confirmed[0]?.sources.map(({ eventId }) => eventId)).toEqual(['e3']);
  });

  it('loses the answer and the refused candidates whole', () => {
    expect(data).toMatchObject({ rawAnswer: '', refused: [] });
    expect(JSON.stringify(data)).not.toContain('said in e1');
  });

  it('keeps its window, so that the ranges go on tiling the session', () => {
    expect([data.fromSequence, data.toSequence, data.superseded]).toEqual([1, 5, [{ recordId: 'r7', by: 'r1' }]]);
  });

  it('is left as it is once there is nothing of it any more', () => {
    expect(
      redactDerived({ type: 'records.extracted', data }, redaction({ eventIds: ['e1'], withdrawn: ['r1'] })),
    ).toBeNull();
  });
});

describe('other accounts of records', () => {
  it('lose what is withdrawn', () => {
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

  it('lose what is carried over anew, where they carried it over before', () => {
    const records = [{ recordId: 'r1' }, { recordId: 'r2' }] as never;
    expect(redactDerived({ type: 'records.carried_over', data: { records } }, redaction({ carried: ['r2'] }))).toEqual({
      records: [{ recordId: 'r1' }],
    });
  });

  it('stay as they are when they tell of other records', () => {
    const corrected = { type: 'record.corrected', data: { recordId: 'r9', text: 'a' } } as const;
    expect(redactDerived(corrected, redaction({ withdrawn: ['r1'], carried: ['r2'] }))).toBeNull();
  });
});

describe('a window of a rolling memory, when an event that it read is erased', () => {
  it('loses its summary whole, and the facts whose records rested on it alone', () => {
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
