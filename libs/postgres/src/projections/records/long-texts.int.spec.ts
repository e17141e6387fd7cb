import { createHash, randomUUID } from 'node:crypto';
import { factKey } from '@turnkeeper/domain';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { recordSnapshot } from '../../testing/record-snapshot.js';
import { RecordWork } from '../../testing/record-work.js';

/** Incompressible text with three bytes per character, so that an index entry is as long as the text. */
const longText = (length: number, seed: string): string => {
  const characters: string[] = [];
  for (let block = 0; characters.length < length; block += 1) {
    const bytes = createHash('sha512').update(`${seed}/${block}`).digest();
    for (let at = 0; at < bytes.length; at += 2) {
      characters.push(String.fromCharCode(0x4e00 + (bytes.readUInt16BE(at) % 20_000)));
    }
  }
  return characters.slice(0, length).join('');
};

const work = new RecordWork();
beforeAll(work.start);
afterAll(work.close);

const { tenantId, memoryId, writer } = work;
const namespace = longText(1_024, 'namespace');
const text = longText(16_000, 'text');
const slot = { key: longText(5_000, 'slot'), value: longText(5_000, 'value') };
const sources = ['one', 'two'].map((seed) => ({
  eventId: randomUUID(),
  sequence: 1,
  role: 'user',
  quote: longText(16_000, seed),
}));

it('stores an extracted record whose namespace, fact, slot and quotes exceed the index entry limit', async () => {
  const record = { recordId: randomUUID(), text, namespace, sources, slot, statedAt: '2026-01-01T00:00:00.000Z' };
  await work.apply({ records: [record] });

  expect(await work.reader.newest(tenantId, memoryId, namespace, 10)).toMatchObject([{ text }]);
  expect(await work.reader.search(tenantId, memoryId, namespace, { text, limit: 5, scoreThreshold: 0 })).toBeDefined();
  const known = (wanted: { factKeys: string[]; slotKeys: string[] }) =>
    work.database.unitOfWork.run((tx) => writer.known(tx, memoryId, namespace, wanted));
  expect(await known({ factKeys: [], slotKeys: [slot.key] })).toMatchObject([{ recordId: record.recordId, slot }]);
  expect(await known({ factKeys: [factKey(text)], slotKeys: [] })).toMatchObject([{ recordId: record.recordId }]);
});

it('stores a carried-over record of the same length, once', async () => {
  const parts = { text: `${text.slice(1)}!`, namespace, slot, sources: [...sources, ...sources] };
  const snapshot = recordSnapshot('2026-01-01T00:00:00.000Z', parts);
  const origin = { tenantId, memoryId, eventId: randomUUID(), sessionKey: null };
  for (let run = 0; run < 2; run += 1) {
    await work.database.unitOfWork.run((tx) => writer.save(tx, origin, [snapshot]));
  }
  const quotes = await work.database.rows(`select from record_sources where record_id = $1`, [snapshot.recordId]);
  expect(quotes).toHaveLength(2);
  const filter = { namespace, includeSuperseded: false, limit: 10 };
  expect(await work.reader.list(tenantId, memoryId, filter)).toHaveLength(2);
});
