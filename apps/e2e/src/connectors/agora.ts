import { eventually } from '@turnkeeper/testing';
import { describe, expect, it } from 'vitest';
import { turn } from '../harness/api.js';
import { jsonOf } from '../harness/receiver.js';
import { AgoraSender } from '../harness/vendors.js';
import { item, SECRET, type ConnectorWorld } from './world.js';

export const agoraCases = (world: ConnectorWorld): void => {
  const { connect, messages, untilSaid, notices, untilFolded, agentsOf } = world;

  describe("Agora's notifications", () => {
    const vectors = [
      {
        secret: 'secret',
        body: '{"eventMs":1560408533119,"eventType":10,"noticeId":"4eb720f0-8da7-11e9-a43e-53f411c2761f","notifyMs":1560408533119,"payload":{"a":"1","b":2},"productId":1}',
        sha1: '033c62f40f687675f17f0f41f91a40c71c0f134c',
        sha256: '6d3320c60b11101395b7fc8f9068748808a0aa1bfa064438e39d1bc2c7d74d99',
      },
    ];

    it.each(vectors)('are accepted with the signatures of the vector for $secret, and no others', async (vector) => {
      const { id } = await connect('agora', { secret: vector.secret });
      const agora = new AgoraSender(world.stack.api, id, vector.secret);
      const both = { 'agora-signature': vector.sha1, 'agora-signature-v2': vector.sha256 };
      const status = async (body: string, headers: Record<string, string>) => (await agora.raw(body, headers)).status;

      expect(await status(`${vector.body} `, both)).toBe(401);
      expect(await status(JSON.stringify(JSON.parse(vector.body), null, 2), both)).toBe(401);
      expect(await status(vector.body, {})).toBe(401);
      expect(await status(vector.body, { ...both, 'agora-signature': vector.sha256.slice(0, 40) })).toBe(401);
      expect(await notices(id, 'parked')).toEqual([]);

      expect((await agora.raw(vector.body, { 'agora-signature-v2': vector.sha256 })).body).toEqual({
        received: true,
        duplicate: false,
      });
      expect((await agora.raw(vector.body, both)).body).toEqual({ received: true, duplicate: true });
      expect((await agora.raw(vector.body, { ...both, 'content-type': 'text/plain' })).status).toBe(200);
    });

    it('become a session, records and our own history', async () => {
      const { id } = await connect('agora');
      const agora = new AgoraSender(world.stack.api, id, SECRET);
      const agent = {
        agent_id: 'ag_1',
        name: 'desk-42',
        channel: 'room-9',
        labels: { user_id: 'u9', tier: 'gold' },
        start_ts: 1_751_000_000,
      };
      const contents = [
        item('assistant', 'Hi, Mai here.', { metadata: { source: 'greeting' } }),
        item('user', 'I moved to Lisbon and I am allergic to peanuts.', {
          turn_id: 1,
          metadata: { source: 'asr', user: 'user123' },
        }),
        item('assistant', 'I have noted that.', { turn_id: 1 }),
      ];
      await agora.notify(101, agent);
      await agora.notify(103, { ...agent, contents });
      await agora.notify(102, { ...agent, stop_ts: 1_751_000_060, status: 'STOPPED', message: 'Idle for too long' });
      await untilSaid(
        'u9',
        'room-9',
        contents.map(({ role, content }) => `${role}: ${content}`),
      );
      await eventually(async () => (await agentsOf('u9'))[0]?.status === 'stopped', { withinMs: 20_000 });
      expect(await agentsOf('u9')).toEqual([
        expect.objectContaining({
          name: 'desk-42',
          channel: 'room-9',
          vendor: 'agora',
          stopReason: 'idle',
          labels: agent.labels,
          vendorAgentId: 'ag_1',
          startedAt: '2025-06-27T04:53:20.000Z',
          stoppedAt: '2025-06-27T04:54:20.000Z',
        }),
      ]);
      // Found by Agora's id, with Agora's times.
      const found1 = await world.stack.api.request('GET', '/api/conversational-ai-agent/v2/projects/any/agents/ag_1');
      expect(found1.body).toMatchObject({ agent_id: 'ag_1', start_ts: 1_751_000_000, stop_ts: 1_751_000_060 });
      await world.stack.api.untilExtracted(world.memory.id);
      const found = await world.stack.api.search(world.memory.id, '/facts/u9', 'peanuts');
      expect(found[0]?.memory).toMatch(/peanuts/);
      const sent = () =>
        world.receiver.received.map((webhook) => jsonOf<{ data: { actorId: string; contents: object[] } }>(webhook));
      await eventually(() => sent().some(({ data }) => data.actorId === 'u9'), { withinMs: 20_000 });
      const [history] = sent().filter(({ data }) => data.actorId === 'u9');
      expect(history?.data).toMatchObject({ vendorAgentId: 'ag_1', startedAt: '2025-06-27T04:53:20.000Z' });
      expect(history?.data.contents).toHaveLength(3);
      // A 103 after the end belongs to the agent's history too, which is sent again.
      const late = [...contents, item('user', 'One more thing.', { turn_id: 2 })];
      await agora.notify(103, { ...agent, contents: late });
      await eventually(() => sent().some(({ data }) => data.actorId === 'u9' && data.contents.length === 4), {
        withinMs: 60_000,
        what: 'the longer history was sent',
      });
      const [ended] = await agentsOf('u9');
      expect(ended).toMatchObject({ status: 'stopped', stopReason: 'idle', stoppedAt: '2025-06-27T04:54:20.000Z' });
      const whole = await world.stack.api.request<{ contents: object[] }>('GET', `/v1/agents/${ended!.id}/history`);
      expect(whole.body.contents).toHaveLength(4);
    });

    it('of a history are merged with earlier ones, whatever their number and order', async () => {
      const { id } = await connect('agora');
      const agora = new AgoraSender(world.stack.api, id, SECRET);
      const agent = { agent_id: 'ag_2', name: 'desk-43', channel: 'c', labels: { user_id: 'pulled', session_id: 's' } };
      const said = Array.from({ length: 12 }, (_, i) => item(i % 2 === 0 ? 'user' : 'assistant', `line ${i}`));
      const lines = (to: number) => said.slice(0, to).map(({ role, content }) => `${role}: ${content}`);
      const session = { memoryId: world.memory.id, actorId: 'pulled', sessionId: 's' };
      await world.stack.api.appendBatch(
        session,
        said.slice(0, 7).map(({ role, content }) => turn(role, content)),
      );

      // Before 101 and 102, with the older part cut off by `max_history`.
      await agora.notify(103, { ...agent, contents: said.slice(4, 10) });
      await untilSaid('pulled', 's', lines(10));
      // Shorter than the log; empty; the same under another id; then a newer one.
      await agora.notify(103, { ...agent, contents: said.slice(4, 8) });
      await agora.notify(103, { ...agent, contents: [] });
      await agora.notify(103, { ...agent, contents: said.slice(4, 10) });
      await untilFolded(id);
      expect(await messages('pulled', 's')).toEqual(lines(10));
      await agora.notify(103, { ...agent, contents: said.slice(6, 12) });
      await untilSaid('pulled', 's', lines(12));
      await agora.notify(101, agent);
      await agora.notify(102, { ...agent, status: 'STOPPED', message: 'OK' });
      await eventually(async () => (await agentsOf('pulled'))[0]?.status === 'stopped', { withinMs: 20_000 });
      // Late, after the end.
      await agora.notify(103, { ...agent, contents: said.slice(0, 12) });
      await untilFolded(id);
      expect(await messages('pulled', 's')).toEqual(lines(12));
      expect(await agentsOf('pulled')).toHaveLength(1);
    });

    it('that slide and arrive out of order lose nothing', async () => {
      const { id } = await connect('agora');
      const agora = new AgoraSender(world.stack.api, id, SECRET);
      const said = Array.from({ length: 12 }, (_, nth) =>
        item(nth % 2 === 0 ? 'user' : 'assistant', `This is sentence ${nth}.`),
      );
      for (const [nth, hasTurns] of [false, true].entries()) {
        const labels = { user_id: `shuffled-${nth}`, session_id: 's' };
        const agent = { agent_id: `ag_shuffled_${nth}`, name: `desk-shuffled-${nth}`, channel: 'c', labels };
        const turns = said.map((message, at) => (hasTurns ? { ...message, turn_id: at } : message));
        for (const start of [8, 0, 4, 6, 2]) {
          await agora.notify(103, { ...agent, contents: turns.slice(start, start + 4) });
          await untilFolded(id);
        }
        const lines = said.map(({ role, content }) => `${role}: ${content}`);
        expect((await messages(labels.user_id, 's')).toSorted()).toEqual(lines.toSorted());
      }
    });

    it('that show a message cut short shorten it', async () => {
      const { id } = await connect('agora');
      const agora = new AgoraSender(world.stack.api, id, SECRET);
      const agent = { agent_id: 'ag_3', name: 'desk-44', channel: 'c', labels: { user_id: 'cut', session_id: 's' } };
      const [question, whole] = [item('user', 'When do you open?'), item('assistant', 'We open at nine on weekdays.')];
      await agora.notify(103, { ...agent, contents: [question, whole] });
      await untilSaid('cut', 's', ['user: When do you open?', 'assistant: We open at nine on weekdays.']);
      const heard = item('assistant', 'We open at nine', {
        metadata: { interrupted: true, original: whole.content, interrupt_timestamp: 1 },
      });
      await agora.notify(103, { ...agent, contents: [question, heard] });
      await untilFolded(id);
      const [{ id: agentId } = { id: '' }] = await agentsOf('cut');
      const history = await world.stack.api.request<{ contents: object[] }>('GET', `/v1/agents/${agentId}/history`);
      expect(history.body.contents).toMatchObject([question, { ...heard, metadata: { interrupted: true } }]);
    });

    it('of two calls in one session are kept apart', async () => {
      const { id } = await connect('agora');
      const agora = new AgoraSender(world.stack.api, id, SECRET);
      const call = async (agentId: string, question: string): Promise<void> => {
        const agent = { agent_id: agentId, name: agentId, labels: { user_id: 'twice', session_id: 's' } };
        await agora.notify(101, agent);
        await agora.notify(103, { ...agent, contents: [item('assistant', 'Hello.'), item('user', question)] });
        await agora.notify(102, { ...agent, status: 'STOPPED', message: 'OK' });
        await eventually(
          async () => (await agentsOf('twice')).find(({ status }) => status === 'running') === undefined,
          { withinMs: 20_000 },
        );
        await untilFolded(id);
      };
      await call('first', 'Hello.');
      await call('second', 'Good bye.');
      await untilSaid('twice', 's', ['assistant: Hello.', 'user: Hello.', 'assistant: Hello.', 'user: Good bye.']);
    });

    it('that cannot be assigned or parsed are parked visibly, and folded once the cause is fixed', async () => {
      const { id } = await connect('agora');
      const agora = new AgoraSender(world.stack.api, id, SECRET);
      const agent = { agent_id: 'ag_5', name: 'desk-45', channel: 'c', labels: { who: 'late' } };
      expect((await agora.notify(103, { ...agent, contents: [item('user', 'Hello?')] })).status).toBe(200);
      expect((await agora.raw('not json')).status).toBe(200);
      expect((await agora.notify(911, { anything: true })).status).toBe(200);
      await eventually(async () => (await notices(id, 'parked')).length === 2, { withinMs: 20_000 });
      expect((await notices(id, 'parked')).map(({ code }) => code).sort()).toEqual([
        'connector.actor_unknown',
        'notice.unreadable',
      ]);
      expect(await notices(id, 'ignored')).toHaveLength(1);
      await world.stack.api.request('PATCH', `/v1/connectors/${id}`, { body: { actorLabel: 'who' } });
      const retried = await world.stack.api.request('POST', `/v1/connectors/${id}/notices/retry`);
      expect(retried.body).toEqual({ retried: 1 });
      await untilSaid('late', 'c', ['user: Hello?']);
    });

    it('find no connector of another vendor, and work with both secrets during a rotation', async () => {
      const { id } = await connect('agora');
      const stranger = await world.stack.api.request('POST', `/connectors/zego/${id}`, { body: {} });
      expect([stranger.status, stranger.body]).toEqual([404, expect.objectContaining({ code: 'connector.not_found' })]);
      await world.stack.api.request('POST', `/v1/connectors/${id}/rotate-secret`, { body: { secret: 'the-next-one' } });
      for (const secret of [SECRET, 'the-next-one']) {
        expect((await new AgoraSender(world.stack.api, id, secret).notify(110, {})).status).toBe(200);
      }
      expect((await new AgoraSender(world.stack.api, id, 'another').notify(110, {})).status).toBe(401);
    });
  });
};
