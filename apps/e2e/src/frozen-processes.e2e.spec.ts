import { eventually } from '@turnkeeper/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { eventsPath, turn, type Api, type Session } from './harness/api.js';
import { cliOutput, runCli, startApp } from './harness/child-process.js';
import { tilingFaults } from './harness/database.js';
import type { Service } from './harness/service.js';
import { Stack } from './harness/stack.js';

const WRITERS = 4;
/** Pause between two appends of a writer: a steady load that leaves little to compare afterwards. */
const PAUSE_MS = 20;
/** Longer than a transaction can be idle (2 s), so that a frozen process loses its locks. */
const FROZEN_MS = 3_000;
/** How long others can be delayed by a frozen process. */
const AT_MOST_MS = 2_000;
const NAMESPACE = '/all';

/** Appends at a steady rate until stopped, and records what was acknowledged and the maximum latency. */
class Writers {
  readonly acknowledged: string[] = [];
  private longest = 0;
  private readonly pending = new Map<number, number>();
  private stopping = false;
  private readonly work: Promise<unknown>;

  constructor(
    private readonly api: Api,
    private readonly session: Session,
  ) {
    this.work = Promise.all(Array.from({ length: WRITERS }, (_, writer) => this.write(writer)));
  }

  /** The slowest response during this time, including requests still pending. */
  async slowestDuring(ms: number): Promise<number> {
    this.longest = 0;
    await new Promise((resolve) => setTimeout(resolve, ms));
    return Math.max(this.longest, ...[...this.pending.values()].map((started) => performance.now() - started));
  }

  async stop(): Promise<void> {
    this.stopping = true;
    await this.work;
  }

