import { randomUUID } from 'node:crypto';
import type { ExtractSession } from '@turnkeeper/application';
import type { NewEvent } from '@turnkeeper/domain';
import { NotesExtractor } from '@turnkeeper/extraction';
import { PgTenantUsage } from '@turnkeeper/postgres';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  breakingOnce,
  ExtractionRig,
  factAbout,
  type ScriptedModel,
  type RigSession,
} from '../testing/extraction-rig.js';

describe('one window of a session', () => {
  let rig: ExtractionRig;
  let model: ScriptedModel;
  let session: RigSession;
  let extract: ExtractSession;

  beforeAll(async () => {
    rig = await ExtractionRig.create();
  });
  afterAll(() => rig?.close());
  beforeEach(async () => {
    ({ model, extract, session } = await rig.teaSession());
  });

  describe('its answer', () => {
    it('is in the log with its cost before it is used, and the extraction references it', async () => {
      await rig.say(session, 'I like tea.');
      expect(await rig.run(extract, session)).toMatchObject({ kind: 'extracted', records: 1 });
      const [answer] = await rig.derived(session, 'extraction.answered');
      expect(answer).toMatchObject({
        strategyId: session.strategyId,
        strategyVersion: 1,
        fromSequence: 1,
        toSequence: 1,
        extractor: 'openai-compatible',
        model: 'scripted',
        promptHash: 'f00d',
        rawAnswer: factAbout('User likes tea.', 'm1', 'I like tea.'),
        usage: { inputTokens: 100, outputTokens: 20 },
        failure: null,
      });
      const [extraction] = await rig.derived(session, 'records.extracted');
      const [event] = await rig.rows<{ event_id: string }>(
        `select event_id from events where type = 'extraction.answered' and memory_id = $1`,
        [session.memoryId],
      );
      expect(extraction).toMatchObject({ rawAnswer: '', answerEventId: event?.event_id });
    });

    it('is reused after a failed commit: the model is asked once', async () => {
      await rig.say(session, 'I like tea.');
      const broken = rig.extractor(model, {}, { recordWriter: breakingOnce() });
      await expect(rig.run(broken, session)).rejects.toThrow('the disk is full');
      expect(await rig.state(session)).toMatchObject({ status: 'waiting', attempts: 1, answer_unread: true });
      await rig.passTime(10);
      expect(await rig.run(broken, session)).toMatchObject({ kind: 'extracted', records: 1 });
      expect(model.asked).toHaveLength(1);
      expect(await rig.derived(session, 'extraction.answered')).toHaveLength(1);
    });

    it('covers the window that was shown; later messages belong to the next one', async () => {
      await rig.say(session, 'I like tea.');
      const broken = rig.extractor(model, {}, { recordWriter: breakingOnce() });
      await expect(rig.run(broken, session)).rejects.toThrow();
      await rig.say(session, 'I like rain.');
      await rig.passTime(10);
      expect(await rig.run(broken, session)).toMatchObject({ fromSequence: 1, toSequence: 1 });
      model.answer = () => factAbout('User likes rain.', 'm1', 'I like rain.');
      expect(await rig.run(broken, session)).toMatchObject({ fromSequence: 2, toSequence: 2 });
      expect(await rig.texts(session)).toEqual(['User likes rain.', 'User likes tea.']);
      expect(model.asked).toHaveLength(2);
    });

    it('is not used by another version of the strategy', async () => {
      await rig.say(session, 'I like tea.');
      const broken = rig.extractor(model, {}, { recordWriter: breakingOnce() });
      await expect(rig.run(broken, session)).rejects.toThrow();
      await rig.rows('update strategies set version = 2 where strategy_id = $1', [session.strategyId]);
      await rig.passTime(10);
      expect(await rig.run(broken, session)).toMatchObject({ kind: 'extracted' });
      expect(model.asked.map(({ strategyVersion }) => strategyVersion)).toEqual([1, 2]);
    });

    it('is not used if one of its messages was deleted', async () => {
      await rig.say(session, 'I am rich.', 'I like tea.');
      const broken = rig.extractor(model, {}, { recordWriter: breakingOnce() });
      await expect(rig.run(broken, session)).rejects.toThrow();
      const without: typeof rig.eventStore.readSessionPage = async (scope, read) => {
        const page = await rig.eventStore.readSessionPage(scope, read);
        return { ...page, events: page.events.filter(({ sequence }) => sequence !== 1) };
      };
      const eventStore = Object.create(rig.eventStore, {
        readSessionPage: { value: without },
      }) as typeof rig.eventStore;
      await rig.passTime(10);
      const after = rig.extractor(model, {}, { eventStore });
      expect(await rig.run(after, session)).toMatchObject({ kind: 'extracted', fromSequence: 1, toSequence: 2 });
      expect(model.asked.at(-1)?.messages.map(({ content }) => content)).toEqual(['I like tea.']);
      expect(await rig.texts(session)).toEqual(['User likes tea.']);
    });

    it('covers as many messages as fit, and no binaries', async () => {
      const binary: NewEvent = {
        eventId: randomUUID(),
        type: 'binary.appended',
        schemaVersion: 1,
        occurredAt: null,
        data: { payloadType: 'BINARY', binaryData: Buffer.alloc(3_000_000).toString('base64') },
      };
      await rig.append(session, [binary]);
      await rig.say(session, 'a'.repeat(3_000), 'b'.repeat(3_000), 'c'.repeat(99_000), 'd');
      await rig.append(session, [{ ...binary, eventId: randomUUID() }]);
      const read: unknown[] = [];
      const readSessionPage: typeof rig.eventStore.readSessionPage = async (scope, wanted) => {
        const page = await rig.eventStore.readSessionPage(scope, wanted);
        read.push(...page.events.map(({ type }) => type));
        return page;
      };
      const eventStore = Object.create(rig.eventStore, {
        readSessionPage: { value: readSessionPage },
      }) as typeof rig.eventStore;
      const small = rig.extractor(model, { windowBytes: 5_000, contextEvents: 0 }, { eventStore });
      const ranges = [];
      for (let run = 0; run < 3; run += 1) ranges.push(await rig.run(small, session));
      expect(ranges).toMatchObject([
        { fromSequence: 1, toSequence: 3 },
        { fromSequence: 4, toSequence: 4 },
        { fromSequence: 5, toSequence: 6 },
      ]);
      expect(model.asked.map(({ messages }) => messages.map(({ content }) => content[0]))).toEqual([
        ['a', 'b'],
        ['c'],
        ['d'],
      ]);
      expect(new Set(read)).toEqual(new Set(['message.appended']));
    });

    it('is not stored separately if asking is free', async () => {
      await rig.say(session, 'I moved to Hue last year.');
      expect(await rig.run(rig.extractor(new NotesExtractor()), session)).toMatchObject({ records: 1 });
      expect(await rig.derived(session, 'extraction.answered')).toEqual([]);
      const [extraction] = await rig.derived(session, 'records.extracted');
      expect(extraction).toMatchObject({ answerEventId: null, rawAnswer: expect.stringContaining('Hue') });
    });
  });

  describe('over the daily token limit', () => {
    it('of its memory is deferred, and another memory of the tenant is not', async () => {
      const limited = rig.extractor(model, { memoryTokensPerDay: 100 });
      const other = await rig.session({ tenantId: session.tenantId });
      for (const each of [session, other]) {
        await rig.say(each, 'I like tea.');
        expect(await rig.run(limited, each)).toMatchObject({ kind: 'extracted' });
      }
      await rig.say(session, 'I like rain.');
      expect(await rig.run(limited, session)).toEqual({ kind: 'waiting_for_budget' });
    });

    it('is deferred visibly to the next day, and not lost', async () => {
      const limited = rig.extractor(model, { tokensPerDay: 150 });
      await rig.say(session, 'I like tea.');
      expect(await rig.run(limited, session)).toMatchObject({ kind: 'extracted' }); // 120 tokens
      await rig.say(session, 'I like rain.');
      expect(await rig.run(limited, session)).toMatchObject({ kind: 'extracted' }); // 240: work in progress is finished
      await rig.say(session, 'I like snow.');
      expect(await rig.run(limited, session)).toEqual({ kind: 'waiting_for_budget' });
      expect(await rig.state(session)).toMatchObject({
        status: 'waiting',
        attempts: 0,
        last_code: 'budget.spent',
        due: false,
      });
      const [progress] = await rig.extractionStates.progress(session.tenantId, session.memoryId);
      expect(progress).toMatchObject({
        pendingSessions: 1,
        waitingForBudget: 1,
        modelCalls: 2,
        inputTokens: 200,
        outputTokens: 40,
      });

      const other = await rig.session();
      await rig.say(other, 'I like hail.');
      expect(await rig.run(limited, other)).toMatchObject({ kind: 'extracted' }); // another tenant's tokens
      const [day, ...more] = await rig.extractionStates.modelUsage(session.tenantId, session.memoryId);
      expect([day, more]).toMatchObject([{ calls: 2, inputTokens: 200, outputTokens: 40 }, []]);
      const { strategyId: _, ...ofDay } = day!;
      expect(await new PgTenantUsage(rig.dataSource).modelUsage(session.tenantId)).toEqual([ofDay]);

      await rig.say(session, 'And more.');
      expect(await rig.run(limited, session)).toEqual({ kind: 'not_due' });
      await rig.passTime(86_400);
      expect(await rig.run(limited, session)).toMatchObject({ kind: 'extracted', fromSequence: 3, toSequence: 4 });
    });
  });

  describe('the input of the model', () => {
    it("contains what was heard if the agent's message was cut later", async () => {
      const [eventId] = await rig.say(session, {
        role: 'assistant',
        content: 'Your train leaves at nine from platform two.',
      });
      const data = { messageEventId: eventId ?? '', heard: 'Your train leaves at nine' };
      const eventIdOfCut = crypto.randomUUID();
      await rig.append(session, [
        { eventId: eventIdOfCut, type: 'message.interrupted', schemaVersion: 1, data, occurredAt: null },
      ]);
      await rig.run(extract, session);
      expect(model.asked[0]?.messages.map(({ content }) => content)).toEqual(['Your train leaves at nine']);
    });

    it('contains what was heard of a message before the window, too', async () => {
      const [eventId] = await rig.say(session, { role: 'assistant', content: 'It leaves at nine from platform two.' });
      await rig.run(extract, session);
      const data = { messageEventId: eventId ?? '', heard: 'It leaves at nine' };
      await rig.append(session, [
        { eventId: crypto.randomUUID(), type: 'message.interrupted', schemaVersion: 1, data, occurredAt: null },
      ]);
      await rig.say(session, 'Thanks!');
      await rig.run(extract, session);
      expect(model.asked[1]).toMatchObject({
        context: [{ content: 'It leaves at nine' }],
        messages: [{ content: 'Thanks!' }],
      });
    });

    it('withdraws the records whose quote an interruption has cut since, and makes current what they superseded', async () => {
      const heard = 'Your refund';
      const interrupt = (messageEventId: string) =>
        rig.append(session, [
          {
            ...{ eventId: crypto.randomUUID(), type: 'message.interrupted', schemaVersion: 1, occurredAt: null },
            data: { messageEventId, heard },
          },
        ]);
      const current = async () =>
        (await rig.records.newest(session.tenantId, session.memoryId, '/ada', 10)).map(({ text }) => text).sort();
      model.answer = () => factAbout('User lives in Hanoi.', 'm1', 'I live in Hanoi');
      await rig.say(session, 'I live in Hanoi.');
      await rig.run(extract, session);
      const [whole] = await rig.say(session, {
        role: 'assistant',
        content: 'Your refund of forty euros goes to Hue, where you live.',
      });
      const quoting = (text: string, ...quotes: string[]) => ({
        text,
        sources: quotes.map((quote) => ({ event: 'm1', quote })),
      });
      model.answer = () =>
        JSON.stringify({
          facts: [
            quoting('User lives in Hue.', 'where you live', 'goes to Hue'),
            quoting('User is due a refund.', 'Your refund'),
            quoting('The refund is forty euros.', 'Your refund', 'of forty euros'),
          ],
        });
      await rig.run(extract, session);
      expect(await current()).toContain('User is due a refund.');
      expect((await current()).length).toBeGreaterThan(1);
      await interrupt(whole ?? '');
      model.answer = () => JSON.stringify({ facts: [] });
      expect(await rig.run(extract, session)).toMatchObject({ kind: 'extracted', records: 0 });
      expect(await current()).not.toContain('User lives in Hue.');
      expect(await current()).toContain('User is due a refund.');
      expect(await current()).toContain('User lives in Hanoi.');
      const told = await rig.rows<{ data: { reason: string } }>(
        `select data from events where memory_id = $1 and type = 'records.withdrawn'`,
        [session.memoryId],
      );
      expect(told.map(({ data }) => data.reason)).toEqual(['not_heard']);
      const left = await rig.rows<{ quote: string }>(
        `select s.quote from record_sources s join records r using (record_id) where r.memory_id = $1 and s.event_id = $2`,
        [session.memoryId, whole],
      );
      expect(left.every(({ quote }) => heard.includes(quote))).toBe(true);
    });

    it('contains the question before the window, which a bare answer can cite', async () => {
      await rig.say(session, { role: 'assistant', content: 'Where do you live?' });
      await rig.run(extract, session);
      await rig.say(session, 'In Hue.');
      const sources = [
        { event: 'm1', quote: 'In Hue' },
        { event: 'c1', quote: 'Where do you live?' },
      ];
      model.answer = () => JSON.stringify({ facts: [{ text: 'User lives in Hue.', sources }] });
      expect(await rig.run(extract, session)).toMatchObject({ records: 1, refused: 0 });
    });
  });

  describe('of preferences', () => {
    it('gives records with their strength and how often they were said', async () => {
      session = await rig.session({ type: 'USER_PREFERENCE' });
      const list = () => rig.records.newest(session.tenantId, session.memoryId, '/ada', 10);
      model.answer = ({ messages }) =>
        factAbout('User loves tea.', 'm1', messages[0]?.content ?? '', { strength: 'strong' });
      await rig.say(session, 'I love tea.');
      await rig.run(extract, session);
      expect(await list()).toMatchObject([{ text: 'User loves tea.', strength: 'strong', timesSeen: 1 }]);
      await rig.say(session, 'Did I say that I love tea?');
      expect(await rig.run(extract, session)).toMatchObject({ records: 0, confirmed: 1 });
      expect(await list()).toMatchObject([{ strength: 'strong', timesSeen: 2 }]);
    });

    it('gives no strength to facts of another kind', async () => {
      await rig.say(session, 'I like tea.');
      await rig.run(extract, session);
      const [record] = await rig.records.newest(session.tenantId, session.memoryId, '/ada', 10);
      expect(record).toMatchObject({ strength: null, timesSeen: 1 });
    });
  });
});
