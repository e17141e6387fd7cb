import { describe, expect, it } from 'vitest';
import { runPage } from '../harness/page-commands.js';
import { SECRET, type ConnectorWorld } from './world.js';

export const pipecatCases = (world: ConnectorWorld): void => {
  const { connect, untilSaid, agentsOf, untilFolded } = world;
  const rtvi = (type: string, data?: object) => ({ label: 'rtvi-ai', type, data });

  describe("Pipecat's messages", () => {
    it('have a page whose commands work', async () => {
      const variables = { TURNKEEPER_URL: world.stack.api.url, TURNKEEPER_API_KEY: world.stack.api.apiKey! };
      expect((await runPage('pipecat', variables)).trim().split('\n')).toEqual([
        '{"received":true,"duplicate":false}',
        '{"received":true,"duplicate":false}',
        'user: I moved to Hue last month.',
        'assistant: How do you',
        'Hue',
      ]);
    });

    it('of two users who chose the same names are kept apart, in whatever order their requests arrive', async () => {
      const { id } = await connect('pipecat');
      const forward = (actor_id: string, position: number, events: readonly object[], more: object = {}) =>
        world.stack.api.request('POST', `/connectors/pipecat/${id}`, {
          body: { actor_id, session_id: 'front-desk', position, events, ...more },
          headers: { authorization: `Bearer ${SECRET}` },
        });
      const ask = (text: string) => rtvi('user-transcription', { text, user_id: '', final: true });
      const call = { tool_call_id: 'c1', function_name: 'hours', arguments: { of: 'pool' } };
      for (const name of ['chi', 'duc']) {
        const answer = ['Hello', `${name},`, 'it'].map((text) => rtvi('bot-tts-text', { text }));
        const stopped = rtvi('llm-function-call-stopped', { tool_call_id: 'c1', cancelled: false, result: '7 to 21' });
        await forward(name, 3, [...answer, rtvi('bot-interrupted')]);
        await forward(name, 0, [ask(`I am ${name}.`), rtvi('llm-function-call-in-progress', call), stopped]);
        const body = [ask('Thanks.')] as const;
        expect((await forward(name, 7, body, { ended: true })).body).toEqual({ received: true, duplicate: false });
        expect((await forward(name, 7, body, { ended: true })).body).toEqual({ received: true, duplicate: true });
        const said = [`user: I am ${name}.`, 'assistant: ', 'tool: 7 to 21', `assistant: Hello ${name}, it`];
        await untilSaid(name, 'front-desk', [...said, 'user: Thanks.']);
      }
      await untilFolded(id);
      for (const name of ['chi', 'duc']) expect(await agentsOf(name)).toMatchObject([{ status: 'stopped' }]);
      expect(await forward('chi', -1, [])).toMatchObject({ status: 400, body: { field: 'position' } });
    });
  });
};