  private async write(writer: number): Promise<void> {
    for (let number = 0; !this.stopping; number += 1) {
      const text = `${this.session.sessionId}: message ${writer}.${number}`;
      await this.insist(writer, text);
      this.acknowledged.push(text);
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  }

  /** Retries with the same key until acknowledged. */
  private async insist(writer: number, text: string): Promise<void> {
    const parts = { body: turn('user', text), headers: { 'idempotency-key': text.replaceAll(/\W+/g, '-') } };
    for (;;) {
      const started = performance.now();
      this.pending.set(writer, started);
      const { status } = await this.api.request('POST', eventsPath(this.session), parts);
      this.pending.delete(writer);
      this.longest = Math.max(this.longest, performance.now() - started);
      if (status === 200) return;
      expect(status).toBe(503);
    }
  }
}

describe('a frozen process', () => {
  let stack: Stack;
  let memoryId: string;
  let frozen: Service;
  let other: Service;
  beforeAll(async () => {
    stack = await Stack.start({ ingests: 2 });
    [frozen, other] = stack.ingests as [Service, Service];
    const strategies = [{ name: 'facts', type: 'SEMANTIC', namespaceTemplate: NAMESPACE }];
    memoryId = (await stack.api.createMemory({ longTermMemoryStrategies: strategies })).id;
  });
  afterAll(() => stack?.stop());

  const started: Writers[] = [];
  const writing = (ingest: Service, to: Session): Writers => {
    const writers = new Writers(stack.apiOf(ingest), to);
    started.push(writers);
    return writers;
  };
  afterEach(() => Promise.all(started.splice(0).map((writers) => writers.stop())));

  const session = (sessionId: string): Session => ({ memoryId, actorId: 'ada', sessionId });
  const texts = async (of: Session): Promise<string[]> =>
    (await stack.apiOf(other).history(of)).map(({ payload }) => payload.message as string).sort();
  const isStored = async (writers: Writers, of: Session): Promise<void> =>
    expect(await texts(of)).toEqual([...writers.acknowledged].sort());

  /** Appends through the other ingest while the process is frozen. */
  const freeze = async (pid: number, writers: Writers): Promise<void> => {
    process.kill(pid, 'SIGSTOP');
    try {
      const before = writers.acknowledged.length;
      expect(await writers.slowestDuring(FROZEN_MS)).toBeLessThan(AT_MOST_MS);
      expect(writers.acknowledged.length).toBeGreaterThan(before);
    } finally {
      process.kill(pid, 'SIGCONT');
    }
  };

  it('as an ingest that appends and imports does not block another one, and causes no gaps or duplicates', async () => {
    const [here, there] = [session('frozen ingest'), session('other ingest')];
    const through = { frozen: writing(frozen, here), other: writing(other, there) };
    await eventually(() => through.frozen.acknowledged.length > 20, { withinMs: 20_000 });
    const file = transferFile(1_000);
    const importing = fetch(`${frozen.url}/v1/memories:import?ids=new`, {
      method: 'POST',
      headers: { authorization: `Bearer ${stack.api.apiKey}`, 'content-type': 'application/x-ndjson' },
      body: file,
    });
    const imported = `select count(*) from events e where e.memory_id <> '${memoryId}' and e.session_key is not null`;
    await eventually(async () => (await stack.inspector.number(imported)) > 0, { withinMs: 20_000 });
    await freeze(frozen.pid, through.other);
    const answer = await importing;
    expect(await answer.json()).toMatchObject({ events: 1_000, records: 0 });
    expect(await stack.inspector.number(imported)).toBe(1_000);
    await Promise.all([through.frozen.stop(), through.other.stop()]);
    await isStored(through.frozen, here);
    await isStored(through.other, there);
  });

  it('as a worker that extracts does not block an ingest, and its work is extracted once', async () => {
    for (let index = 0; index < 40; index += 1) {
      const told = [1, 2, 3, 4, 5].map((n) => turn('user', `My dog is called Rex ${index}. I like tea number ${n}.`));
      await stack.api.appendBatch(session(`extracted ${index}`), told);
    }
    const reading = `select count(*) from extraction_states where lease_until is not null`;
    await eventually(async () => (await stack.inspector.number(reading)) > 0, { withinMs: 20_000, everyMs: 1 });
    const there = session('beside a frozen worker');
    const writers = writing(other, there);
    await freeze(stack.worker!.pid, writers);
    await writers.stop();
    await isStored(writers, there);
    await stack.api.untilExtracted(memoryId);
    const found = (await stack.api.records(memoryId, NAMESPACE)).map(({ memory }) => memory);
    expect(new Set(found).size).toBe(found.length);
    expect(found.length).toBeGreaterThan(0);
    const { inspector } = stack;
    const ranges = await inspector.extractedRanges(memoryId);
    expect(tilingFaults(ranges, await inspector.newestSequences(memoryId))).toEqual([]);
  });

  it('as a rebuild does not block an ingest, and a later rebuild finds no drift', async () => {
    const there = session('beside a frozen rebuild');
    const writers = writing(other, there);
    const cli = startApp('cli', ['rebuild'], { DATABASE_URL: stack.inspector.databaseUrl });
    const begun = new Promise<void>((resolve) => cli.onLine((line) => line.startsWith('Position') && resolve()));
    await begun;
    await freeze(cli.pid, writers);
    await cli.exited; // It can lose its transaction: then it reports that, and nothing has changed.
    await writers.stop();
    await isStored(writers, there);
    await stack.api.untilExtracted(memoryId);
    const check = await runCli(['rebuild', '--check'], stack.inspector.databaseUrl);
    expect(check.code, check.output).toBe(0);
    const audit = JSON.parse(await cliOutput(['log', 'audit', '--json'], stack.inspector.databaseUrl)) as unknown;
    expect(audit).toMatchObject({ findings: [] });
  });
});

const transferFile = (events: number): string => {
  const at = '2026-01-01T00:00:00.000Z';
  const id = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
  const lines: unknown[] = [
    { kind: 'memory', format: 1, memoryId: id(0), name: 'moves', description: '', eventExpiryDuration: 30 },
  ];
  for (let n = 1; n <= events; n += 1) {
    const data = { payloadType: 'CONVERSATIONAL', role: 'user', content: `moved ${n}` };
    const place = { actorId: 'ben', sessionId: `session ${n % 10}`, eventId: id(n), at };
    lines.push({ kind: 'event', type: 'message.appended', ...place, data });
  }
  lines.push({ kind: 'end', events, records: 0 });
  return `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`;
};
