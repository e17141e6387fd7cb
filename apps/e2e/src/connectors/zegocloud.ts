import { eventually } from '@turnkeeper/testing';
import { describe, expect, it } from 'vitest';
import { ZegoSender } from '../harness/vendors.js';
import { SECRET, type ConnectorWorld } from './world.js';

export const zegoCases = (world: ConnectorWorld): void => {
  const { connect, messages, untilSaid, notices, untilFolded, agentsOf, passTime } = world;

  describe("ZEGOCLOUD's callbacks", () => {
    it('are rejected with a wrong signature, a stale one, and the signature of another message', async () => {
      const { id } = await connect('zegocloud', { secret: 'secret' });
      const zego = new ZegoSender(world.stack.api, id, 'secret');
      const code = async (body: object) => {
        const answer = await zego.send(body);
        return [answer.status, (answer.body as { code?: string }).code];
      };
      // The vector's signature is valid but expired.
      const vector = {
        Event: 'ASRResult',
        AgentInstanceId: '1',
        Data: { Round: 1, Text: 'x', UserId: 'u' },
        Nonce: '123412',
        Timestamp: 1470820198,
        Signature: '5bd59fd62953a8059fb7eaba95720f66d19e4517',
      };
      expect(await code(vector)).toEqual([401, 'connector.signature_stale']);
      expect(await code({ ...vector, Nonce: '123413' })).toEqual([401, 'connector.signature_invalid']);
      const callback = zego.callback('1', 'ASRResult', { Round: 1, Text: 'x', UserId: 'u' });
      expect((await zego.send(callback)).body).toEqual({ received: true, duplicate: false });
      expect((await zego.send(callback)).body).toEqual({ received: true, duplicate: true });
      expect((await zego.send(zego.signed(callback))).body).toEqual({ received: true, duplicate: true });
      const forged = { ...callback, Sequence: 99, Data: { Round: 9, Text: 'forged', UserId: 'u' } };
      expect(await code(forged)).toEqual([401, 'connector.signature_stale']);
    });

    it('of thirty rounds, reordered and repeated, become the right messages', async () => {
      const { id } = await connect('zegocloud');
      await world.stack.api.request('POST', `/v1/connectors/${id}/instances`, {
        body: { instanceId: '9001', actorId: 'zoe', sessionId: 'call' },
      });
      const zego = new ZegoSender(world.stack.api, id, SECRET);
      const sent: object[] = [zego.callback('9001', 'AgentInstanceCreated', { CreatedTimestamp: Date.now() })];
      const expected: string[] = [];
      for (let round = 1; round <= 30; round += 1) {
        const say = (event: string, data: object) => sent.push(zego.callback('9001', event, { Round: round, ...data }));
        say('UserSpeakAction', { UserId: 'zoe', Action: 'SPEAK_BEGIN' });
        say('ASRResult', { UserId: 'zoe', Text: `Question ${round}?` });
        say('LLMResult', { Text: `First of ${round}.` });
        say('LLMResult', { Text: `Second of ${round}.` });
        expected.push(`user: Question ${round}?`);
        if (round % 5 === 0) {
          say('Interrupted', { Reason: 1, PlayedText: `First of` });
          expected.push('assistant: First of');
        } else expected.push(`assistant: First of ${round}. Second of ${round}.`);
      }
      // In blocks of ten, each shuffled with a third repeated; the end of the call is somewhere in the last one.
      sent.push(zego.callback('9001', 'AgentInstanceDeleted', { Code: 0, DeletedTimestamp: Date.now() }));
      for (let start = 0; start < sent.length; start += 10) {
        const block = sent.slice(start, start + 10);
        const repeated = block.filter((_, index) => index % 3 === 0).map((body) => zego.signed(body));
        const answers = await Promise.all(shuffled([...block, ...repeated], start).map((body) => zego.send(body)));
        expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
      }
      await passTime(70);
      await untilSaid('zoe', 'call', expected);
      await eventually(async () => (await agentsOf('zoe'))[0]?.status === 'stopped', { withinMs: 20_000 });
      await untilFolded(id);
      expect(await notices(id, 'parked')).toEqual([]);
      // Everything again, after the end.
      for (const body of sent) await zego.send(zego.signed(body));
      await passTime(70);
      expect(await messages('zoe', 'call')).toEqual(expected);
    });

    it('without data are kept and parked', async () => {
      const { id } = await connect('zegocloud');
      const zego = new ZegoSender(world.stack.api, id, SECRET);
      const answer = await zego.send(zego.signed({ ...zego.callback('99', 'ASRResult', {}), Data: null }));
      expect([answer.status, answer.body]).toEqual([200, { received: true, duplicate: false }]);
      expect(await notices(id, 'parked')).toMatchObject([{ code: 'notice.unreadable' }]);
    });

    it('of rounds that arrive after the end reach the history of the agent', async () => {
      const { id } = await connect('zegocloud');
      const zego = new ZegoSender(world.stack.api, id, SECRET);
      const [CreatedTimestamp, DeletedTimestamp] = [1_751_000_000_000, 1_751_000_060_000];
      const say = (event: string, data: Readonly<Record<string, unknown>>) =>
        zego.send(zego.callback('88', event, data));
      await say('AgentInstanceCreated', { CreatedTimestamp });
      await say('ASRResult', { Round: 1, Text: 'Hi.', UserId: 'uma' });
      await say('LLMResult', { Round: 1, Text: 'Hello.' });
      await say('AgentInstanceDeleted', { Code: 0, DeletedTimestamp });
      await passTime(70);
      await eventually(async () => (await agentsOf('uma'))[0]?.status === 'stopped', { withinMs: 60_000 });
      const times = { startedAt: '2025-06-27T04:53:20.000Z', stoppedAt: '2025-06-27T04:54:20.000Z' };
      expect(await agentsOf('uma')).toMatchObject([{ vendorAgentId: '88', ...times }]);

      await say('LLMResult', { Round: 1, Text: 'How are you?' });
      await say('Interrupted', { Round: 1, Reason: 1, PlayedText: 'Hel' });
      await say('ASRResult', { Round: 2, Text: 'Bye.', UserId: 'uma' });
      await eventually(async () => (await notices(id, 'parked')).length === 1, { withinMs: 60_000 });
      expect(await notices(id, 'parked')).toMatchObject([{ code: 'notice.round_settled' }]);
      await passTime(70);
      await untilSaid('uma', '88', ['user: Hi.', 'assistant: Hello.', 'assistant: How are you?', 'user: Bye.']);
      await untilFolded(id);
      const [agent] = await agentsOf('uma');
      expect(agent).toMatchObject({ status: 'stopped', ...times });
      const history = await world.stack.api.request<{ contents: object[] }>('GET', `/v1/agents/${agent!.id}/history`);
      expect(history.body.contents).toMatchObject([
        ...[{ content: 'Hi.' }, { content: 'Hello.' }],
        ...[
          { content: 'How are you?', turn_id: 1, metadata: { late: true } },
          { content: 'Bye.', turn_id: 2 },
        ],
      ]);
    });

    it('of two users in one room keep their words apart', async () => {
      const { id } = await connect('zegocloud');
      const zego = new ZegoSender(world.stack.api, id, SECRET);
      await zego.send(zego.callback('66', 'ASRResult', { Round: 1, Text: 'I want a refund.', UserId: 'vera' }));
      await zego.send(zego.callback('66', 'ASRResult', { Round: 1, Text: 'I moved to Hue.', UserId: 'walt' }));
      await zego.send(zego.callback('66', 'AgentInstanceDeleted', { Code: 0 }));
      await passTime(70);
      await untilSaid('vera', '66', ['user: I want a refund.', 'user: I moved to Hue.']);
      const events = await world.stack.api.history({ memoryId: world.memory.id, actorId: 'vera', sessionId: '66' });
      expect(events.map(({ metadata }) => [metadata?.['user'], metadata?.['speaker']])).toEqual([
        ['vera', undefined],
        ['walt', 'walt'],
      ]);
    });

    it('are assigned by the templates once the user is known', async () => {
      const { id } = await connect('zegocloud', { sessionTemplate: '{RoomId}/{AgentInstanceId}' });
      const zego = new ZegoSender(world.stack.api, id, SECRET);
      await zego.send(zego.callback('77', 'LLMResult', { Round: 0, Text: 'Welcome.' }));
      await zego.send(zego.callback('77', 'ASRResult', { Round: 1, Text: 'Hi.', UserId: 'tom' }));
      await zego.send(zego.callback('77', 'AgentInstanceDeleted', { Code: 1202 }));
      await passTime(70);
      await untilSaid('tom', 'room-1/77', ['assistant: Welcome.', 'user: Hi.']);
    });
  });
};

/** Reproducible per seed. */
const shuffled = <T>(values: readonly T[], seed: number): T[] => {
  let state = seed + 1;
  const next = (): number => (state = (state * 48_271) % 2_147_483_647);
  return values
    .map((value) => ({ value, at: next() }))
    .sort((a, b) => a.at - b.at)
    .map(({ value }) => value);
};
