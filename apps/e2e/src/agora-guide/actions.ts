import { eventually } from '@turnkeeper/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { jsonOf, startReceiver, type Receiver } from '../harness/receiver.js';
import { expectRefusal, type AgoraClient, type Task } from './client.js';

interface Action {
  readonly type: string;
  readonly data: {
    readonly agentId: string;
    readonly sequence: number;
    readonly action: string;
    readonly text: string | null;
    readonly options: object;
  };
}

/** `speak`, `interrupt` and `think`: carried out by the server that runs the speech. */
export const actionCases = (agora: () => AgoraClient): void => {
  describe('hands actions to the server that runs the speech', () => {
    let engine: Receiver | undefined;
    afterAll(() => engine?.close());
    const act = (task: Task, action: string, body?: object) =>
      agora().call(`POST`, `/agents/${task.agent_id}/${action}`, body);
    const contentsOf = async ({ agent_id }: Task): Promise<object[]> =>
      (await agora().call<{ contents: object[] }>('GET', `/agents/${agent_id}/history`)).body.contents;

    it('says so if there is none, and stores nothing', async () => {
      const task = await agora().started();
      expectRefusal(await act(task, 'speak', { text: 'Hello.' }), [404, 'NotImplemented']);
      expectRefusal(await act(task, 'interrupt', {}), [404, 'NotImplemented']);
      expectRefusal(await act(task, 'think', { text: 'Hello.' }), [404, 'NotImplemented']);
      expect(await contentsOf(task)).toEqual([]);
    });

    it('sends them on, and stores what becomes part of the conversation', async () => {
      engine = await startReceiver();
      const { received, url } = engine;
      await agora().stack.api.createEndpoint(url, { events: ['agent.action'] });
      const task = await agora().started();
      const answer = { agent_id: task.agent_id, channel: 'room-9', start_ts: task.create_ts };
      const speak = { text: 'Your table is ready.', priority: 'APPEND', interruptable: false };
      expect((await act(task, 'speak', speak)).body).toEqual(answer);
      expect((await act(task, 'speak', { text: 'Only if idle.', priority: 'IGNORE' })).body).toEqual(answer);
      expect((await act(task, 'interrupt')).body).toEqual(answer);
      const think = { text: 'The user clicked "buy".', metadata: { publisher: 'user123' } };
      expect((await act(task, 'think', think)).body).toEqual(answer);

      const sent = () =>
        received.map((webhook) => jsonOf<Action>(webhook)).filter(({ data }) => data.agentId === task.agent_id);
      await eventually(() => sent().length === 4, { what: 'the actions have arrived', withinMs: 60_000 });
      const texts = new Map(sent().map(({ type, data }) => [data.text, { type, ...data }]));
      expect(texts.get(speak.text)).toMatchObject({
        type: 'agent.action',
        action: 'speak',
        options: { priority: 'APPEND', interruptable: false },
      });
      expect(texts.get('Only if idle.')).toMatchObject({ options: { priority: 'IGNORE', interruptable: true } });
      expect(texts.get(null)).toMatchObject({ action: 'interrupt', options: {} });
      expect(texts.get(think.text)).toMatchObject({
        action: 'think',
        options: { on_listening_action: 'interrupt', on_speaking_action: 'ignore', metadata: think.metadata },
      });
      expect(await contentsOf(task)).toMatchObject([
        { role: 'assistant', content: speak.text, turn_id: 1, metadata: { source: 'command' } },
        { role: 'user', content: think.text, turn_id: 2, metadata: { source: 'command', publisher: 'user123' } },
      ]);
    });

    it('sends those of an agent one after the other, in the order in which they were asked for', async () => {
      const { received } = engine!;
      const tasks = await Promise.all(Array.from({ length: 20 }, () => agora().started()));
      const texts = ['One moment.', 'Your table is ready.'];
      await Promise.all(
        tasks.map(async (task) => {
          await act(task, 'interrupt');
          for (const text of texts) await act(task, 'speak', { text });
        }),
      );
      const sentTo = ({ agent_id }: Task) =>
        received.map((webhook) => jsonOf<Action>(webhook).data).filter(({ agentId }) => agentId === agent_id);
      await eventually(() => tasks.every((task) => sentTo(task).length >= 3), { withinMs: 60_000 });
      expect(tasks.map((task) => sentTo(task).map(({ text }) => text))).toEqual(tasks.map(() => [null, ...texts]));
      for (const task of tasks) {
        const sequences = sentTo(task).map(({ sequence }) => sequence);
        expect(sequences.every((sequence, at) => at === 0 || sequence > (sequences[at - 1] ?? 0))).toBe(true);
      }
    });

    it('refuses what Agora refuses, and an agent that has left', async () => {
      const task = await agora().started();
      expectRefusal(await act(task, 'speak', {}), [400, 'MissingRequiredField']);
      expectRefusal(await act(task, 'speak', { text: 'ế'.repeat(200) }), [400, 'InvalidRequestBody']);
      expectRefusal(await act(task, 'think', { text: 'x', on_thinking_action: 'inject' }), [400, 'InvalidRequestBody']);
      await act(task, 'leave');
      expectRefusal(await act(task, 'speak', { text: 'Hello?' }), [404, 'TaskNotFound']);
    });
  });
};
