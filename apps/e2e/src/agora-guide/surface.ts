import { describe, expect, it } from 'vitest';
import { expectRefusal, PROJECT, type AgoraClient } from './client.js';
import { CONTENTS } from './guide-data.js';

interface History {
  readonly contents: readonly {
    readonly role: string;
    readonly content: string | null;
    readonly turn_id: number;
    readonly timestamp: number;
  }[];
  readonly meta?: { readonly cursor: string; readonly total: number };
}

/** What Agora's reference and clients have beyond the guide. */
export const surfaceCases = (agora: () => AgoraClient): void => {
  const historyOf = async (id: string, query = ''): Promise<History> =>
    (await agora().call<History>('GET', `/agents/${id}/history${query}`)).body;

  it('serves the regional path of mainland China', async () => {
    const { agent_id } = await agora().started();
    const { status, body } = await agora().at(`/cn${PROJECT}/agents/${agent_id}`, 'GET');
    expect([status, body]).toMatchObject([200, { agent_id, status: 'RUNNING' }]);
    expectRefusal(await agora().at(`/cn${PROJECT}/agents/unknown`, 'GET'), [404, 'TaskNotFound']);
  });

  it('assigns turn ids and times to messages without them', async () => {
    const task = await agora().started();
    const said = CONTENTS.map(({ role, content, metadata }) => ({ role, content, metadata }));
    await agora().speak(task, said.slice(0, 2));
    await agora().speak(task, said.slice(2));
    const { contents } = await historyOf(task.agent_id);
    expect(contents.map(({ turn_id }) => turn_id)).toEqual(CONTENTS.map(({ turn_id }) => turn_id));
    for (const { timestamp } of contents) expect(Math.abs(timestamp - Date.now())).toBeLessThan(60_000);
  });

  it('gives turns of parallel requests different ids, also in a session that had an agent before', async () => {
    const labels = { memory_id: agora().memoryId, user_id: 'parallel', session_id: 'desk', store_greeting: true };
    const llm = { greeting_message: 'Hello.' };
    const first = await agora().started(llm, { labels });
    const pairs = Array.from({ length: 60 }, (_, nth) => [
      { role: 'user', content: `Question ${nth}` },
      { role: 'assistant', content: `Answer ${nth}` },
    ]);
    const answers = await Promise.all(pairs.map((pair) => agora().speak(first, pair)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    const one = (await historyOf(first.agent_id)).contents.map(({ turn_id }) => turn_id);
    expect(one).toEqual([1, ...pairs.flatMap((_, nth) => [nth + 2, nth + 2])]);
    await agora().call('POST', `/agents/${first.agent_id}/leave`);
    const second = await agora().started(llm, { labels });
    await agora().speak(second, [{ role: 'user', content: 'Me again.' }]);
    expect((await historyOf(second.agent_id)).contents.map(({ turn_id }) => turn_id)).toEqual([62, 63]);
  });

  it('contains users and agents only, others by option', async () => {
    const task = await agora().started();
    const tool = [
      { role: 'user', content: 'Will it rain?' },
      { role: 'assistant', content: null, tool_calls: [{ id: 'c', type: 'function', function: { name: 'rain' } }] },
      { role: 'tool', content: 'yes', tool_call_id: 'c' },
      { role: 'assistant', content: 'It will.' },
    ];
    expectRefusal(await agora().speak(task, tool), [400, 'InvalidRequestBody']);
    expect((await agora().speak(task, tool, '?roles=any')).status).toBe(200);
    const { contents } = await historyOf(task.agent_id);
    expect(contents.map(({ content }) => content)).toEqual(['Will it rain?', null, 'It will.']);
    const all = await historyOf(task.agent_id, '?roles=any');
    expect(all.contents).toMatchObject(tool);
  });

  it('gives a long history in pages', async () => {
    const task = await agora().started();
    const lines = Array.from({ length: 7 }, (_, index) => ({ role: 'user', content: `line ${index}` }));
    await agora().speak(task, lines);
    const read: (string | null)[] = [];
    let cursor = '';
    let pages = 0;
    do {
      const page = await historyOf(task.agent_id, `?limit=3&cursor=${cursor}`);
      expect(page.contents.length).toBeLessThanOrEqual(3);
      read.push(...page.contents.map(({ content }) => content));
      cursor = page.meta!.cursor;
      pages += 1;
    } while (cursor !== '' && pages < 9);
    expect([pages, read]).toEqual([3, lines.map(({ content }) => content)]);
    expectRefusal(await agora().call('GET', `/agents/${task.agent_id}/history?cursor=x`), [400, 'InvalidRequestBody']);
  });

  it('stores the greeting as the first turn if asked for', async () => {
    const llm = { greeting_message: 'How can I help you {{when}}?', template_variables: { when: 'today' } };
    const labels = { memory_id: agora().memoryId, user_id: 'user123' };
    const silent = await agora().started(llm);
    expect((await historyOf(silent.agent_id)).contents).toEqual([]);
    const task = await agora().started(llm, { labels: { ...labels, store_greeting: true } });
    await agora().speak(task, [{ role: 'user', content: 'Hi.' }]);
    expect((await historyOf(task.agent_id)).contents).toMatchObject([
      { role: 'assistant', content: 'How can I help you today?', turn_id: 1, metadata: { source: 'greeting' } },
      { role: 'user', content: 'Hi.', turn_id: 2 },
    ]);
  });

  describe('gives the conversation by turns', () => {
    it('with how each began and ended', async () => {
      const task = await agora().started();
      await agora().speak(task, CONTENTS);
      const { status, body } = await agora().call('GET', `/agents/${task.agent_id}/turns`);
      expect(status).toBe(200);
      const ids = { agent_id: task.agent_id, channel: 'room-9' };
      const turn = (turn_id: number, [start_at, start]: [number, string], [end_at, end]: [number, string]) => ({
        ...ids,
        turn_id,
        start: { start_at: start_at * 1_000, type: start, metadata: {} },
        end: { end_at: end_at * 1_000, type: end, metadata: {} },
        metrics: { segmented_latency_ms: [] },
      });
      expect(body).toEqual({
        ...ids,
        name: expect.stringMatching(/^desk-/) as string,
        total_turn_count: 4,
        pagination: { page_index: 1, total_pages: 1, is_last_page: true },
        turns: [
          turn(1, [1678901234, 'greeting'], [1678901234, 'ok']),
          turn(2, [1678901235, 'voice_input'], [1678901236, 'interrupted']),
          turn(3, [1678905235, 'voice_input'], [1678905236, 'ok']),
          turn(4, [1678905236, 'api_speak'], [1678905236, 'ok']),
        ],
      });
    });

    it('in pages', async () => {
      const task = await agora().started();
      await agora().speak(
        task,
        Array.from({ length: 12 }, (_, index) => ({ role: 'user', content: `line ${index}` })),
      );
      const page = async (index: number) =>
        (
          await agora().call<{ pagination: object; turns: { turn_id: number }[] }>(
            'GET',
            `/agents/${task.agent_id}/turns?page_size=10&page_index=${index}`,
          )
        ).body;
      expect((await page(1)).turns).toHaveLength(10);
      const last = await page(2);
      expect([last.turns.map(({ turn_id }) => turn_id), last.pagination]).toEqual([
        [11, 12],
        { page_index: 2, total_pages: 2, is_last_page: true },
      ]);
    });
  });
};
