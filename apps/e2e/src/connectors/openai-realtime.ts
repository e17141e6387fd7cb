import { eventually } from '@turnkeeper/testing';
import { describe, expect, it } from 'vitest';
import { runPage } from '../harness/page-commands.js';
import { SECRET, type ConnectorWorld } from './world.js';

export const openAiCases = (world: ConnectorWorld): void => {
  const { connect, untilSaid, untilFolded, agentsOf } = world;

  describe("OpenAI Realtime's events", () => {
    it('have a page whose commands work', async () => {
      const variables = { TURNKEEPER_URL: world.stack.api.url, TURNKEEPER_API_KEY: world.stack.api.apiKey! };
      expect((await runPage('openai-realtime', variables)).trim().split('\n')).toEqual([
        '{"received":true,"duplicate":false}',
        '{"received":true,"duplicate":false}',
        'user: I moved to Hue last month.',
        'assistant: How do you like it there?',
        'Hue',
      ]);
    });

    it('are forwarded one by one, repeated, and cut short after they were stored', async () => {
      const { id } = await connect('openai-realtime');
      const forward = (events: readonly object[], more: object = {}, secret = SECRET) =>
        world.stack.api.request('POST', `/connectors/openai-realtime/${id}`, {
          body: { actor_id: 'mai', session_id: 'desk-1', events, ...more },
          headers: { authorization: `Bearer ${secret}` },
        });
      const typed = (itemId: string, text: string) => ({
        type: 'conversation.item.done',
        event_id: `done ${itemId}`,
        item: { id: itemId, type: 'message', role: 'user', content: [{ type: 'input_text', text }] },
      });
      const answered = (itemId: string, transcript: string) => ({
        type: 'response.done',
        event_id: `response ${itemId}`,
        response: {
          status: 'completed',
          usage: { total_tokens: 7 },
          output: [{ id: itemId, type: 'message', role: 'assistant', content: [{ type: 'output_audio', transcript }] }],
        },
      });
      const call = [typed('i1', 'Is the pool open?'), answered('i2', 'Yes, until nine.'), typed('i3', 'Thanks!')];

      expect((await forward(call, {}, 'another-secret')).status).toBe(401);
      for (const event of call) expect((await forward([event])).status).toBe(200);
      expect(await forward(call)).toMatchObject({ status: 200, body: { duplicate: true } });
      await untilSaid('mai', 'desk-1', ['user: Is the pool open?', 'assistant: Yes, until nine.', 'user: Thanks!']);

      const cut = { type: 'conversation.item.truncated', event_id: 'cut', item_id: 'i2', audio_end_ms: 400 };
      expect((await forward([cut], { ended: true })).status).toBe(200);
      await untilFolded(id);
      const [agent] = await agentsOf('mai');
      expect(agent).toMatchObject({ status: 'stopped', stopReason: 'requested', vendor: 'openai-realtime' });
      const { contents } = (
        await world.stack.api.request<{ contents: object[] }>('GET', `/v1/agents/${agent?.id}/history`)
      ).body;
      expect(contents).toMatchObject([
        { metadata: { source: 'message', item_id: 'i1' } },
        { content: 'Yes, until nine.', metadata: { source: 'llm', interrupted: true, usage: { total_tokens: 7 } } },
        { content: 'Thanks!' },
      ]);
    });

    it('of two users who chose the same session and call are kept apart', async () => {
      const { id } = await connect('openai-realtime');
      const forward = (actor_id: string, text: string, more: object = {}) =>
        world.stack.api.request('POST', `/connectors/openai-realtime/${id}`, {
          body: {
            actor_id,
            session_id: 'call-1',
            // The ids of events and items count from 1 in each call.
            events: [
              {
                type: 'conversation.item.done',
                event_id: 'event_1',
                item: { id: 'item_1', type: 'message', role: 'user', content: [{ type: 'input_text', text }] },
              },
            ],
            ...more,
          },
          headers: { authorization: `Bearer ${SECRET}` },
        });
      expect((await forward('alice', 'I am Alice.')).body).toEqual({ received: true, duplicate: false });
      expect((await forward('bob', 'I am Bob.', { ended: true })).body).toEqual({ received: true, duplicate: false });
      await untilSaid('alice', 'call-1', ['user: I am Alice.']);
      await untilSaid('bob', 'call-1', ['user: I am Bob.']);
      await eventually(async () => (await agentsOf('bob'))[0]?.status === 'stopped', { withinMs: 20_000 });
      // Bob's end is not Alice's, and each of them can end their own call.
      expect(await agentsOf('alice')).toMatchObject([{ status: 'running', vendorAgentId: 'call-1' }]);
      expect((await forward('alice', 'I am Alice.', { ended: true })).status).toBe(200);
      await eventually(async () => (await agentsOf('alice'))[0]?.status === 'stopped', { withinMs: 20_000 });
      const histories = () =>
        world.receiver.received
          .map(({ raw }) => raw.toString())
          .filter((body) => body.includes('agent.history') && body.includes('call-1'));
      await eventually(() => histories().length >= 2, { withinMs: 20_000 });
      expect(histories().filter((body) => body.includes('I am Alice.') && body.includes('I am Bob.'))).toEqual([]);
    });

    it('continue a call that began in a release whose calls were named by their id alone', async () => {
      const { id } = await connect('openai-realtime');
      const typed = (n: number) => ({
        type: 'conversation.item.done',
        event_id: `event_${n}`,
        item: { id: `item_${n}`, type: 'message', role: 'user', content: [{ type: 'input_text', text: `Line ${n}.` }] },
      });
      const stored = { actorId: 'ngoc', sessionId: 'desk-9', index: 0, event: typed(1) };
      const { inspector } = world.stack;
      await inspector.rows(
        `insert into connector_notices (connector_id, notice_key, tenant_id, call_key, event_type, body, status)
         select connector_id, 'of an earlier release', tenant_id, 'desk-9', 'conversation.item.done', $2, 'waiting'
           from connectors where connector_id = $1`,
        [id, Buffer.from(JSON.stringify(stored))],
      );
      await inspector.rows(
        `insert into connector_calls (connector_id, call_key, tenant_id, due_at)
         select connector_id, 'desk-9', tenant_id, now() from connectors where connector_id = $1`,
        [id],
      );
      await untilSaid('ngoc', 'desk-9', ['user: Line 1.']);
      const { status } = await world.stack.api.request('POST', `/connectors/openai-realtime/${id}`, {
        body: { actor_id: 'ngoc', session_id: 'desk-9', events: [typed(1), typed(2)], ended: true },
        headers: { authorization: `Bearer ${SECRET}` },
      });
      expect(status).toBe(200);
      await untilSaid('ngoc', 'desk-9', ['user: Line 1.', 'user: Line 2.']);
      await eventually(async () => (await agentsOf('ngoc'))[0]?.status === 'stopped', { withinMs: 20_000 });
      expect(await agentsOf('ngoc')).toHaveLength(1);
    });

    it('bring back nothing of an erased session, while the call goes on', async () => {
      const { id } = await connect('openai-realtime');
      const forward = (...events: readonly object[]) =>
        world.stack.api.request('POST', `/connectors/openai-realtime/${id}`, {
          body: { actor_id: 'erik', session_id: 'desk-7', events },
          headers: { authorization: `Bearer ${SECRET}` },
        });
      const typed = (event_id: string, itemId: string, text: string) => ({
        type: 'conversation.item.done',
        event_id,
        item: { id: itemId, type: 'message', role: 'user', content: [{ type: 'input_text', text }] },
      });
      await forward(typed('one', 'i1', 'My secret.'));
      await untilSaid('erik', 'desk-7', ['user: My secret.']);
      const session = `/memory/memories/${world.memory.id}/actors/erik/sessions/desk-7`;
      expect((await world.stack.api.request('DELETE', session)).status).toBe(200);
      // The same event, another one about the same item, and a new item.
      expect((await forward(typed('one', 'i1', 'My secret.'))).body).toEqual({ received: true, duplicate: true });
      await forward(typed('again', 'i1', 'My secret.'), typed('two', 'i2', 'Good morning.'));
      await untilSaid('erik', 'desk-7', ['user: Good morning.']);
    });

    it('name the missing field', async () => {
      const { id } = await connect('openai-realtime');
      const headers = { authorization: `Bearer ${SECRET}` };
      expect(
        await world.stack.api.request('POST', `/connectors/openai-realtime/${id}`, {
          body: { actor_id: 'mai' },
          headers,
        }),
      ).toMatchObject({ status: 400, body: { code: 'payload.invalid', field: 'session_id', rule: 'is required' } });
    });
  });
};
