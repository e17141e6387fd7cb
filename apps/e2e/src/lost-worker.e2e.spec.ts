import { startModelServer, tolerableModes, eventually, type ModelServer } from '@turnkeeper/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Conversations } from './harness/conversations.js';
import { startReceiver, type Receiver } from './harness/receiver.js';
import type { Service } from './harness/service.js';
import { Stack } from './harness/stack.js';

/** The default lease lasts 5 s; then the work is claimed again. */
const TAKEN_OVER_MS = 25_000;

describe('a worker that is lost while it reads', () => {
  let model: ModelServer;
  let receiver: Receiver;
  let stack: Stack;
  let isSilent = false;
  let unanswered = 0;

  beforeAll(async () => {
    [model, receiver] = await Promise.all([startModelServer(), startReceiver()]);
    model.behave((request, reply) => {
      if (isSilent) unanswered += 1;
      else tolerableModes.honest(request, reply);
    });
    stack = await Stack.start({ settings: { LLM_BASE_URL: model.url, LLM_MODEL: 'stub' } });
    await stack.api.createEndpoint(receiver.url);
  });
  afterAll(async () => {
    await stack?.stop();
    await Promise.all([model?.close(), receiver?.close()]);
  });

  it.each(['SIGKILL', 'SIGSTOP'] as const)('by %s: another one takes over within seconds', async (signal) => {
    const lost = stack.worker as Service;
    [isSilent, unanswered] = [true, 0];
    const conversations = await Conversations.in(stack);
    await conversations.hold(signal, 6, { turns: 6 });
    await eventually(() => unanswered > 0, { withinMs: 20_000, everyMs: 20, what: 'the model is asked' });
    process.kill(lost.pid, signal);
    isSilent = false;
    await stack.startWorker();
    await conversations.expectComplete([receiver], TAKEN_OVER_MS);

    if (signal === 'SIGSTOP') {
      // It wakes up with everything in its hands that others have done meanwhile.
      process.kill(lost.pid, 'SIGCONT');
      expect((await lost.end('SIGTERM')).code).toBe(0);
      await conversations.expectComplete([receiver]);
    }
    const attempts = await stack.inspector.number('select count(*) from extraction_states where attempts <> 0');
    expect(attempts).toBe(0);
  });
});
