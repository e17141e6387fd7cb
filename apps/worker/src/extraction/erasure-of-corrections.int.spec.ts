import { wholeTenant } from '@turnkeeper/domain';
import { CorrectRecord, DeleteRecord, EraseEvent, EraseSessions } from '@turnkeeper/application';
import { systemIds } from '@turnkeeper/platform';
import { PgPersonalRows } from '@turnkeeper/postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ExtractionRig, factAbout, ScriptedModel, type RigSession } from '../testing/extraction-rig.js';

const SAID = 'I like tea.';
/** Appears in the correction and nowhere else. */
const CORRECTED = 'User likes zanzibarquokka.';

/** Ben owns the record, and Ada confirmed it. The log entry of a correction is in one of Ben's streams. */
describe('the correction of a record of two actors', () => {
  let rig: ExtractionRig;
  beforeAll(async () => {
    rig = await ExtractionRig.create({ durable: false });
  });
  afterAll(() => rig?.close());

  const deps = () => ({
    ...rig.stores,
    erasure: rig.eventStore.erasure,
    directory: rig.eventStore.directory,
    personalRows: new PgPersonalRows(rig.dataSource),
    ids: systemIds,
  });
  const given = async () => {
    const ben = await rig.session({ actorId: 'ben', namespace: '/shared' });
    const ada = await rig.session({ actorId: 'ada', memory: ben });
    const { tenantId, memoryId } = ben;
    const model = new ScriptedModel();
    model.answer = () => factAbout('User likes tea.', 'm1', SAID);
    const says = async (session: RigSession): Promise<string> => {
      const [eventId = ''] = await rig.say(session, SAID);
      await rig.run(rig.extractor(model), session);
      return eventId;
    };
    const said = await says(ben);
    await says(ada);
    const records = () =>
      rig.rows<{ id: string; owner: string; sources: number }>(
        `select record_id as id, actor_id as owner, count(s.*)::int as sources
           from records r join record_sources s using (record_id) where r.memory_id = $1 group by 1, 2`,
        [memoryId],
      );
    const [record] = await records();
    expect(record).toMatchObject({ owner: 'ben', sources: 2 });
    const recordId = record!.id;
    const corrections = async (): Promise<string[]> =>
      (
        await rig.rows<{ text: string }>(
          `select data ->> 'text' as text from events where memory_id = $1 and type = 'record.corrected'`,
          [memoryId],
        )
      ).map(({ text }) => text);
    return {
      correct: async () => {
        await new CorrectRecord(deps()).execute(tenantId, memoryId, recordId, CORRECTED);
        expect(await corrections()).toEqual([CORRECTED]);
      },
      eraseEventOfBen: () => new EraseEvent(deps()).execute(wholeTenant(tenantId), ben, said),
      eraseSessionOfBen: () => new EraseSessions(deps()).session(wholeTenant(tenantId), ben),
      eraseAda: () => new EraseSessions(deps()).actor(wholeTenant(tenantId), memoryId, 'ada'),
      deleteRecord: () => new DeleteRecord(deps()).execute(tenantId, memoryId, recordId),
      stays: async () => expect(await records()).toEqual([{ id: recordId, owner: 'ben', sources: 1 }]),
      isForgotten: async () => {
        expect(await records()).toEqual([]);
        expect(await corrections()).toEqual(['']);
      },
    };
  };

  it.each(['eraseAda', 'deleteRecord'] as const)('is forgotten with %s after its session is erased', async (ends) => {
    const life = await given();
    await life.eraseSessionOfBen();
    await life.stays();
    await life.correct();
    await life[ends]();
    await life.isForgotten();
  });

  it.each(['eraseAda', 'deleteRecord'] as const)(
    'is forgotten with %s after its first source is erased',
    async (ends) => {
      const life = await given();
      await life.correct();
      await life.eraseEventOfBen();
      await life.stays();
      await life[ends]();
      await life.isForgotten();
    },
  );
});
