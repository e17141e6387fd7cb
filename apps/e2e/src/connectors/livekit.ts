import { createHash, createHmac } from 'node:crypto';
import { eventually } from '@turnkeeper/testing';
import { describe, expect, it } from 'vitest';
import { runPage } from '../harness/page-commands.js';
import { SECRET, type ConnectorWorld } from './world.js';

export const livekitCases = (world: ConnectorWorld): void => {
  const { connect, untilSaid, agentsOf, notices, untilFolded } = world;
  const forward = (id: string, body: object, secret = SECRET) =>
    world.stack.api.request('POST', `/connectors/livekit/${id}`, {
      body: { session_id: 'front-desk', ...body },
      headers: { authorization: `Bearer ${secret}` },
    });
  /** A webhook as LiveKit's server signs it. */
  const webhook = (id: string, event: string, identity: string, secret = SECRET, seconds = 300) => {
    const raw = JSON.stringify({
      event,
      id: 'EV_1',
      room: { sid: 'RM_1', name: 'front-desk' },
      participant: { identity },
    });
    const claims = {
      iss: 'APIkey',
      exp: Math.floor(Date.now() / 1_000) + seconds,
      sha256: createHash('sha256').update(raw).digest('base64'),
    };
    const text = [{ alg: 'HS256', typ: 'JWT' }, claims]
      .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
      .join('.');
    const authorization = `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
    const headers = { authorization, 'content-type': 'application/webhook+json' };
    return world.stack.api.request('POST', `/connectors/livekit/${id}`, { raw, headers });
  };
  const said = (text: string) => ({
    type: 'conversation_item_added',
    // The ids of two agents' items may be equal.
    item: { id: 'item_1', type: 'message', role: 'user', content: [text], interrupted: false },
  });

  describe("LiveKit's events", () => {
    it('have a page whose commands work', async () => {
      const variables = { TURNKEEPER_URL: world.stack.api.url, TURNKEEPER_API_KEY: world.stack.api.apiKey! };
      const connected = runPage('livekit', variables);
      expect((await connected).trim().split('\n')).toEqual([
        '{"received":true,"duplicate":false}',
        '{"received":true,"duplicate":false}',
        'user: I moved to Hue last month.',
        'assistant: How do you',
        'Hue',
      ]);
    });

    it('of two users in one room are kept apart, and a webhook ends the call of the one who left', async () => {
      const { id } = await connect('livekit');
      expect((await forward(id, { actor_id: 'anh', events: [said('x')] }, 'another-secret')).status).toBe(401);
      for (const actor_id of ['anh', 'bao']) {
        const body = { actor_id, call_id: 'RM_1', events: [said(`I am ${actor_id}.`)] };
        expect((await forward(id, body)).body).toEqual({ received: true, duplicate: false });
        expect((await forward(id, body)).body).toEqual({ received: true, duplicate: true });
        await untilSaid(actor_id, 'front-desk', [`user: I am ${actor_id}.`]);
      }
      expect(await webhook(id, 'participant_left', 'anh', 'another')).toMatchObject({
        status: 401,
        body: { code: 'connector.signature_invalid' },
      });
      expect(await webhook(id, 'participant_left', 'anh', SECRET, -300)).toMatchObject({
        status: 401,
        body: { code: 'connector.signature_stale' },
      });
      // Neither is the end of a call.
      expect((await webhook(id, 'room_finished', 'bao')).status).toBe(200);
      expect((await webhook(id, 'participant_left', 'agent-7')).status).toBe(200);
      expect((await webhook(id, 'participant_left', 'anh')).status).toBe(200);
      await world.passTime(15);
      await eventually(async () => (await agentsOf('anh'))[0]?.status === 'stopped', { withinMs: 20_000 });
      expect(await agentsOf('anh')).toMatchObject([{ stopReason: 'participant_left', vendorAgentId: 'RM_1' }]);
      expect(await agentsOf('bao')).toMatchObject([{ status: 'running' }]);
      await forward(id, { actor_id: 'bao', call_id: 'RM_1', events: [{ type: 'close', reason: 'user_initiated' }] });
      await untilFolded(id);
      expect(await agentsOf('bao')).toMatchObject([{ status: 'stopped', stopReason: 'user_initiated' }]);
      expect(await agentsOf('agent-7')).toEqual([]);
      expect(await notices(id, 'parked')).toEqual([]);
      await eventually(
        () => world.receiver.received.some(({ raw }) => raw.includes('agent.history') && raw.includes('I am anh.')),
        { withinMs: 20_000 },
      );
    });
  });
};
