import { eventually, ownNatsServer, startModelServer, type ModelServer, type OwnServer } from '@turnkeeper/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { turn } from './harness/api.js';
import { Conversations } from './harness/conversations.js';
import { ownQueueServer, type QueueServer } from './harness/queue-server.js';
import { startReceiver, type Receiver } from './harness/receiver.js';
import { Stack } from './harness/stack.js';

interface Readiness {
  readonly status: string;
  readonly dependencies: Readonly<Record<string, { readonly status: string; readonly required: boolean }>>;
}

describe('NATS and the job queue are copies', () => {
  let nats: OwnServer;
  let queue: QueueServer;
  let model: ModelServer;
  let receiver: Receiver;
  let stack: Stack;

  beforeAll(async () => {
    [nats, queue, model, receiver] = await Promise.all([
      ownNatsServer(),
      ownQueueServer(),
      startModelServer(),
      startReceiver(),
    ]);
    await nats.start();
    stack = await Stack.start({
      natsUrl: nats.url,
      queueUrl: queue.url,
      settings: { LLM_BASE_URL: model.url, LLM_MODEL: 'stub' },
    });
    await stack.api.createEndpoint(receiver.url);
  });
  afterAll(async () => {
    await stack?.stop();
    await Promise.all([nats?.dispose(), queue?.dispose(), model?.close(), receiver?.close()]);
  });

  const readiness = () => stack.api.request<Readiness>('GET', '/readyz');
  const natsIs = (state: string) =>
    eventually(async () => (await readiness()).body.dependencies['nats']?.status === state, {
      withinMs: 20_000,
      everyMs: 20,
      what: `NATS is seen ${state}`,
    });

  const workerSeesQueue = (state: string) =>
    eventually(
      async () => {
        const answer = (await (await fetch(`${stack.worker!.url}/readyz`)).json()) as Readiness;
        return answer.dependencies['queue']?.status === state;
      },
      { withinMs: 20_000, everyMs: 50, what: `the worker sees the queue ${state}` },
    );

  it('while both are down ingest is ready and accepts everything; it arrives when they are back', async () => {
    const conversations = await Conversations.in(stack);
    await conversations.hold('before', 2);
    await Promise.all([nats.kill(), queue.down()]);
    await natsIs('down');

    expect(await readiness()).toMatchObject({ status: 200, body: { status: 'degraded' } });
    await workerSeesQueue('down');
    await conversations.hold('during', 6);
    const late = await stack.startIngest(); // starts without NATS, too
    const session = { memoryId: conversations.memoryId, actorId: 'ada', sessionId: 'through the late one' };
    await stack.apiOf(late).append(session, turn('user', 'Nothing of note.'));
    expect((await readiness()).status).toBe(200);
    expect((await stack.api.extraction(conversations.memoryId)).caughtUp).toBe(false);

    await Promise.all([nats.start(), queue.up()]);
    await natsIs('up');
    await workerSeesQueue('up');
    await conversations.hold('after', 2);
    await conversations.expectComplete([receiver]);
  });

  it('frozen, they make the worker degraded within seconds, and its status page and log name them', async () => {
    const status = async () =>
      (await (await fetch(`${stack.worker!.url}/status`)).json()) as {
        status: string;
        version: string;
        dependencies: Record<string, { status?: string; lastFailure: unknown }>;
        installation: { migrations: { applied: number; newest: string }; lags: { follower: string }[] };
      };
    const bothAre = (wanted: string) =>
      eventually(
        async () => {
          const { nats: broker, queue: jobs } = (await status()).dependencies;
          return broker?.status === wanted && jobs?.status === wanted;
        },
        { withinMs: 60_000, everyMs: 100, what: `NATS and the queue are seen ${wanted}` },
      );
    await bothAre('up');
    nats.freeze();
    await queue.freeze();
    try {
      await bothAre('down');
      const seen = await status();
      expect(seen.status).toBe('degraded');
      for (const name of ['nats', 'queue']) {
        expect(seen.dependencies[name]).toMatchObject({ status: 'down', lastFailure: { reason: expect.any(String) } });
      }
      expect(seen.installation.migrations).toMatchObject({ applied: expect.any(Number), newest: expect.any(String) });
      expect(seen.installation.lags.map(({ follower }) => follower)).toContain('dispatcher');
      expect(stack.worker!.output()).toMatch(/"dependency":"queue".*"dependency.down"/);
      expect(stack.worker!.output()).toMatch(/"dependency":"nats".*"dependency.down"/);
    } finally {
      nats.thaw();
      await queue.thaw();
    }
    await bothAre('up');
  });

  it('wiped under load, they lose nothing', async () => {
    const conversations = await Conversations.in(stack);
    const held = conversations.hold('call', 24);
    for (const share of [0.1, 0.4, 0.7]) {
      await conversations.untilRecords(share * 24 * 30, 60_000);
      await nats.kill();
      await nats.wipe();
      await queue.wipe();
      await nats.start();
      await queue.wipe();
    }
    await held;
    await conversations.expectComplete([receiver]);
  });
});
