import { SCOPES } from '@turnkeeper/contracts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Problem } from './harness/answers.js';
import { eventsPath, turn, type Api } from './harness/api.js';
import { EventStreamReader } from './harness/event-stream.js';
import { Stack } from './harness/stack.js';

/** More than AUTH_FAILURES_PER_MINUTE. */
const GUESSES = 300;
const REVOKED_WITHIN_MS = 2_000;

describe('keys', () => {
  let stack: Stack;
  let operator: Api;
  let tenantId: string;
  beforeAll(async () => {
    stack = await Stack.start({ worker: false });
    operator = as(await stack.createKey({ tenant: 'operators', scopes: SCOPES }));
    const [tenant] = await stack.inspector.rows<{ id: string }>(
      `select tenant_id as id from tenants where name = 'acme'`,
    );
    tenantId = tenant!.id;
  });
  afterAll(() => stack?.stop());

  const as = (apiKey: string): Api => stack.apiOf(stack.ingests[0]!, apiKey);
  const newKey = async () => {
    const made = await operator.request<{ id: string; apiKey: string }>('POST', `/v1/admin/tenants/${tenantId}/keys`, {
      body: { scopes: ['memory:read', 'memory:write'] },
    });
    expect(made.status).toBe(201);
    return made.body;
  };
  const use = (apiKey: string) => as(apiKey).request<Problem>('GET', '/memory/memories');

  it('of a stream that were revoked end it as soon as they end requests', async () => {
    const { id, apiKey } = await newKey();
    const memory = await stack.api.createMemory({});
    const session = { memoryId: memory.id, actorId: 'ada', sessionId: 'a-telling-session-name' };
    await stack.api.append(session, turn('user', 'hello'));
    const response = await fetch(`${stack.ingests[0]!.url}${eventsPath(session)}/stream`, {
      headers: { authorization: `Bearer ${apiKey}` },
    });
    const stream = await new EventStreamReader(response).until(({ events }) => events.length === 1);
    const revoked = await operator.request('DELETE', `/v1/admin/tenants/${tenantId}/keys/${id}`);
    expect(revoked.status).toBeLessThan(300);
    const started = performance.now();
    await stream.until(() => false);
    expect([stream.ended, performance.now() - started < REVOKED_WITHIN_MS]).toEqual([true, true]);
    const log = stack.ingests[0]!.output();
    expect(log).toContain(memory.id);
    expect(log).not.toContain(session.sessionId);
  });

  it('are accepted as Basic credentials only without anything after them', async () => {
    const [, id, secret] = (await newKey()).apiKey.split('_');
    const basic = Buffer.from(`${id}:${secret}`).toString('base64');
    const statusOf = async (authorization: string) =>
      (await fetch(`${stack.ingests[0]!.url}/memory/memories`, { headers: { authorization } })).status;
    expect([await statusOf(`Basic ${basic}`), await statusOf(`Basic ${basic}==junk`)]).toEqual([200, 401]);
  });

  it('that are valid work beside any number of invalid ones from their address, also for the first time', async () => {
    const guess = (at: number) => use(`tk_${at.toString(16).padStart(16, '0')}_${'0'.repeat(64)}`);
    const unused = await Promise.all(Array.from({ length: 5 }, newKey));
    // At the same moment: an address gets two more tries per second.
    const guessing = Array.from({ length: GUESSES }, (_, at) => guess(at));
    const using = await Promise.all(unused.map(({ apiKey }) => use(apiKey)));
    expect(using.map(({ status }) => status)).toEqual(unused.map(() => 200));
    const refused = await Promise.all(guessing);
    expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([401, 429]));
    const [limited] = refused.filter(({ status }) => status === 429);
    expect(limited?.body).toMatchObject({ code: 'auth.too_many_failures' });
  });
});
