import { describe, expect, it } from 'vitest';
import type { ZegoClient } from './client.js';

export const registeredAgentCases = (client: ZegoClient): void => {
  const { act, create, window } = client;

  describe('with registered agents', () => {
    /** The example of ZEGOCLOUD's reference. */
    const JACKY = {
      AgentId: 'xiaozhi',
      Name: 'Jacky',
      LLM: {
        Url: 'https://ark.cn-beijing.volces.com/api/v3/chat/completions',
        ApiKey: 'zego_test',
        Model: 'doubao-1-5-lite-32k-250115',
        SystemPrompt: 'You are Jacky.',
      },
      TTS: { Vendor: 'ByteDance', Params: { app: { token: 'zego_test' } } },
      ASR: { Vendor: 'Tencent' },
    };
    const { ApiKey: _, ...keptLlm } = JACKY.LLM;
    const kept = { AgentId: 'xiaozhi', Name: 'Jacky', LLM: keptLlm, TTS: {}, ASR: {} };
    const success = (Data?: object) => ({
      Code: 0,
      Message: 'success',
      RequestId: expect.stringMatching(/\S/) as string,
      ...(Data === undefined ? {} : { Data }),
    });

    it('starts instances with what their agent has, unless they bring their own', async () => {
      expect(await act('RegisterAgent', JACKY)).toEqual(success());
      expect(await act('QueryAgents', { AgentIds: ['xiaozhi', 'none'] })).toEqual(success({ Agents: [kept] }));
      // ZEGOCLOUD's sample server sends null for what it does not set.
      const unset = { LLM: null, TTS: null, ASR: null, CallbackConfig: null };
      const id = await create({ SyncMode: 1, Messages: [], WindowSize: 10 }, { AgentId: 'xiaozhi', ...unset });
      expect(await window(id)).toEqual(['You are Jacky.']);
      const params = async (instance: string) =>
        (await client.stack.api.request<{ params: object }>('GET', `/v1/agents/${instance}`)).body.params;
      expect(await params(id)).toEqual({ model: 'doubao-1-5-lite-32k-250115' });
      const own = await create(undefined, { AgentId: 'xiaozhi', LLM: { SystemPrompt: 'Be brief.' } });
      expect([await window(own), await params(own)]).toEqual([['Be brief.'], {}]);

      expect(await act('UpdateAgent', { AgentId: 'xiaozhi', Name: 'Jack' })).toEqual(success());
      const LLM = { SystemPrompt: 'You are Jack.' };
      expect(await act('UpdateAgent', { AgentId: 'xiaozhi', LLM: { ...LLM, ApiKey: 'secret' } })).toEqual(success());
      const { Data } = await act<{ Agents: object[] }>('QueryAgents', { AgentIds: ['xiaozhi'] });
      expect(Data!.Agents).toEqual([{ ...kept, Name: 'Jack', LLM }]);
      expect(await window(await create(undefined, { AgentId: 'xiaozhi' }))).toEqual(['You are Jack.']);
      expect(await window(id)).toEqual(['You are Jacky.']);
      expect(await act('UnregisterAgent', { AgentId: 'xiaozhi' })).toEqual(success());
      expect(await window(await create(undefined, { AgentId: 'xiaozhi' }))).toEqual([]);
    });

    it('lists them in pages', async () => {
      const list = async (body: object) =>
        (await act<{ Total: number; Agents: { AgentId: string }[]; Cursor: string }>('ListAgents', body)).Data!;
      expect(await list({})).toEqual({ Total: 0, Agents: [], Cursor: '' });
      const ids = Array.from({ length: 7 }, (_, index) => `agent-${index}`);
      for (const AgentId of ids) await act('RegisterAgent', { ...JACKY, AgentId });
      const first = await list({ Limit: 0, Cursor: '' });
      expect([first.Total, first.Agents.map(({ AgentId }) => AgentId)]).toEqual([7, ids.slice(0, 5)]);
      expect(first.Cursor).not.toBe('');
      const { Total, Agents, Cursor } = await list({ Cursor: first.Cursor });
      expect([Total, Agents, Cursor]).toEqual([7, ids.slice(5).map((AgentId) => ({ ...kept, AgentId })), '']);
      for (const AgentId of ids) await act('UnregisterAgent', { AgentId });
    });
  });
};
