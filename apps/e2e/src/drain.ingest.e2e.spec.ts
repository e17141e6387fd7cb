import { setTimeout as pause } from 'node:timers/promises';
import { eventually } from '@turnkeeper/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Api, turn } from './harness/api.js';
import { Balancer } from './harness/balancer.js';
import { startService, type Service } from './harness/service.js';
import { Stack } from './harness/stack.js';

/** Before connections were drained, three calls failed per swap. */
const SWAPS = 8;
const CLIENTS = 6;
/** Five polls of the balancer. */
const SHORT_DRAIN = { SHUTDOWN_DRAIN_SECONDS: '1' };

describe('swapping ingest processes behind a load balancer', () => {
  let stack: Stack;
  let balancer: Balancer;
  beforeAll(async () => {
    stack = await Stack.start({ worker: false, settings: SHORT_DRAIN });
    balancer = await Balancer.start();
  });
  afterAll(async () => {
    await balancer?.close();
    await stack?.stop();
  });

  const start = async (settings: Record<string, string> = {}): Promise<Service> => {
    const service = await startService('ingest', { ...stack.settings, ...settings });
    balancer.add(service.url);
    await eventually(() => balancer.uses(service.url), { what: 'the balancer uses the new process' });
    return service;
  };
  /** The successor serves before the predecessor gets SIGTERM, as in a rolling update. */
  const endWell = async (service: Service): Promise<void> => {
    expect(await service.end('SIGTERM'), service.output()).toEqual({ code: 0, signal: null });
  };

  it(`fails no call in ${SWAPS} swaps, one of them on the default drain`, async () => {
    const { id: memoryId } = await stack.api.createMemory({});
    const { SHUTDOWN_DRAIN_SECONDS: _short, ...defaults } = stack.settings;
    const onDefault = await startService('ingest', defaults);
    balancer.add(onDefault.url);
    let current = await start();
    const api = new Api(balancer.url, stack.api.apiKey);
    const failures: unknown[] = [];
    let [calls, done] = [0, false];
    const clients = Array.from({ length: CLIENTS }, async (_, client) => {
      while (!done) {
        const path = `/memory/memories/${memoryId}/actors/ada/sessions/${client}/events`;
        const answer = await api
          .request('POST', path, { body: turn('user', `call ${calls}`) })
          .catch((error: unknown) => ({ status: 0, body: String(error) }));
        calls += 1;
        if (answer.status !== 200) failures.push([calls, answer.status, answer.body]);
        await pause(5);
      }
    });
    const ends = [endWell(onDefault)];
    for (let swap = 1; swap < SWAPS; swap += 1) {
      const successor = await start();
      ends.push(endWell(current));
      current = successor;
    }
    await Promise.all(ends);
    done = true;
    await Promise.all(clients);
    await endWell(current);
    expect(failures).toEqual([]);
    expect(calls).toBeGreaterThan(SWAPS * CLIENTS);
  }, 300_000);
});
