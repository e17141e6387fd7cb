import { DeleteRecord, type ExtractionInput, type Extractor } from '@turnkeeper/application';
import { PgRecordWriter } from '@turnkeeper/postgres';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ExtractionRig, type RigSession } from '../testing/extraction-rig.js';

const CLASS = 'I started a pottery class in Hue.';
const CLAY = 'The clay for the pottery comes from the river.';

const TEXT = 'User started a pottery class in Hue.';

/** Quotes the class, and everything said after it as context. */
const extractor: Extractor = {
  name: 'scripted',
  costly: false,
  ask: async () => ({ extractor: 'scripted', model: null, promptHash: '', rawAnswer: '{}', usage: null }),
  read: async ({ context, messages }: ExtractionInput) => {
    const users = [...context, ...messages].filter(({ role }) => role === 'user');
    const sources = users.map(({ eventId, content }) => ({
      eventId,
      quote: content,
      ...(content === CLASS ? {} : { context: true }),
    }));
    return { candidates: [{ text: TEXT, sources }] };
  },
};

describe('an exchange that goes on in the next window', () => {
  let rig: ExtractionRig;
  let session: RigSession;
  beforeAll(async () => {
    rig = await ExtractionRig.create();
  });
  afterAll(() => rig?.close());
  beforeEach(async () => {
    session = await rig.session({ type: 'SEMANTIC' });
    const extract = rig.extractor(extractor);
    await rig.say(session, CLASS, { role: 'assistant', content: 'Lovely!' });
    expect(await rig.run(extract, session)).toMatchObject({ records: 1 });
    await rig.say(session, CLAY);
    expect(await rig.run(extract, session)).toMatchObject({ records: 0, confirmed: 0, refused: 0 });
  });

  const list = () => rig.records.newest(session.tenantId, session.memoryId, '/ada', 10);

  it('is context of the record, which was said once', async () => {
    const [record, ...others] = await list();
    expect(others).toEqual([]);
    expect(record).toMatchObject({ text: TEXT, timesSeen: 1 });
    expect(record?.sources.map(({ quote, context = false }) => [quote, context])).toEqual([
      [CLASS, false],
      [CLAY, true],
    ]);
  });

  it('leaves the log with the record', async () => {
    const [record] = await list();
    const deps = { ...rig.stores, erasure: rig.eventStore.erasure, recordWriter: new PgRecordWriter() };
    await new DeleteRecord(deps).execute(session.tenantId, session.memoryId, record?.recordId ?? '');
    const extractions = await rig.derived(session, 'records.extracted');
    expect(extractions.map(({ continued }) => continued?.length)).toEqual([undefined, 0]);
  });
});
