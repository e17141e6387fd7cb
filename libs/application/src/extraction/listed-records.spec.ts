import type { WindowMessage } from '@turnkeeper/domain';
import { describe, expect, it } from 'vitest';
import type { RecordHit, RecordView } from '../records/record-reader.port.js';
import { listedRecords, MAX_LISTED } from './listed-records.js';

const SCOPE = { tenantId: 't', memoryId: 'm', actorId: 'ada', namespace: '/n' };
const said = (content: string): WindowMessage => ({
  eventId: content,
  sequence: 1,
  role: 'user',
  speaker: null,
  content,
  at: '2026-03-04T10:00:00Z',
  source: null,
});

/** Finds records that share a word with the query. */
const storeOf = (
  texts: readonly string[],
  values: readonly Partial<RecordView>[] = [],
  states: readonly string[] = [],
) => {
  const all = texts.map((text, n) => ({ recordId: `${n}`, text, saidAt: `2026-01-01T00:00:00Z` }) as RecordView);
  const queries: string[] = [];
  const words = (text: string) => text.toLowerCase().match(/\p{L}{4,}/gu) ?? [];
  return {
    queries,
    attributesOfActor: async () =>
      values.map((value) => ({ namespace: '/n', saidAt: '2025-01-01T00:00:00Z', ...value }) as RecordView),
    statesOfActor: async () =>
      states.map((text) => ({ recordId: text, text, saidAt: '2025-01-01T00:00:00Z' }) as RecordView),
    newest: async (_t: string, _m: string, _n: string, limit: number) => all.slice(0, limit),
    search: async (_t: string, _m: string, _n: string, { text, limit }: { text: string; limit: number }) => {
      queries.push(text);
      const asked = new Set(words(text));
      return all
        .filter((record) => words(record.text).some((word) => asked.has(word)))
        .slice(0, limit)
        .map((record) => ({ ...record, score: 1 }) as RecordHit);
    },
  };
};

describe('the records that a model is shown', () => {
  it('are all of them if they are few, without a search', async () => {
    const store = storeOf(['Likes tea.', 'Lives in Hue.']);
    const listed = await listedRecords(store, SCOPE, [said('Something about my gardening work.')]);
    expect(listed.map(({ text }) => text)).toEqual(['Likes tea.', 'Lives in Hue.']);
    expect(store.queries).toEqual([]);
  });

  it('contain what each message is about, among many others, and the newest', async () => {
    const noise = Array.from({ length: 300 }, (_, n) => `Note number ${n} of somewhere.`);
    const store = storeOf([...noise, 'Drives a Saab.', 'Enjoys soda.', 'Rents in Oslo.']);
    const listed = await listedRecords(store, SCOPE, [
      said('Well, I sold the saab last week.'),
      said('Yes.'),
      said('And the doctor says no more soda for me.'),
    ]);
    expect(store.queries).toHaveLength(2);
    const texts = listed.map(({ text }) => text);
    expect(texts).toEqual(expect.arrayContaining(['Drives a Saab.', 'Enjoys soda.', noise[0], noise[3]]));
    expect(texts).not.toContain('Rents in Oslo.');
    expect(listed.length).toBeLessThanOrEqual(MAX_LISTED);
  });

  it('contain the values of which one is current, which share no word with the new ones', async () => {
    const phone = { name: 'phone_number', value: '1', single: true };
    const store = storeOf(
      Array.from({ length: 100 }, (_, n) => `Note ${n}.`),
      [
        { recordId: 'phone', text: 'The number of Ada is 1.', attribute: phone },
        { recordId: 'order', text: 'Ada gave order 7.', attribute: { name: 'order', value: '7', single: false } },
        { recordId: 'elsewhere', text: 'The number is 2.', attribute: phone, namespace: '/other' },
      ],
    );
    const listed = await listedRecords(store, SCOPE, [said('From now on ring 0131 496 0772, please.')]);
    expect(listed[0]).toMatchObject({ recordId: 'phone', attribute: phone });
    expect(listed.map(({ recordId }) => recordId)).not.toEqual(expect.arrayContaining(['order']));
    expect(listed.map(({ recordId }) => recordId)).not.toEqual(expect.arrayContaining(['elsewhere']));
  });

  it('contain preferences, plans and requests, which end in other words', async () => {
    const noise = Array.from({ length: 100 }, (_, n) => `Note ${n}.`);
    const listed = await listedRecords(storeOf(noise, [], ['Goes running.']), SCOPE, [
      said('My knee is bad, I swim now.'),
    ]);
    expect(listed.map(({ text }) => text)).toContain('Goes running.');
  });

  it('are the first that each message finds, before the second ones of others', async () => {
    const noise = Array.from({ length: 100 }, (_, n) => `Note ${n}.`);
    const here = Array.from({ length: 80 }, (_, n) => `Thing number ${n}.`);
    const store = storeOf([...noise, ...here, 'Late bicycle.']);
    const messages = [...Array.from({ length: 9 }, (_, n) => `What thing is it then, ${n}?`), 'My bicycle is new.'];
    const listed = await listedRecords(store, SCOPE, messages.map(said));
    expect(listed[1]?.text).toBe('Late bicycle.');
  });
});
