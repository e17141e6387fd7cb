import { ReadMemoryState } from '@turnkeeper/application';
import { NotesExtractor } from '@turnkeeper/extraction';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ExtractionRig, ScriptedModel, type RigSession } from '../testing/extraction-rig.js';

describe("a session's rolling memory", () => {
  let rig: ExtractionRig;
  let model: ScriptedModel;
  let session: RigSession;

  beforeAll(async () => {
    rig = await ExtractionRig.create();
  });
  afterAll(() => rig?.close());
  beforeEach(async () => {
    model = new ScriptedModel();
    session = await rig.session({ type: 'SUMMARY' });
  });

  const state = () => new ReadMemoryState(rig).execute(session);
  const turn = async (text: string, summary?: string): Promise<void> => {
    await rig.say(session, text, { role: 'assistant', content: 'I see.' });
    const facts = [{ text: `User says: ${text}`, sources: [{ event: 'm1', quote: text }] }];
    model.answer = () => JSON.stringify({ facts, ...(summary === undefined ? {} : { summary }) });
    expect(await rig.run(rig.extractor(model), session)).toMatchObject({ kind: 'extracted' });
  };

  it('is empty before the first generation, and counts turns', async () => {
    await rig.say(session, 'I have a dog.', { role: 'assistant', content: 'Nice.' }, 'And a cat.');
    expect(await state()).toEqual({
      version: 0,
      facts: [],
      summary: '',
      contextText: '',
      turnsSinceGen: 2,
      totalTurns: 2,
      itemsTrimmed: 0,
    });
  });

  it('grows with every generation, and shows the model its own last summary', async () => {
    await turn('I have a dog.', 'The user has a dog.');
    await turn('I moved to Hue.', 'The user has a dog and lives in Hue.');
    await rig.say(session, 'Bye.');
    expect(await state()).toEqual({
      version: 2,
      facts: ['User says: I have a dog.', 'User says: I moved to Hue.'],
      summary: 'The user has a dog and lives in Hue.',
      contextText: expect.stringContaining('The user has a dog and lives in Hue.'),
      turnsSinceGen: 1,
      totalTurns: 3,
      itemsTrimmed: 0,
    });
    expect(model.asked.map(({ summary }) => summary)).toEqual([null, 'The user has a dog.']);
  });

  it('has no contact details if records may not contain them', async () => {
    const contact = 'My number is 0912 345 678.';
    await rig.say(session, 'I have a dog.', contact);
    const facts = [
      { text: 'User says: I have a dog.', sources: [{ event: 'm1', quote: 'I have a dog.' }] },
      { text: `User says: ${contact}`, sources: [{ event: 'm2', quote: contact }] },
    ];
    model.answer = () => JSON.stringify({ facts, summary: 'The user has a dog; call 0912 345 678.' });
    const outcome = await rig.run(rig.extractor(model, { contactDetails: 'refuse' }), session);
    expect(outcome).toMatchObject({ kind: 'extracted', records: 1, refused: 1 });
    expect(await state()).toMatchObject({
      facts: ['User says: I have a dog.'],
      summary: 'The user has a dog; call ….',
    });
    const [extraction] = await rig.derived(session, 'records.extracted');
    expect(extraction?.refused).toEqual([{ text: '', reason: 'secret' }]);
  });

  it('keeps a fact that another session stated first', async () => {
    await turn('I have a dog.', 'A dog.');
    session = await rig.session({ memory: session });
    await turn('I have a dog.', 'Again the dog.');
    expect(await state()).toMatchObject({ version: 1, facts: ['User says: I have a dog.'], summary: 'Again the dog.' });
  });

  it('follows its settings', async () => {
    const rolling = {
      turnInterval: 1,
      maxFacts: 1,
      maxMemoryLength: 30,
      maxTranscriptItems: 2,
      trimAfterSummarize: true,
    };
    await rig.rows('update strategies set rolling = $2 where strategy_id = $1', [
      session.strategyId,
      JSON.stringify(rolling),
    ]);
    await turn('I have a dog.', 'One. '.repeat(20));
    await turn('I have a cat.', 'Two. '.repeat(20));
    const { facts, summary, itemsTrimmed } = await state();
    expect({ facts, itemsTrimmed }).toEqual({ facts: ['User says: I have a cat.'], itemsTrimmed: 2 });
    expect(summary.length).toBeLessThanOrEqual(30);
  });

  it('is due after its own number of turns', async () => {
    const due = async (turnInterval: number): Promise<unknown> => {
      session = await rig.session({ type: 'SUMMARY' });
      await rig.rows('update strategies set rolling = $2 where strategy_id = $1', [
        session.strategyId,
        JSON.stringify({ turnInterval }),
      ]);
      await rig.say(session, 'One.');
      await rig.rows('update extraction_states set flush_through = 0, due_at = null where session_key = $1', [
        await rig.keyOf(session),
      ]);
      const noted = { sessionKey: await rig.keyOf(session), newestSequence: 3, userTurns: 2, flushThrough: null };
      await rig.unitOfWork.run((tx) => rig.extractionSchedule.note(tx, [noted], { turnInterval: 5, quietSeconds: 60 }));
      return (await rig.state(session))['due'];
    };
    expect(await due(3)).toBe(true);
    expect(await due(4)).toBe(false);
  });

  it('works without a model: the summary has the most informative turns', async () => {
    await rig.say(session, 'I moved to Hue in May because I work at a hospital there.');
    await rig.run(rig.extractor(new NotesExtractor()), session);
    const { facts, summary, version } = await state();
    expect(version).toBe(1);
    expect(summary).toContain('Hue');
    expect(facts[0]).toContain('Hue');
  });

  it('does not exist without a strategy for it', async () => {
    session = await rig.session();
    await rig.say(session, 'Hello.');
    await expect(state()).rejects.toMatchObject({ code: 'strategy.no_summary' });
  });
});
