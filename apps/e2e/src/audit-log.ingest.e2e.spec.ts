import { eventually } from '@turnkeeper/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { turn } from './harness/api.js';
import { Stack } from './harness/stack.js';

interface Entries {
  readonly items: readonly {
    readonly action: string;
    readonly resource: string;
    readonly keyId: string;
    readonly address: string;
    readonly requestId: string;
  }[];
  readonly next: number | null;
}

describe('the audit log', () => {
  let stack: Stack;
  beforeAll(async () => {
    stack = await Stack.start({ worker: false, settings: { TRUSTED_PROXIES: '127.0.0.1' } });
  });
  afterAll(() => stack?.stop());

  it('records who changed or exported what, and from where, without personal data', async () => {
    const auditor = stack.apiOf(stack.ingests[0]!, await stack.createKey({ scopes: ['audit:read'] }));
    const memory = await stack.api.createMemory({});
    const session = { memoryId: memory.id, actorId: 'ada@example.com', sessionId: 'monday' };
    await stack.api.append(session, turn('user', 'This is in the log of events already.'));
    await stack.api.request('GET', `/memory/memories/${memory.id}`);
    expect((await stack.api.request('GET', '/v1/webhook-endpoints')).status).toBe(200); // a read with a writing scope
    const refused = await stack.api.request('PATCH', `/memory/memories/${memory.id}`, { body: { nonsense: 1 } });
    expect(refused.status).toBe(400);
    const exported = await stack.api.request('GET', `/v1/memories/${memory.id}/export`, {
      headers: { 'x-forwarded-for': '203.0.113.7' },
    });
    const actor = `/memory/memories/${memory.id}/actors/${encodeURIComponent(session.actorId)}`;
    expect((await stack.api.request('DELETE', actor)).status).toBeLessThan(300);

    const { body, status } = await auditor.request<Entries>('GET', '/v1/audit-log');
    expect(status).toBe(200);
    // Both keys of this test were created by the command line.
    const keys = ['createKey', 'createKey'];
    expect(body.items.map(({ action }) => action)).toEqual([...keys, 'createMemory', 'exportMemory', 'deleteActor']);
    const [, , , handedOut, erased] = body.items;
    expect(handedOut).toMatchObject({
      resource: `GET /v1/memories/${memory.id}/export`,
      keyId: stack.api.apiKey!.split('_')[1],
      address: '203.0.113.7',
      requestId: exported.headers.get('x-request-id'),
    });
    expect(erased?.resource).toMatch(/\/actors\/~[0-9a-f]{16}$/);
    const logged = () => stack.ingests[0]!.output().includes('"address":"203.0.113.7"');
    await eventually(logged, { withinMs: 10_000, what: 'the access line names the client' });
    const page = (await auditor.request<Entries>('GET', '/v1/audit-log?limit=4')).body;
    expect((await auditor.request<Entries>('GET', `/v1/audit-log?after=${page.next}`)).body.items).toHaveLength(1);
  });

  it('requires its own scope, which no application has by default', async () => {
    const application = stack.apiOf(stack.ingests[0]!, await stack.createKey({ scopes: ['memory:read'] }));
    expect((await application.request('GET', '/v1/audit-log')).status).toBe(403);
  });
});
