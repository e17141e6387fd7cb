import { wholeTenant } from '@turnkeeper/domain';
import { EraseEvent, type Extractor } from '@turnkeeper/application';
import { NotesExtractor } from '@turnkeeper/extraction';
import { PgPersonalRows } from '@turnkeeper/postgres';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ExtractionRig, factAbout, ScriptedModel, type RigSession } from '../testing/extraction-rig.js';

/** Appears in one turn only. */
const SECRET = 'zanzibarquokka';

describe("a session's episode", () => {
  let rig: ExtractionRig;
  let session: RigSession;
  beforeAll(async () => {
    rig = await ExtractionRig.create();
  });
  afterAll(() => rig?.close());
  beforeEach(async () => {
    session = await rig.session({ type: 'EPISODIC' });
  });

  const current = () => rig.records.newest(session.tenantId, session.memoryId, '/ada', 10);
  const textOf = async (sessionId: string) => (await current()).find(({ text }) => text.includes(sessionId))?.text;
  const desk = (content: string) => ({ role: 'assistant', content });
  const read = async (extractor: Extractor = new NotesExtractor()) => {
    expect(await rig.run(rig.extractor(extractor), session)).toMatchObject({ kind: 'extracted' });
  };

  it('is one current record, however many windows the session has; other sessions have their own', async () => {
    await rig.say(session, 'Can you book Tet tickets?', desk("I'll look for seats."));
    await read();
    await rig.say(session, 'Any news?', desk('Still looking.'));
    await read();
    await rig.say(session, desk('I have booked two seats to Hue.'));
    await read();
    const [episode, ...others] = await current();
    expect(others).toEqual([]);
    expect(episode).toMatchObject({
      text:
        'Session on 2 March 2026 with User and Agent. Asked for: "Can you book Tet tickets?" (User). ' +
        'Done or promised: "I have booked two seats to Hue." (Agent).',
      eventTime: { from: '2026-03-02', to: '2026-03-02' },
    });
    expect(episode?.sources.map(({ sequence }) => sequence)).toEqual([1, 2, 5]);

    session = await rig.session({ memory: session });
    await rig.say(session, 'Can you cancel the tickets?');
    await read();
    expect(await current()).toHaveLength(2);
    expect(await textOf('two seats to Hue')).toBe(episode?.text);
  });

  it('is withdrawn with a turn that it quotes, and so are its earlier versions', async () => {
    const [eventId = ''] = await rig.say(session, `Can you write to ${SECRET}?`);
    await read();
    await rig.say(session, desk('I have sent the letter on Monday.'));
    await read();
    expect(await textOf(SECRET)).toContain('I have sent the letter on Monday.');
    const deps = {
      ...rig.stores,
      erasure: rig.eventStore.erasure,
      directory: rig.eventStore.directory,
      personalRows: new PgPersonalRows(rig.dataSource),
    };
    await new EraseEvent(deps).execute(wholeTenant(session.tenantId), session, eventId);
    expect(await current()).toEqual([]);
    for (const table of ['events', 'records', 'record_sources']) {
      expect(await rig.rows(`select 1 from ${table} t where t::text like $1`, [`%${SECRET}%`])).toEqual([]);
    }
    // Later windows start again from the turns that remain.
    await rig.say(session, 'Can you send a copy too?');
    await read();
    expect((await current()).map(({ text }) => text)).toEqual([
      'Session on 2 March 2026 with Agent and User. Done or promised: "I have sent the letter on Monday." (Agent). ' +
        'Left open: "Can you send a copy too?" (User).',
    ]);
  });

  it('shows a model the episode so far and its passages, and keeps one of its facts', async () => {
    const model = new ScriptedModel();
    model.answer = () => factAbout('User asked for tickets to Hue.', 'm1', 'tickets to Hue');
    await rig.say(session, 'Book me tickets to Hue. And hurry.');
    await read(model);
    await rig.say(session, desk('Done: seats 4 and 5.'));
    model.answer = () =>
      JSON.stringify({
        facts: [
          {
            text: 'User asked for tickets to Hue and got seats 4 and 5.',
            sources: [
              { event: 'c1', quote: 'tickets to Hue' },
              { event: 'm1', quote: 'seats 4 and 5' },
            ],
          },
          { text: 'Seats are 4 and 5.', sources: [{ event: 'm1', quote: 'seats 4 and 5' }] },
        ],
      });
    await read(model);
    expect(model.asked[1]).toMatchObject({
      summary: 'Session on 2 March 2026 with User. User asked for tickets to Hue.',
      context: [{ content: 'Book me tickets to Hue. And hurry.' }],
      existing: [],
    });
    expect((await current()).map(({ text }) => text)).toEqual([
      'Session on 2 March 2026 with User and Agent. User asked for tickets to Hue and got seats 4 and 5.',
    ]);
    const extracted = await rig.derived(session, 'records.extracted');
    expect(extracted.at(-1)?.refused).toEqual([
      { text: 'Session on 2 March 2026 with User and Agent. Seats are 4 and 5.', reason: 'too_many' },
    ]);
  });
});
