import { createHash, randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { eventually } from '@turnkeeper/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EndpointView, MemoryView } from './harness/answers.js';
import { turn } from './harness/api.js';
import { officialVerdicts } from './harness/official-verdicts.js';
import { jsonOf, startReceiver, type Received, type Receiver } from './harness/receiver.js';
import { Stack } from './harness/stack.js';

/** `WEBHOOK_FAULT_AGENTS=1000 WEBHOOK_FAULT_KILLS=10 npx vitest run --project e2e apps/e2e/src/webhook-faults` */
const AGENTS = Number(process.env['WEBHOOK_FAULT_AGENTS'] ?? 200);
const KILLS = Number(process.env['WEBHOOK_FAULT_KILLS'] ?? 4);
const AT_ONCE = 8;
/** Maximum attempts of one delivery that can fail; far below the sixteen of the schedule. */
const FAILING = 0.3;
const WITHIN_MS = 60_000 + AGENTS * 300;
/** The published library rejects anything older than five minutes, so it is called throughout. */
const VERIFY_EVERY_MS = 60_000;

interface Sink {
  readonly receiver: Receiver;
  readonly endpoint: EndpointView;
  readonly format: 'standard' | 'agora';
  /** Number of received webhooks accepted by the published library. */
  verified: number;
}

const idOf = ({ format }: Sink, webhook: Received): string =>
  format === 'standard' ? String(webhook.headers['webhook-id']) : jsonOf<{ noticeId: string }>(webhook).noticeId;
const agentOf = ({ format }: Sink, webhook: Received): string =>
  format === 'standard'
    ? jsonOf<{ data: { agentId: string } }>(webhook).data.agentId
    : jsonOf<{ payload: { agent_id: string } }>(webhook).payload.agent_id;

describe(`${AGENTS} agents that stop while the worker is killed ${KILLS} times and receivers fail at random`, () => {
  let stack: Stack;
  let memory: MemoryView;
  let sinks: Sink[];
  const agents: string[] = [];

  beforeAll(async () => {
    stack = await Stack.start({ settings: { WEBHOOK_TIMEOUT_SECONDS: '1' } });
    memory = await stack.api.createMemory({});
    const formats = ['standard', 'agora', 'standard'] as const;
    sinks = await Promise.all(
      formats.map(async (format) => {
        const receiver = await startReceiver(async () => {
          if (Math.random() >= FAILING) return 204;
          // Sometimes slower than the timeout: the answer arrives after the sender has given up.
          if (randomInt(10) === 0) await pause(1_200);
          return [500, 503, 429, 302][randomInt(4)]!;
        });
        return { receiver, format, endpoint: await stack.api.createEndpoint(receiver.url, { format }), verified: 0 };
      }),
    );
  });
  afterAll(async () => {
    await stack?.stop();
    await Promise.all((sinks ?? []).map(({ receiver }) => receiver.close()));
  });

  const runAgent = async (index: number): Promise<void> => {
    const session = { memoryId: memory.id, actorId: `user ${index}`, sessionId: 'call' };
    const { id: agentId } = await stack.api.startAgent(session, `agent ${index}`);
    await stack.api.appendBatch(session, [turn('user', `I am number ${index}.`), turn('assistant', 'So you are.')]);
    await stack.api.stopAgent(agentId);
    agents.push(agentId);
  };
  /** Skips the schedule's waits of minutes and days. */
  const passTime = () =>
    stack.inspector.rows(
      `update webhook_deliveries set due_at = now() where status = 'pending' and due_at > now() and lease_until is null`,
    );
  const verifyNew = async (): Promise<void> => {
    for (const sink of sinks.filter(({ format }) => format === 'standard')) {
      const fresh = sink.receiver.received.slice(sink.verified);
      const verdicts = await officialVerdicts(sink.endpoint.secret, fresh);
      expect(verdicts.filter((verdict) => verdict !== true)).toEqual([]);
      sink.verified += verdicts.length;
    }
  };
  const delivered = () => stack.inspector.number(`select count(*) from webhook_deliveries where status = 'delivered'`);

  it('reach every endpoint with one id and the same bytes on every attempt, and none is given up', async () => {
    let next = 0;
    const speaker = async (): Promise<void> => {
      while (next < AGENTS) await runAgent(next++);
    };
    const speaking = Promise.all(Array.from({ length: AT_ONCE }, speaker));
    const total = AGENTS * sinks.length;
    let kills = 0;
    let verifiedAt = Date.now();
    await eventually(
      async () => {
        await passTime();
        const count = await delivered();
        if (kills < KILLS && count >= ((kills + 0.5) / KILLS) * total) {
          kills += 1;
          await stack.killWorker();
          await stack.startWorker();
        }
        if (Date.now() - verifiedAt > VERIFY_EVERY_MS) {
          verifiedAt = Date.now();
          await verifyNew();
        }
        return count === total;
      },
      { withinMs: WITHIN_MS, everyMs: 200, what: `all ${total} deliveries are delivered` },
    );
    await speaking;
    expect(kills).toBe(KILLS);
    await verifyNew();
    for (const sink of sinks) expectExactlyOnce(sink);
    expect(await stack.inspector.number('select count(*) from webhook_deliveries')).toBe(total);
    expect(await stack.inspector.number('select count(*) from parked_items')).toBe(0);
  });

  const expectExactlyOnce = (sink: Sink): void => {
    const { received } = sink.receiver;
    const idsOfAgent = new Map<string, Set<string>>();
    const digests = new Map<string, Set<string>>();
    const add = (to: Map<string, Set<string>>, key: string, value: string) =>
      to.set(key, (to.get(key) ?? new Set()).add(value));
    for (const webhook of received) {
      const id = idOf(sink, webhook);
      add(idsOfAgent, agentOf(sink, webhook), id);
      add(digests, id, createHash('sha256').update(webhook.raw).digest('hex'));
    }
    expect([...idsOfAgent.keys()].sort()).toEqual([...agents].sort());
    expect([...idsOfAgent.values()].filter(({ size }) => size !== 1)).toEqual([]);
    expect([...digests.values()].filter(({ size }) => size !== 1)).toEqual([]);
    expect(digests.size).toBe(AGENTS);
    // The failures did occur.
    expect(received.length).toBeGreaterThan(AGENTS * (1 + FAILING / 2));
    if (sink.format === 'standard') expect(sink.verified).toBe(received.length);
  };
});
