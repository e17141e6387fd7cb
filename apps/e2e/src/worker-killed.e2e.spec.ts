import { setTimeout as pause } from 'node:timers/promises';
import { startModelServer, tolerableModes, type ModelServer } from '@turnkeeper/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Conversations } from './harness/conversations.js';
import { startReceiver, type Receiver } from './harness/receiver.js';
import { Stack } from './harness/stack.js';

const COUNT = 30;
const TURNS = 30;

describe('a worker killed repeatedly under load', () => {
  let model: ModelServer;
  let stack: Stack;
  let receivers: Receiver[];

  beforeAll(async () => {
    // Slow enough that a kill always finds work in progress.
    model = await startModelServer();
    model.behave(async (request, reply) => {
      await pause(100);
      tolerableModes.honest(request, reply);
    });
    const slowly = async (): Promise<number> => {
      await pause(50);
      return 204;
    };
    receivers = [await startReceiver(slowly), await startReceiver(slowly)];
    stack = await Stack.start({ settings: { LLM_BASE_URL: model.url, LLM_MODEL: 'stub' } });
    for (const receiver of receivers) await stack.api.createEndpoint(receiver.url);
  });
  afterAll(async () => {
    await stack?.stop();
    await Promise.all([model?.close(), ...(receivers ?? []).map((receiver) => receiver.close())]);
  });

  it('reads every session once from end to end, and sends each history under one id', async () => {
    const conversations = await Conversations.in(stack);
    const held = conversations.hold('call', COUNT, { turns: TURNS });
    for (const share of [0.1, 0.4, 0.7]) {
      await conversations.untilRecords(share * COUNT * TURNS, 60_000);
      await stack.killWorker();
      await stack.startWorker();
    }
    await held;
    await conversations.expectComplete(receivers);
    expect(conversations.factCount).toBe(COUNT * TURNS);
  });
});
