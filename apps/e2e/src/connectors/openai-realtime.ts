import { describe, expect, it } from 'vitest';
import { runPage } from '../harness/page-commands.js';
import { SECRET, type ConnectorWorld } from './world.js';

export const openAiCases = (world: ConnectorWorld): void => {
  const { connect, untilSaid, untilFolded, agentsOf } = world;

  describe("OpenAI Realtime's events", () => {
    it('have a page whose commands work', async () => {
      const variables = { TURNKEEPER_URL: world.stack.api.url, TURNKEEPER_KEY: world.stack.api.apiKey! };
      expect((await runPage('openai-realtime', variables)).trim().split('\n')).toEqual([
        '{"received":true,"duplicate":false}',
        '{"received":true,"duplicate":false}',
        'user: I moved to Hue last month.',
        'assistant: How do you like it there?',
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
