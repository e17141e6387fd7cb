import { eventually } from '@turnkeeper/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AgentView, ListView, MemoryView } from './harness/answers.js';
import { turn } from './harness/api.js';
import { jsonOf, startReceiver, type Receiver } from './harness/receiver.js';
import { runPage } from './harness/page-commands.js';
import { Stack } from './harness/stack.js';
import { AgoraSender, ZegoSender } from './harness/vendors.js';

interface ConnectorView {
  readonly id: string;
  readonly callbackUrl: string;
}
interface NoticesView {
  readonly items: readonly { readonly status: string; readonly code: string | null; readonly callKey: string }[];
}

const SECRET = 'vendor-console-secret';
const MAX_BODY_BYTES = 65_536;
const item = (role: string, content: string, more: object = {}) => ({ role, content, ...more });

describe('connectors', () => {
  let stack: Stack;
  let memory: MemoryView;
  let receiver: Receiver;
  beforeAll(async () => {
    receiver = await startReceiver();
    stack = await Stack.start({ settings: { MAX_BODY_BYTES: String(MAX_BODY_BYTES) } });
    memory = await stack.api.createMemory({
      longTermMemoryStrategies: [{ name: 'facts', type: 'SEMANTIC', namespaceTemplate: '/facts/{actorId}' }],
    });
    await stack.api.createEndpoint(receiver.url);
  });
  afterAll(async () => {
    await stack?.stop();
    await receiver?.close();
  });

  const connect = async (vendor: string, more: object = {}): Promise<ConnectorView> => {
    const body = { vendor, memoryId: memory.id, secret: SECRET, ...more };
    const answer = await stack.api.request<ConnectorView>('POST', '/v1/connectors', { body });
    expect(answer.status).toBe(201);
    expect(JSON.stringify(answer.body)).not.toContain('"secret"');
    expect(JSON.stringify(answer.body)).not.toContain(SECRET);
    return answer.body;
  };
  const messages = async (actorId: string, sessionId: string): Promise<string[]> => {
    const events = await stack.api.history({ memoryId: memory.id, actorId, sessionId });
    return events.map(({ payload }) => `${payload.role}: ${payload.message}`);
  };
  const untilSaid = async (actorId: string, sessionId: string, expected: readonly string[]): Promise<void> => {
    let last: readonly string[] = [];
    await eventually(async () => (last = await messages(actorId, sessionId)).length >= expected.length, {
      withinMs: 20_000,
      everyMs: 50,
      what: () => `${expected.length} messages; there are ${JSON.stringify(last)}`,
    });
    expect(await messages(actorId, sessionId)).toEqual(expected);
  };
  const notices = async (connectorId: string, status: string) =>
    (await stack.api.request<NoticesView>('GET', `/v1/connectors/${connectorId}/notices?status=${status}`)).body.items;
  const untilFolded = (connectorId: string) =>
    eventually(async () => (await notices(connectorId, 'waiting')).length === 0, { withinMs: 20_000, everyMs: 50 });
  const agentsOf = async (actorId: string): Promise<readonly AgentView[]> =>
    (await stack.api.request<ListView<AgentView>>('GET', `/v1/agents?actorId=${actorId}`)).body.items;

  /** Settles calls now instead of after their timeout. */
  const passTime = async (seconds: number): Promise<void> => {
    await stack.inspector.rows(`update connector_notices set received_at = received_at - make_interval(secs => $1)`, [
      seconds,
    ]);
    await stack.inspector.rows(`update connector_calls set due_at = now(), version = version + 1`);
  };

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
      const agora = new AgoraSender(stack.api, id, vector.secret);
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
      const agora = new AgoraSender(stack.api, id, SECRET);
      const agent = {
        ...{ agent_id: 'ag_1', name: 'desk-42', channel: 'room-9', labels: { user_id: 'u9', tier: 'gold' } },
        start_ts: 1_751_000_000,
      };
      const contents = [
        item('assistant', 'Hi, Mai here.', { metadata: { source: 'greeting' } }),
        item('user', 'I moved to Lisbon and I am allergic to peanuts.', { turn_id: 1 }),
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
          ...{ name: 'desk-42', channel: 'room-9', vendor: 'agora', stopReason: 'idle' },
          labels: agent.labels,
          ...{ vendorAgentId: 'ag_1', startedAt: '2025-06-27T04:53:20.000Z', stoppedAt: '2025-06-27T04:54:20.000Z' },
        }),
      ]);
      // Found by Agora's id, with Agora's times.
      const found1 = await stack.api.request('GET', '/api/conversational-ai-agent/v2/projects/any/agents/ag_1');
      expect(found1.body).toMatchObject({ agent_id: 'ag_1', start_ts: 1_751_000_000, stop_ts: 1_751_000_060 });
      await stack.api.untilExtracted(memory.id);
      const found = await stack.api.search(memory.id, '/facts/u9', 'peanuts');
      expect(found[0]?.memory).toMatch(/peanuts/);
      const sent = () =>
        receiver.received.map((webhook) => jsonOf<{ data: { actorId: string; contents: object[] } }>(webhook));
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
      const whole = await stack.api.request<{ contents: object[] }>('GET', `/v1/agents/${ended!.id}/history`);
      expect(whole.body.contents).toHaveLength(4);
    });

    it('of a history are merged with earlier ones, whatever their number and order', async () => {
      const { id } = await connect('agora');
      const agora = new AgoraSender(stack.api, id, SECRET);
      const agent = { agent_id: 'ag_2', name: 'desk-43', channel: 'c', labels: { user_id: 'pulled', session_id: 's' } };
      const said = Array.from({ length: 12 }, (_, i) => item(i % 2 === 0 ? 'user' : 'assistant', `line ${i}`));
      const lines = (to: number) => said.slice(0, to).map(({ role, content }) => `${role}: ${content}`);
      const session = { memoryId: memory.id, actorId: 'pulled', sessionId: 's' };
      await stack.api.appendBatch(
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

    it('that show a message cut short shorten it', async () => {
      const { id } = await connect('agora');
      const agora = new AgoraSender(stack.api, id, SECRET);
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
      const history = await stack.api.request<{ contents: object[] }>('GET', `/v1/agents/${agentId}/history`);
      expect(history.body.contents).toMatchObject([question, { ...heard, metadata: { interrupted: true } }]);
    });

    it('of two calls in one session are kept apart', async () => {
      const { id } = await connect('agora');
      const agora = new AgoraSender(stack.api, id, SECRET);
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
      const agora = new AgoraSender(stack.api, id, SECRET);
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
      await stack.api.request('PATCH', `/v1/connectors/${id}`, { body: { actorLabel: 'who' } });
      const retried = await stack.api.request('POST', `/v1/connectors/${id}/notices/retry`);
      expect(retried.body).toEqual({ retried: 1 });
      await untilSaid('late', 'c', ['user: Hello?']);
    });

    it('find no connector of another vendor, and work with both secrets during a rotation', async () => {
      const { id } = await connect('agora');
      const stranger = await stack.api.request('POST', `/connectors/zego/${id}`, { body: {} });
      expect([stranger.status, stranger.body]).toEqual([404, expect.objectContaining({ code: 'connector.not_found' })]);
      await stack.api.request('POST', `/v1/connectors/${id}/rotate-secret`, { body: { secret: 'the-next-one' } });
      for (const secret of [SECRET, 'the-next-one']) {
        expect((await new AgoraSender(stack.api, id, secret).notify(110, {})).status).toBe(200);
      }
      expect((await new AgoraSender(stack.api, id, 'another').notify(110, {})).status).toBe(401);
    });
  });

  it('leave no trace when rejected, and get the reason', async () => {
    const traces = () =>
      stack.inspector.number(
        `select count(*) from (select 1 from connector_notices union all select 1 from connector_calls
           union all select 1 from connector_stamps) as traces`,
      );
    const before = await traces();
    const [agora, zego] = [await connect('agora'), await connect('zegocloud')];
    const unknown = '00000000-0000-4000-8000-000000000000';
    const large = JSON.stringify({ text: 'x'.repeat(MAX_BODY_BYTES) });
    const zegoBody = new ZegoSender(stack.api, zego.id, 'another').callback('1', 'ASRResult', { Round: 1, Text: 'x' });
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
      const answer = await stack.apiOf(stack.ingests[0]!, null).request('POST', `/connectors/${path}`, { raw });
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
    const agora = new AgoraSender(stack.api, id, SECRET);
    const agent = { agent_id: 'ag_6', name: 'desk-46', channel: 'c', labels: { user_id: 'erased', session_id: 's' } };
    const holding = () =>
      stack.inspector.number(
        `select count(*) from connector_notices where position(convert_to('heliotrope', 'utf8') in body) > 0`,
      );
    await agora.notify(101, agent);
    // Kept until the agent's end has arrived as well.
    await agora.notify(103, { ...agent, contents: [item('user', 'My word is heliotrope.')] });
    await untilSaid('erased', 's', ['user: My word is heliotrope.']);
    expect(await holding()).toBe(1);
    const erased = await stack.api.request('DELETE', `/memory/memories/${memory.id}/actors/erased`);
    expect(erased.status).toBe(200);
    expect(await holding()).toBe(0);
    await agora.notify(102, { ...agent, status: 'STOPPED', message: 'OK' });
    await passTime(70); // its end does not wait for another 103
    await untilFolded(id);
    expect(await messages('erased', 's')).toEqual([]);
    expect(await notices(id, 'parked')).toEqual([]);
  });

  describe("ZEGOCLOUD's callbacks", () => {
    it('are rejected with a wrong signature, a stale one, and the signature of another message', async () => {
      const { id } = await connect('zegocloud', { secret: 'secret' });
      const zego = new ZegoSender(stack.api, id, 'secret');
      const code = async (body: object) => {
        const answer = await zego.send(body);
        return [answer.status, (answer.body as { code?: string }).code];
      };
      // The vector's signature is valid but expired.
      const vector = {
        ...{ Event: 'ASRResult', AgentInstanceId: '1', Data: { Round: 1, Text: 'x', UserId: 'u' } },
        ...{ Nonce: '123412', Timestamp: 1470820198, Signature: '5bd59fd62953a8059fb7eaba95720f66d19e4517' },
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
      await stack.api.request('POST', `/v1/connectors/${id}/instances`, {
        body: { instanceId: '9001', actorId: 'zoe', sessionId: 'call' },
      });
      const zego = new ZegoSender(stack.api, id, SECRET);
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
      const zego = new ZegoSender(stack.api, id, SECRET);
      const answer = await zego.send(zego.signed({ ...zego.callback('99', 'ASRResult', {}), Data: null }));
      expect([answer.status, answer.body]).toEqual([200, { received: true, duplicate: false }]);
      expect(await notices(id, 'parked')).toMatchObject([{ code: 'notice.unreadable' }]);
    });

    it('of rounds that arrive after the end reach the history of the agent', async () => {
      const { id } = await connect('zegocloud');
      const zego = new ZegoSender(stack.api, id, SECRET);
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
      const history = await stack.api.request<{ contents: object[] }>('GET', `/v1/agents/${agent!.id}/history`);
      expect(history.body.contents).toMatchObject([
        ...[{ content: 'Hi.' }, { content: 'Hello.' }],
        ...[
          { content: 'How are you?', turn_id: 1, metadata: { late: true } },
          { content: 'Bye.', turn_id: 2 },
        ],
      ]);
    });

    it('are assigned by the templates once the user is known', async () => {
      const { id } = await connect('zegocloud', { sessionTemplate: '{RoomId}/{AgentInstanceId}' });
      const zego = new ZegoSender(stack.api, id, SECRET);
      await zego.send(zego.callback('77', 'LLMResult', { Round: 0, Text: 'Welcome.' }));
      await zego.send(zego.callback('77', 'ASRResult', { Round: 1, Text: 'Hi.', UserId: 'tom' }));
      await zego.send(zego.callback('77', 'AgentInstanceDeleted', { Code: 1202 }));
      await passTime(70);
      await untilSaid('tom', 'room-1/77', ['assistant: Welcome.', 'user: Hi.']);
    });
  });

  describe("OpenAI Realtime's events", () => {
    it('have a page whose commands work', async () => {
      const variables = { TURNKEEPER_URL: stack.api.url, TURNKEEPER_KEY: stack.api.apiKey! };
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
        stack.api.request('POST', `/connectors/openai-realtime/${id}`, {
          body: { actor_id: 'mai', session_id: 'desk-1', events, ...more },
          headers: { authorization: `Bearer ${secret}` },
        });
      const typed = (itemId: string, text: string) => ({
        ...{ type: 'conversation.item.done', event_id: `done ${itemId}` },
        item: { id: itemId, type: 'message', role: 'user', content: [{ type: 'input_text', text }] },
      });
      const answered = (itemId: string, transcript: string) => ({
        ...{ type: 'response.done', event_id: `response ${itemId}` },
        response: {
          ...{ status: 'completed', usage: { total_tokens: 7 } },
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
      const { contents } = (await stack.api.request<{ contents: object[] }>('GET', `/v1/agents/${agent?.id}/history`))
        .body;
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
        await stack.api.request('POST', `/connectors/openai-realtime/${id}`, { body: { actor_id: 'mai' }, headers }),
      ).toMatchObject({ status: 400, body: { code: 'payload.invalid', field: 'session_id', rule: 'is required' } });
    });
  });
});

/** Reproducible per seed. */
const shuffled = <T>(values: readonly T[], seed: number): T[] => {
  let state = seed + 1;
  const next = (): number => (state = (state * 48_271) % 2_147_483_647);
  return values
    .map((value) => ({ value, at: next() }))
    .sort((a, b) => a.at - b.at)
    .map(({ value }) => value);
};
