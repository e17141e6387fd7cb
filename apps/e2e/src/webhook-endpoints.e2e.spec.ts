import { eventually } from '@turnkeeper/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DeliveryView, EndpointView, MemoryView } from './harness/answers.js';
import { turn, type Session } from './harness/api.js';
import { runCli } from './harness/child-process.js';
import { officialVerdicts } from './harness/official-verdicts.js';
import { header, jsonOf, startReceiver, type Receiver } from './harness/receiver.js';
import { Stack } from './harness/stack.js';

interface Webhook {
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}
interface Page {
  readonly items: readonly DeliveryView[];
  readonly next: string | null;
}

describe('webhook endpoints', () => {
  let stack: Stack;
  let memory: MemoryView;
  let status: number;
  let receiver: Receiver;
  let count = 0;
  beforeAll(async () => {
    status = 204;
    receiver = await startReceiver(() => status);
    stack = await Stack.start({
      settings: { WEBHOOK_INLINE_BYTES: '2048', EXTRACTION_TURN_INTERVAL: '1', PURGE_INTERVAL_SECONDS: '1' },
    });
    memory = await stack.api.createMemory({
      longTermMemoryStrategies: [{ name: 'facts', type: 'SEMANTIC', namespaceTemplate: '/facts' }],
    });
  });
  afterAll(async () => {
    await stack?.stop();
    await receiver?.close();
  });

  const path = (endpoint: EndpointView, more = ''): string => `/v1/webhook-endpoints/${endpoint.id}${more}`;
  const post = async <T>(endpoint: EndpointView, action: string, body?: unknown) =>
    (await stack.api.request<T>('POST', path(endpoint, action), body === undefined ? {} : { body })).body;
  const endpoint = (more: Record<string, unknown> = {}) => {
    receiver.forget();
    return stack.api.createEndpoint(receiver.url, more);
  };
  const session = (): Session => ({ memoryId: memory.id, actorId: 'ada', sessionId: `call-${(count += 1)}` });
  /** One agent that says something and stops. */
  const call = async (words: readonly string[] = ['Hello.']): Promise<string> => {
    const thread = session();
    const { id: agentId } = await stack.api.startAgent(thread, thread.sessionId);
    await stack.api.appendBatch(
      thread,
      words.map((word) => turn('user', word)),
    );
    await stack.api.stopAgent(agentId);
    return agentId;
  };
  const untilReceived = (atLeast: number) =>
    eventually(() => receiver.received.length >= atLeast, {
      withinMs: 20_000,
      everyMs: 20,
      what: `${atLeast} webhooks`,
    });
  const untilAll = (one: EndpointView, wanted: string, atLeast = 1) =>
    eventually(
      async () => {
        const all = await stack.api.deliveries(one.id);
        return all.length >= atLeast && all.every((delivery) => delivery.status === wanted);
      },
      { withinMs: 20_000, everyMs: 50, what: `all are ${wanted}` },
    );
  const untilDispatched = () =>
    eventually(async () => {
      const behind = '(select max(position) from events) - (select max(position) from dispatch_cursor)';
      return (await stack.inspector.number(`select ${behind}`)) === 0;
    });
  const remove = (one: EndpointView) => stack.api.request('DELETE', path(one));

  it('show a secret once, on creation', async () => {
    const made = await endpoint({ secret: `whsec_${Buffer.alloc(32, 7).toString('base64')}` });
    const shown = [await stack.api.request('GET', path(made)), await stack.api.request('GET', '/v1/webhook-endpoints')];
    expect(JSON.stringify(shown)).not.toContain(made.secret);
    expect([...stack.ingests, stack.worker!].map((one) => one.output()).join()).not.toContain(made.secret);
    await remove(made);
  });

  it('can be tested: signed, sent immediately, with the result', async () => {
    const made = await endpoint();
    expect(await post(made, '/test')).toMatchObject({ delivered: true, reason: 'delivered', status: 204 });
    expect(await officialVerdicts(made.secret, receiver.received)).toEqual([true]);
    expect(jsonOf<Webhook>(receiver.received[0]!)).toMatchObject({
      type: 'webhook.test',
      data: { endpointId: made.id },
    });
    status = 500;
    expect(await post(made, '/test')).toMatchObject({ delivered: false, reason: 'server_error', status: 500 });
    status = 204;
    await stack.api.request('PATCH', path(made), { body: { url: 'http://169.254.169.254/latest' } });
    const refused = await stack.api.request('PATCH', path(made), { body: { url: 'http://169.254.169.254/latest' } });
    expect([refused.status, refused.body]).toEqual([400, expect.objectContaining({ code: 'webhook.url_refused' })]);
    expect(await stack.api.deliveries(made.id)).toEqual([]);
    await remove(made);
  });

  it('get what is pending at once after they were repaired, one by one or all', async () => {
    const made = await endpoint();
    status = 500;
    await call();
    await call();
    const pending = async (attempts: number) => {
      const all = await stack.api.deliveries(made.id);
      return all.length === 2 && all.every((one) => one.status === 'pending' && one.history.length >= attempts);
    };
    await eventually(() => pending(1), { withinMs: 20_000, what: 'both have failed once' });
    // The second attempt comes after seconds, the third after minutes.
    const since = new Date(Date.now() - 3_600_000).toISOString();
    for (let attempts = 2; attempts <= 3; attempts += 1) {
      await post(made, '/send-now', { since });
      await eventually(() => pending(attempts), { withinMs: 20_000, what: `both have failed ${attempts} times` });
    }

    status = 204;
    receiver.forget();
    const [one] = await stack.api.deliveries(made.id);
    expect(await post(made, `/deliveries/${one!.id}/send-now`)).toEqual({ sending: 1 });
    await untilReceived(1);
    const { code, output } = await runCli(['webhook', 'send-now', '--endpoint', made.id, '--since', since], '', {
      TURNKEEPER_URL: stack.ingests[0]!.url,
      TURNKEEPER_API_KEY: stack.api.apiKey!,
    });
    expect([code, output]).toEqual([0, expect.stringContaining('due now: 1')]);
    await untilAll(made, 'delivered', 2);
    const late = await stack.api.request('POST', path(made, `/deliveries/${one!.id}/send-now`), { body: {} });
    expect([late.status, late.body]).toEqual([409, expect.objectContaining({ code: 'webhook_delivery.not_pending' })]);
    await remove(made);
  });

  it('get signatures with both secrets while a rotation overlaps, and only with the new one afterwards', async () => {
    const made = await endpoint();
    const rotated = await post<EndpointView>(made, '/rotate-secret');
    expect(rotated.secret).not.toBe(made.secret);
    await call();
    await untilReceived(1);
    expect(await officialVerdicts(made.secret, receiver.received)).toEqual([true]);
    expect(await officialVerdicts(rotated.secret, receiver.received)).toEqual([true]);
    const leaked = await post<EndpointView>(made, '/rotate-secret', { overlapSeconds: 0 });
    await call();
    await untilReceived(2);
    const [, second] = receiver.received;
    expect(await officialVerdicts(leaked.secret, [second!])).toEqual([true]);
    expect(await officialVerdicts(rotated.secret, [second!])).toEqual(['No matching signature found']);
    await remove(made);
  });

  it('queue deliveries while paused, and send them when resumed', async () => {
    const made = await endpoint();
    await post(made, '/pause');
    await call();
    await eventually(async () => (await stack.api.deliveries(made.id)).length === 1, { withinMs: 20_000 });
    expect(receiver.received).toEqual([]);
    expect(await post(made, '/resume')).toMatchObject({ status: 'active' });
    await untilAll(made, 'delivered');
    expect(receiver.received).toHaveLength(1);
    await remove(made);
  });

  it('are disabled by a 410, with everything pending; replayed twice, each is sent once', async () => {
    const made = await endpoint();
    status = 500;
    const agents = [await call(), await call(), await call()];
    await untilReceived(3);
    status = 410;
    await stack.inspector.rows(
      `update webhook_deliveries set due_at = now() where delivery_id =
         (select delivery_id from webhook_deliveries where endpoint_id = $1 and status = 'pending' limit 1)`,
      [made.id],
    );
    await untilAll(made, 'parked', 3);
    expect(await stack.api.request('GET', path(made))).toMatchObject({ body: { status: 'disabled' } });
    const refused = await stack.api.request('POST', path(made, '/replay'), { body: { since: '2020-01-01T00:00:00Z' } });
    expect([refused.status, refused.body]).toEqual([
      409,
      expect.objectContaining({ code: 'webhook_endpoint.disabled' }),
    ]);
    await call(); // no attempt is scheduled for it now
    await untilDispatched();

    status = 204;
    await post(made, '/resume');
    const before = receiver.received.length;
    const [one] = await stack.api.deliveries(made.id);
    const replayOne = () => post(made, `/deliveries/${(one as unknown as { id: string }).id}/replay`);
    const replayAll = () => post(made, '/replay', { since: '2020-01-01T00:00:00Z' });
    await stack.killWorker(); // so that both replays find the first one in progress
    expect(await replayOne()).toEqual({ replayed: 1 });
    expect(await replayOne()).toEqual({ replayed: 0 });
    expect(await replayAll()).toEqual({ replayed: 2 });
    expect(await replayAll()).toEqual({ replayed: 0 });
    await stack.startWorker();
    await untilAll(made, 'delivered', 3);
    expect(await replayAll()).toEqual({ replayed: 0 });
    const sent = receiver.received.slice(before).map((webhook) => jsonOf<Webhook>(webhook).data['agentId']);
    expect(sent.sort()).toEqual(agents.sort());
    await remove(made);
  });

  it('do not replay deleted content, and report that', async () => {
    const made = await endpoint();
    for (let i = 0; i < 2; i += 1) await call();
    await untilAll(made, 'delivered', 2);
    const [kept, old] = (await stack.api.deliveries(made.id)) as readonly (DeliveryView & { id: string })[];
    await stack.inspector.rows(
      `update webhook_deliveries set created_at = now() - interval '31 days' where delivery_id = $1`,
      [old!.id],
    );
    const purgedAt = async () =>
      (await stack.api.deliveries(made.id)).map((delivery) => (delivery as unknown as { purgedAt: unknown }).purgedAt);
    await eventually(async () => (await purgedAt()).some((at) => at !== null), { withinMs: 20_000 });
    expect(await purgedAt()).toEqual([null, expect.any(String)]);
    expect(await stack.inspector.number('select count(*) from webhook_deliveries where body is null')).toBe(1);

    const body = { includeDelivered: true };
    const refused = await stack.api.request('POST', path(made, `/deliveries/${old!.id}/replay`), { body });
    expect([refused.status, refused.body]).toEqual([409, expect.objectContaining({ code: 'webhook_delivery.purged' })]);
    expect(await post(made, '/replay', { ...body, since: '2020-01-01T00:00:00Z' })).toEqual({ replayed: 1 });
    await untilReceived(3);
    const ids = receiver.received.map((webhook) => header(webhook, 'webhook-id'));
    expect(ids.filter((id) => id === kept!.messageId)).toHaveLength(2);
    await remove(made);
  });

  it('list deliveries in pages, by status, with every attempt', async () => {
    const made = await endpoint();
    for (let i = 0; i < 5; i += 1) await call();
    await untilAll(made, 'delivered', 5);
    const seen: string[] = [];
    for (let after: string | null = ''; after !== null;) {
      const query: string = `?limit=2&status=delivered${after === '' ? '' : `&after=${encodeURIComponent(after)}`}`;
      const { body } = await stack.api.request<Page>('GET', path(made, `/deliveries${query}`));
      expect(body.items.length).toBeLessThanOrEqual(2);
      seen.push(...body.items.map(({ messageId }) => messageId));
      after = body.next;
    }
    expect(new Set(seen).size).toBe(5);
    expect(seen).toEqual((await stack.api.deliveries(made.id)).map(({ messageId }) => messageId));
    const { body } = await stack.api.request<Page>('GET', path(made, '/deliveries?status=parked'));
    expect(body).toEqual({ items: [], next: null });
    await remove(made);
  });

  it('send a link to a history that is too long; the link returns all of it', async () => {
    const made = await endpoint();
    const words = Array.from({ length: 1_200 }, (_, i) => `sentence number ${i}`);
    const thread = session();
    const { id: agentId } = await stack.api.startAgent(thread, thread.sessionId);
    for (let at = 0; at < words.length; at += 600) {
      await stack.api.appendBatch(
        thread,
        words.slice(at, at + 600).map((word) => turn('user', word)),
      );
    }
    await stack.api.stopAgent(agentId);
    await untilReceived(1);
    const { data } = jsonOf<Webhook>(receiver.received[0]!);
    expect(data).toMatchObject({ truncated: true, messageCount: 1_200 });
    expect(receiver.received[0]!.raw.length).toBeLessThanOrEqual(2_048);
    const link = new URL(String(data['historyUrl']));
    // The link's host is PUBLIC_URL; this installation listens elsewhere.
    const follow = (search: string) =>
      stack
        .apiOf(stack.ingests[0]!, null)
        .request<{ contents: { content: string }[] }>('GET', `${link.pathname}${search}`);
    const whole = await follow(link.search);
    expect(whole.body.contents.map(({ content }) => content)).toEqual(words);
    const forged = await follow(link.search.replace(/expires=\d+/, 'expires=4102444800'));
    expect([forged.status, forged.body]).toEqual([403, expect.objectContaining({ code: 'history_link.invalid' })]);
    await remove(made);
  });

  it('receive agent, record and memory deletion events on request', async () => {
    const events = ['agent.started', 'agent.stopped', 'agent.history', 'records.extracted', 'memory.deleted'];
    // Earlier calls have records too, which are not to arrive here.
    await stack.api.untilExtracted(memory.id);
    await untilDispatched();
    const made = await endpoint({ events });
    const other = await stack.api.createMemory({
      longTermMemoryStrategies: [{ name: 'facts', type: 'SEMANTIC', namespaceTemplate: '/facts' }],
    });
    const thread = { memoryId: other.id, actorId: 'ben', sessionId: 'one' };
    const { id: agentId } = await stack.api.startAgent(thread, 'ben');
    await stack.api.append(thread, turn('user', 'I live in Porto and I am allergic to peanuts.'));
    await stack.api.stopAgent(agentId);
    await untilReceived(4);
    const records = await stack.api.records(other.id, '/facts');
    await stack.api.request('DELETE', `/memory/memories/${other.id}`);
    await untilReceived(5);
    await untilAll(made, 'delivered', 1);
    const received = receiver.received.map((webhook) => jsonOf<Webhook>(webhook));
    expect(received.map(({ type }) => type).sort()).toEqual([...events].sort());
    const extracted = received.find(({ type }) => type === 'records.extracted')!.data;
    expect((extracted['records'] as { recordId: string }[]).map(({ recordId }) => recordId).sort()).toEqual(
      records.map(({ id }) => id).sort(),
    );
    expect(received.find(({ type }) => type === 'memory.deleted')!.data['memoryId']).toBe(other.id);
    expect(await officialVerdicts(made.secret, receiver.received)).toEqual(received.map(() => true));
    expect(new Set(receiver.received.map((webhook) => header(webhook, 'webhook-id'))).size).toBe(5);
    await remove(made);
  });
});
