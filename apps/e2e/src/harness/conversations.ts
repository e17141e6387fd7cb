import { expect } from 'vitest';
import { eventually } from '@turnkeeper/testing';
import { turn, type Session } from './api.js';
import { tilingFaults } from './database.js';
import { header, jsonOf, type Receiver } from './receiver.js';
import type { Stack } from './stack.js';

const NAMESPACE = '/all';
const BATCH = 10;

/**
 * Conversations with known facts: a correct stub model finds exactly the planted ones. Each has an agent that stops at
 * the end. This defines what must exist once everything has arrived.
 */
export class Conversations {
  private readonly expected = new Map<string, { readonly eventId: string; readonly quote: string }>();
  private readonly agents: string[] = [];

  private constructor(
    private readonly stack: Stack,
    readonly memoryId: string,
  ) {}

  static async in(stack: Stack): Promise<Conversations> {
    const memory = await stack.api.createMemory({
      longTermMemoryStrategies: [{ name: 'facts', type: 'SEMANTIC', namespaceTemplate: NAMESPACE }],
    });
    return new Conversations(stack, memory.id);
  }

  get factCount(): number {
    return this.expected.size;
  }

  /** Holds this many conversations, some concurrently; each has `turns` turns of user and assistant. */
  async hold(prefix: string, count: number, { turns = 30, atOnce = 4 } = {}): Promise<void> {
    let next = 0;
    const speaker = async (): Promise<void> => {
      while (next < count) await this.holdOne(`${prefix} ${next++}`, turns);
    };
    await Promise.all(Array.from({ length: atOnce }, speaker));
  }

  /** Number of records so far. */
  recordCount(): Promise<number> {
    return this.stack.inspector.number('select count(*) from records where memory_id = $1', [this.memoryId]);
  }

  /** Resolves when there are this many records. */
  async untilRecords(count: number, withinMs: number): Promise<void> {
    await eventually(async () => (await this.recordCount()) >= count, {
      withinMs,
      everyMs: 10,
      what: `${count} records`,
    });
  }

  /** Waits for everything to arrive, then checks that nothing is missing, duplicated or parked. */
  async expectComplete(receivers: readonly Receiver[], withinMs = 60_000): Promise<void> {
    const { api, inspector } = this.stack;
    await api.untilExtracted(this.memoryId, withinMs);
    const ranges = await inspector.extractedRanges(this.memoryId);
    expect(tilingFaults(ranges, await inspector.newestSequences(this.memoryId))).toEqual([]);

    const records = await api.records(this.memoryId, NAMESPACE);
    const found = records.map(({ memory, sources }) => [
      memory,
      sources.map(({ eventId, quote }) => ({ eventId, quote })),
    ]);
    const planted = [...this.expected].map(([text, source]) => [text, [source]]);
    expect(found.sort(byText)).toEqual(planted.sort(byText));

    for (const receiver of receivers) await this.expectWebhooks(receiver, withinMs);
    expect(await inspector.number('select count(*) from parked_items')).toBe(0);
    expect(await inspector.number(`select count(*) from webhook_deliveries where status <> 'delivered'`)).toBe(0);
  }

  /** One message id per agent stop, however often it was sent, with the same bytes each time. */
  private async expectWebhooks({ received }: Receiver, withinMs: number): Promise<void> {
    const bodies = new Map<string, string>();
    const byAgent = new Map<string, Set<string>>();
    const read = (): number => {
      for (const webhook of received) {
        const { agentId, memoryId } = jsonOf<{ data: { agentId: string; memoryId: string } }>(webhook).data;
        if (memoryId !== this.memoryId) continue;
        const id = header(webhook, 'webhook-id');
        byAgent.set(agentId, (byAgent.get(agentId) ?? new Set()).add(id));
        const body = webhook.raw.toString('utf8');
        expect(bodies.get(id) ?? body).toBe(body);
        bodies.set(id, body);
      }
      return byAgent.size;
    };
    await eventually(() => read() >= this.agents.length, {
      withinMs,
      everyMs: 100,
      what: () => `webhooks of ${this.agents.length} agents; there are ${byAgent.size}`,
    });
    expect([...byAgent.keys()].sort()).toEqual([...this.agents].sort());
    for (const ids of byAgent.values()) expect(ids.size).toBe(1);
    await eventually(
      async () =>
        (await this.stack.inspector.number(`select count(*) from webhook_deliveries where status = 'pending'`)) === 0,
      { withinMs, everyMs: 50, what: 'no delivery is pending' },
    );
  }

  private async holdOne(name: string, turns: number): Promise<void> {
    const { api } = this.stack;
    const session: Session = { memoryId: this.memoryId, actorId: 'ada', sessionId: name };
    const { id: agentId } = await api.startAgent(session, name);
    const utterances = Array.from({ length: turns }, (_, index) => [
      { fact: `tells of thing ${name}/${index}`, body: turn('user', `Hm. FACT: tells of thing ${name}/${index}. So.`) },
      { fact: null, body: turn('assistant', 'I see.') },
    ]).flat();
    for (let at = 0; at < utterances.length; at += BATCH) {
      const batch = utterances.slice(at, at + BATCH);
      const appended = await api.appendBatch(
        session,
        batch.map(({ body }) => body),
      );
      batch.forEach(({ fact }, index) => {
        const { eventId } = appended[index]!;
        if (fact !== null) this.expected.set(`${fact}.`, { eventId, quote: `FACT: ${fact}.` });
      });
    }
    await api.stopAgent(agentId);
    this.agents.push(agentId);
  }
}

const byText = ([a]: readonly unknown[], [b]: readonly unknown[]): number => (String(a) < String(b) ? -1 : 1);
