import { breakingProxy, startModelServer, tolerableModes, eventually, type ModelServer } from '@turnkeeper/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Conversations } from './harness/conversations.js';
import { startReceiver, type Receiver } from './harness/receiver.js';
import { isReady, type Service } from './harness/service.js';
import { Stack } from './harness/stack.js';

/** The default lease lasts 5 s; then the work is claimed again. */
const TAKEN_OVER_MS = 25_000;

describe('a worker that is lost during an extraction', () => {
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
      // It wakes up holding work that others have done meanwhile.
      process.kill(lost.pid, 'SIGCONT');
      expect((await lost.end('SIGTERM')).code).toBe(0);
      await conversations.expectComplete([receiver]);
    }
    const attempts = await stack.inspector.number('select count(*) from extraction_states where attempts <> 0');
    expect(attempts).toBe(0);
  });

  it('with a silent path to Postgres is not ready, and continues when the path is back', async () => {
    await (stack.worker as Service).end('SIGTERM');
    const settings = stack.settings as Record<string, string>;
    const proxy = await breakingProxy(stack.inspector.databaseUrl);
    settings['DATABASE_URL'] = proxy.url;
    try {
      const worker = await stack.startWorker();
      const conversations = await Conversations.in(stack);
      await conversations.hold('before the silence', 2, { turns: 6 });
      await conversations.expectComplete([receiver]);
      proxy.silence();
      await conversations.hold('during the silence', 6, { turns: 6 });
      await eventually(async () => !(await isReady(worker.url)), { withinMs: 30_000, what: 'it is not ready' });
      expect(await livesIn(worker.url)).toBe(true);
      proxy.mend();
      await eventually(() => isReady(worker.url), { withinMs: 60_000, what: 'it is ready again' });
      await conversations.expectComplete([receiver]);
    } finally {
      proxy.mend();
      settings['DATABASE_URL'] = stack.inspector.databaseUrl;
      await stack.worker?.end('SIGTERM');
      stack.worker = null;
      await proxy.close();
    }
  });
});

const livesIn = async (url: string): Promise<boolean> => (await fetch(`${url}/livez`)).status === 200;
