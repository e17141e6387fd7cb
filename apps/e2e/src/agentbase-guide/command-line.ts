import { describe, expect, it } from 'vitest';
import type { GuideClient } from './client.js';

export const commandLineCases = (client: GuideClient): void => {
  describe('the calls of its command line client', () => {
    /**
     * Names and types that the client decodes (`go/internal/agentbase/memory/models.go` of GreenNodeHub/greennode-cli,
     * commit 39069e9). Null is decoded as the type's zero value.
     */
    const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;
    const text = expect.any(String) as string;
    const at = expect.stringMatching(timestamp) as string;
    const MEMORY = {
      id: text,
      name: text,
      description: text,
      eventExpiryDuration: 30,
      status: 'ACTIVE',
      createdAt: at,
      updatedAt: at,
    };
    const STRATEGY = {
      id: text,
      memoryId: text,
      name: 'sem',
      type: 'SEMANTIC',
      customFactExtractionPrompt: null,
      namespaceTemplate: '/strategies/SEMANTIC/actors/{actorId}',
      enableAutomaticMemoryRecordGeneration: false,
      status: 'ACTIVE',
      createdAt: at,
      updatedAt: at,
    };
    const RECORD = { id: text, memory: text, created_at: at, updated_at: at };
    const page = (listData: unknown[]) => ({
      listData,
      page: 1,
      pageSize: 10,
      totalPage: 1,
      totalItem: listData.length,
    });
    const namespace = encodeURIComponent('/strategies/SEMANTIC/actors/a1');

    it('succeed, and are answered with every field that it decodes', async () => {
      /** The client's own headers; it sends no content type without a body. */
      const call = async <T>(method: string, path: string, body?: object): Promise<T> => {
        const response = await fetch(`${client.host}${path}`, {
          method,
          headers: {
            Authorization: `Bearer ${client.token}`,
            Accept: 'application/json',
            ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
          },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        });
        const answer = await client.bodyOf<T>(method, response);
        expect(response.status, `${method} ${path}: ${JSON.stringify(answer)}`).toBe(200);
        return answer;
      };
      const memory = await call<{ id: string }>('POST', '/memories', {
        name: 'm',
        description: 'd',
        eventExpiryDuration: 30,
        longTermMemoryStrategies: [
          {
            name: 'sem',
            type: 'SEMANTIC',
            namespaceTemplate: STRATEGY.namespaceTemplate,
            enableAutomaticMemoryRecordGeneration: false,
          },
        ],
      });
      expect(memory).toMatchObject(MEMORY);
      const path = `/memories/${memory.id}`;
      expect(await call('GET', path)).toMatchObject(MEMORY);
      expect(await call('GET', '/memories')).toMatchObject({ page: 1, pageSize: 10 });
      const strategies = await call<{ id: string }[]>('GET', `${path}/long-term-memory-strategies`);
      expect(strategies).toMatchObject([STRATEGY]);

      const session = `${path}/actors/a1/sessions/s1`;
      await call('POST', `${session}/events`, { payload: { type: 'USER', role: 'user', message: 'hi' } });
      await call('POST', `${session}/events`, {
        payload: { type: 'CONVERSATIONAL', role: 'user', message: 'I live in Hue.' },
        eventTimestamp: '2026-03-18T09:00:00Z',
      });
      expect(await call('GET', `${path}/actors?page=1&size=10`)).toMatchObject(
        page([{ memoryId: memory.id, actorId: 'a1', status: 'ACTIVE' }]),
      );
      expect(await call('GET', `${path}/actors/a1/sessions?page=1&size=10`)).toMatchObject(
        page([{ memoryId: memory.id, actorId: 'a1', sessionId: 's1', status: 'ACTIVE' }]),
      );
      const range = 'fromTimestamp=2026-03-18T00%3A00%3A00Z&page=1&size=100&toTimestamp=2026-03-19T00%3A00%3A00Z';
      const { listData } = await call<{ listData: { id: string; payload: object }[] }>(
        'GET',
        `${session}/events?${range}`,
      );
      expect(listData.map(({ payload }) => payload)).toMatchObject([{ role: 'user', message: 'I live in Hue.' }]);

      await call('POST', `${path}/memory-records:insert-directly?namespace=${namespace}`, {
        memoryRecords: ['prefers dark mode', 'lives in Hue'],
      });
      const records = await call<{ id: string }[]>('GET', `${path}/memory-records?limit=50&namespace=${namespace}`);
      expect(records).toMatchObject([
        { ...RECORD, score: null },
        { ...RECORD, score: null },
      ]);
      const search = { query: 'dark mode', limit: 100, scoreThreshold: 0 };
      const [best] = await call<object[]>('POST', `${path}/memory-records:search?namespace=${namespace}`, search);
      expect(best).toMatchObject({ ...RECORD, memory: 'prefers dark mode', score: expect.any(Number) as number });
      const strategy = `longTermMemoryStrategyId=${strategies[0]!.id}`;
      await call('POST', `${path}/memory-records:generate-from-session?actorId=a1&${strategy}&sessionId=s1`);
      const chat = { chatMessages: [{ role: 'user', content: 'hi' }] };
      await call('POST', `${path}/memory-records:generate-from-content?actorId=a1&${strategy}&sessionId=s1`, chat);
      await call('DELETE', `${path}/memory-records/${records[0]!.id}`);
      await call('DELETE', `${session}/events/${listData[0]!.id}`);
      await call('DELETE', path);
    });
  });
};
