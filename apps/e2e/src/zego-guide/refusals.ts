import { ZEGO_ACTION_NAMES } from '@turnkeeper/vendors';
import { describe, expect, it } from 'vitest';
import type { ListView } from '../harness/answers.js';
import { APP_ID, GIVEN, LISTED, SERVER_SECRET, type Envelope, type ZegoClient } from './client.js';

export const refusalCases = (client: ZegoClient): void => {
  const { query, act, create, list, end } = client;

  describe("returns errors with ZEGOCLOUD's codes", () => {
    const refusal = (answer: Envelope, code: number) =>
      expect(answer).toEqual({
        Code: code,
        Message: expect.stringMatching(/\S/) as string,
        RequestId: expect.stringMatching(/\S/) as string,
      });
    const unknown = { AgentInstanceId: '1907755175297171456' };

    it('for a signature that is wrong or stale', async () => {
      refusal(await act('GetAgentInstanceMsgList', unknown, '/', { Signature: '0'.repeat(32) }), 100000005);
      const stale = String(Math.floor(Date.now() / 1_000) - 601);
      refusal(await act('GetAgentInstanceMsgList', unknown, '/', { Timestamp: stale }), 100000004);
    });

    it('for a signature that was used before, also for another action', async () => {
      const signed = query('ListAgents');
      const send = async (search: string) =>
        (await (await fetch(`${client.stack.api.url}/?${search}`, { method: 'POST' })).json()) as Envelope;
      expect((await send(signed)).Code).toBe(0);
      refusal(await send(signed), 100000004);
      refusal(await send(signed.replace('ListAgents', 'DeleteAgentInstance')), 100000004);
    });

    it('for an unregistered app and an unknown action', async () => {
      refusal(await act('GetAgentInstanceMsgList', unknown, '/', { AppId: '99' }), 100000005);
      refusal(await act('FlyToTheMoon', unknown), 100000007);
      refusal(await act('constructor', unknown), 100000007);
    });

    it('for an instance that is unknown or gone', async () => {
      const id = await create(GIVEN);
      expect((await end(id)).Code).toBe(0);
      for (const AgentInstanceId of [id, unknown.AgentInstanceId, client.memoryId]) {
        for (const action of ['GetAgentInstanceMsgList', 'ResetAgentInstanceMsgList', 'DeleteAgentInstance']) {
          refusal(await act(action, { AgentInstanceId }), 410001002);
        }
      }
    });

    it('for an agent that exists already or does not', async () => {
      const agent = { AgentId: 'twice', LLM: {} };
      expect((await act('RegisterAgent', agent)).Code).toBe(0);
      refusal(await act('RegisterAgent', agent), 410001008);
      expect((await act('UnregisterAgent', agent)).Code).toBe(0);
      refusal(await act('UnregisterAgent', agent), 410001009);
      refusal(await act('UpdateAgent', agent), 410001009);
    });

    const history = (MessageHistory: unknown) => ({ AgentId: 'a', UserId: 'u', MessageHistory });
    const deep = JSON.parse(`${'{"a":'.repeat(20)}1${'}'.repeat(20)}`) as object;
    /** Bodies that each action refuses. */
    const BAD: Record<(typeof ZEGO_ACTION_NAMES)[number], unknown[]> = {
      RegisterAgent: [{ LLM: {} }, { AgentId: 'a' }, { AgentId: '', LLM: {} }, { AgentId: 'a', LLM: deep }],
      UpdateAgent: [{ Name: 'n' }, { AgentId: 'a', Name: 'n'.repeat(257) }, { AgentId: 'a', LLM: { Model: 1 } }],
      UnregisterAgent: [{ AgentId: 7 }],
      QueryAgents: [{ AgentIds: 'a' }, { AgentIds: Array.from({ length: 11 }, String) }],
      ListAgents: [{ Limit: 11 }, { Limit: -1 }, { Limit: '5' }, { Cursor: 5 }],
      CreateAgentInstance: [
        ...[{ AgentId: 'a' }, { UserId: 'u' }, { AgentId: 'a', UserId: '..' }, history({ SyncMode: 2 })],
        ...[history([]), history({ SyncMode: 1, Messages: [{ Role: 'system', Content: 'obey' }] })],
        { AgentId: 'a', UserId: 'u', AdvancedConfig: { MaxIdleTime: 9 } },
      ],
      DeleteAgentInstance: [{}],
      UpdateAgentInstance: [{ LLM: {} }, { AgentInstanceId: 'a', LLM: [] }],
      QueryAgentInstanceStatus: [{ AgentInstanceId: null }],
      InterruptAgentInstance: [{ AgentInstanceId: '' }],
      GetAgentInstanceMsgList: ['{}', '[]'],
      AddAgentInstanceMsg: [
        ...[{ AgentInstanceId: 'a' }, { AgentInstanceId: 'a', Messages: [] }],
        { AgentInstanceId: 'a', Messages: [{ Role: 'user', Content: 'a\0' }] },
      ],
      ResetAgentInstanceMsgList: [{ AgentInstanceId: 'x'.repeat(129) }],
    };
    it.each(ZEGO_ACTION_NAMES)('for a bad body: %s', async (action) => {
      refusal(await act(action, '{"Agent'), 410000004);
      for (const body of BAD[action]) {
        const answer = await act(action, body);
        refusal(answer, 410000003);
        expect(answer.Message).not.toMatch(/openapi/i);
      }
    });

    it('for what the guide does not allow', async () => {
      const create = (MessageHistory: object) =>
        act('CreateAgentInstance', { AgentId: 'a', UserId: 'u', MessageHistory });
      refusal(await create({ SyncMode: 1, WindowSize: 101 }), 410000003);
      refusal(await create({ SyncMode: 0, Messages: GIVEN.Messages }), 410000003);
      const path = '/v1/vendor-apps/zegocloud/my-app';
      const named = await client.stack.api.request('PUT', path, {
        body: { memoryId: client.memoryId, secret: SERVER_SECRET },
      });
      expect([named.status, named.body]).toMatchObject([400, { code: 'vendor_app.id_invalid' }]);
    });

    it('for an interruption without a speech engine', async () => {
      refusal(await act('InterruptAgentInstance', { AgentInstanceId: await create(GIVEN) }), 100000007);
    });

    it('across tenants that have the same app', async () => {
      const other = client.stack.apiOf(client.stack.ingests[0]!, await client.stack.createKey({ tenant: 'globex' }));
      const theirs = (await other.createMemory({})).id;
      const path = `/v1/vendor-apps/zegocloud/${APP_ID}`;
      const taken = await other.request('PUT', path, { body: { memoryId: theirs, secret: SERVER_SECRET } });
      expect([taken.status, taken.body]).toMatchObject([409, { code: 'vendor_app.taken' }]);
      const body = { memoryId: theirs, secret: 'their own' };
      expect((await other.request('PUT', path, { body })).status).toBe(200);
      const foreign = await other.request('PUT', path, { body: { memoryId: client.memoryId, secret: 'their own' } });
      expect([foreign.status, foreign.body]).toMatchObject([404, { code: 'memory.not_found' }]);
      expect(await list(await create(GIVEN))).toEqual(LISTED);
      const listed = await other.request<ListView<object>>('GET', '/v1/vendor-apps');
      expect(listed.body.items).toEqual([
        {
          vendor: 'zegocloud',
          appId: String(APP_ID),
          memoryId: theirs,
          hasSecret: true,
          createdAt: expect.any(String) as string,
        },
      ]);
      expect((await other.request('DELETE', path)).status).toBe(204);
      expect((await other.request('DELETE', path)).status).toBe(204);
      expect((await other.request<ListView<object>>('GET', '/v1/vendor-apps')).body.items).toEqual([]);
    });
  });
};
