import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { agoraCases } from './connectors/agora.js';
import { livekitCases } from './connectors/livekit.js';
import { openAiCases } from './connectors/openai-realtime.js';
import { pipecatCases } from './connectors/pipecat.js';
import { ConnectorWorld, item, MAX_BODY_BYTES, SECRET } from './connectors/world.js';
import { zegoCases } from './connectors/zegocloud.js';
import { AgoraSender, ZegoSender } from './harness/vendors.js';

describe('connectors', () => {
  const world = new ConnectorWorld();
  const { connect, messages, untilSaid, notices, untilFolded, passTime } = world;
  beforeAll(world.start);
  afterAll(world.stop);

  agoraCases(world);

  it('leave no trace when rejected, and get the reason', async () => {
    const traces = () =>
      world.stack.inspector.number(
        `select count(*) from (select 1 from connector_notices union all select 1 from connector_calls
           union all select 1 from connector_stamps) as traces`,
      );
    const before = await traces();
    const [agora, zego] = [await connect('agora'), await connect('zegocloud')];
    const unknown = '00000000-0000-4000-8000-000000000000';
    const large = JSON.stringify({ text: 'x'.repeat(MAX_BODY_BYTES) });
    const zegoBody = new ZegoSender(world.stack.api, zego.id, 'another').callback('1', 'ASRResult', {
      Round: 1,
      Text: 'x',
    });
    const refused: [path: string, raw: string, status: number, code: string][] = [
      [`agora/${agora.id}`, '{"noticeId":"n"}', 401, 'connector.signature_invalid'],
      [`agora/${agora.id}`, 'not json', 401, 'connector.signature_invalid'],
      [`agora/${agora.id}`, '', 401, 'connector.signature_invalid'],
      [`agora/${agora.id}`, large, 413, 'body.too_large'],
      [`agora/${unknown}`, '{}', 404, 'connector.not_found'],
      [`agora/no-uuid`, '{}', 404, 'connector.not_found'],
      [`agora/${zego.id}`, '{}', 404, 'connector.not_found'],
      [`zego/${zego.id}`, JSON.stringify(zegoBody), 401, 'connector.signature_invalid'],
      [`zego/${zego.id}`, 'not json', 400, 'payload.invalid'],
      [`zego/${zego.id}`, '[]', 400, 'payload.invalid'],
      [`zego/${zego.id}`, large, 413, 'body.too_large'],
      [`zego/${unknown}`, '{}', 404, 'connector.not_found'],
    ];
    for (const [path, raw, status, code] of refused) {
      const answer = await world.stack
        .apiOf(world.stack.ingests[0]!, null)
        .request('POST', `/connectors/${path}`, { raw });
      expect([path, raw.slice(0, 20), answer.status, answer.body]).toEqual([
        path,
        raw.slice(0, 20),
        status,
        expect.objectContaining({ code, title: expect.any(String) }),
      ]);
    }
    expect(await traces()).toBe(before);
  });

  it('lose the stored content of calls with an erased actor', async () => {
    const { id } = await connect('agora');
    const agora = new AgoraSender(world.stack.api, id, SECRET);
    const agent = { agent_id: 'ag_6', name: 'desk-46', channel: 'c', labels: { user_id: 'erased', session_id: 's' } };
    const holding = () =>
      world.stack.inspector.number(
        `select count(*) from connector_notices where position(convert_to('heliotrope', 'utf8') in body) > 0`,
      );
    await agora.notify(101, agent);
    // Kept until the agent's end has arrived as well.
    await agora.notify(103, { ...agent, contents: [item('user', 'My word is heliotrope.')] });
    await untilSaid('erased', 's', ['user: My word is heliotrope.']);
    expect(await holding()).toBe(1);
    const erased = await world.stack.api.request('DELETE', `/memory/memories/${world.memory.id}/actors/erased`);
    expect(erased.status).toBe(200);
    expect(await holding()).toBe(0);
    await agora.notify(102, { ...agent, status: 'STOPPED', message: 'OK' });
    await passTime(70); // its end does not wait for another 103
    await untilFolded(id);
    expect(await messages('erased', 's')).toEqual([]);
    expect(await notices(id, 'parked')).toEqual([]);
  });

  zegoCases(world);
  openAiCases(world);
  livekitCases(world);
  pipecatCases(world);
});
