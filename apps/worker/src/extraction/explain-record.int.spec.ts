import { ExplainRecord, type PromptBook, type RecordExplanation } from '@turnkeeper/application';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ExtractionRig, ScriptedModel, type RigSession } from '../testing/extraction-rig.js';

const MOVED = 'I moved to Hue in May.';
const ANSWER = JSON.stringify({
  facts: [
    { text: 'User moved to Hue.', sources: [{ event: 'm1', quote: MOVED }] },
    { text: 'User owns a castle.', sources: [{ event: 'm1', quote: 'my castle' }] },
    { text: 'User owns a yacht.', sources: [{ event: 'm9', quote: 'my yacht' }] },
    { text: 'User owns a ship.', sources: [{ event: 'm1', quote: 'my ship' }] },
  ],
});
/** Knows the one prompt that the scripted model reports. */
const prompts: PromptBook = {
  promptOf: ({ type }, hash) => (hash === 'f00d' ? `Look for ${type}.` : null),
};

describe('a record made by a model', () => {
  let rig: ExtractionRig;
  let session: RigSession;
  let eventId: string;
  const explain = async (): Promise<RecordExplanation> => {
    const { provenance } = rig.eventStore;
    const [record] = await rig.rows<{ record_id: string }>('select record_id from records where memory_id = $1', [
      session.memoryId,
    ]);
    const useCase = new ExplainRecord({ memories: rig.memories, records: rig.records, provenance, prompts });
    return useCase.execute(session.tenantId, session.memoryId, record!.record_id);
  };

  beforeAll(async () => {
    rig = await ExtractionRig.create({ durable: false });
    session = await rig.session();
    [eventId = ''] = await rig.say(session, MOVED);
    const model = new ScriptedModel();
    model.answer = () => ANSWER;
    await rig.run(rig.extractor(model), session);
  });
  afterAll(() => rig?.close());

  it('is explained by its messages, prompt, answer and refusals', async () => {
    const { sources, runs } = await explain();
    expect(sources).toEqual([
      expect.objectContaining({ eventId, state: 'readable', content: MOVED, quote: MOVED, actorId: 'ada' }),
    ]);
    expect(runs).toEqual([
      expect.objectContaining({
        did: ['made'],
        model: 'scripted',
        promptHash: 'f00d',
        prompt: 'Look for SEMANTIC.',
        rawAnswer: ANSWER,
        refused: { quote_not_in_event: 2, unknown_event: 1 },
        strategy: expect.objectContaining({ name: 'facts', version: 1 }),
      }),
    ]);
  });

  it('can cite an expired event, before and after its purge', async () => {
    await rig.unitOfWork.run(async (tx) => {
      await tx.query(`select set_config('turnkeeper.change', 'expiry', true)`);
      await tx.query(`update events set expires_at = now() - interval '1 hour' where event_id = $1`, [eventId]);
    });
    const expired = [expect.objectContaining({ eventId, state: 'expired', content: null, quote: MOVED })];
    expect((await explain()).sources).toEqual(expired);
    await rig.eventStore.erasure.purgeExpired();
    expect((await explain()).sources).toEqual(expired);
  });

  it('belongs to its tenant', async () => {
    const { record } = await explain();
    expect(await rig.records.lineage(crypto.randomUUID(), session.memoryId, record.recordId)).toBeNull();
    const { provenance } = rig.eventStore;
    const stranger = { tenantId: crypto.randomUUID(), memoryId: session.memoryId, recordId: record.recordId };
    const [key] = [await rig.keyOf(session)];
    expect(await provenance.accountsOf(stranger, { actorId: 'ada', sessionKeys: [key!] })).toEqual([]);
    expect(await provenance.memoryEvents(stranger.tenantId, session.memoryId)).toEqual([]);
  });
});
