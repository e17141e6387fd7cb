import { fork, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { CreateMemory, historyOfAgent } from '@turnkeeper/application';
import { createMemoryBody } from '@turnkeeper/contracts';
import { AgentNotRunning, type Agent } from '@turnkeeper/domain';
import { migrateDatabase } from '@turnkeeper/postgres';
import { createTestDatabase, type TestDatabase } from '@turnkeeper/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { IngestStores, type AgentCalls } from '../testing/agent-calls.js';

const RACES = 1_000;
const AT_ONCE = 20;
const APPENDS = 4;
const tenantId = randomUUID();

interface Answered {
  readonly id: number;
  readonly answer?: never;
  readonly failed?: { readonly message: string };
}

/** An ingest in a separate process. */
class OtherProcess implements AgentCalls {
  private readonly waiting = new Map<number, (answered: Answered) => void>();
  private calls = 0;

  private constructor(private readonly child: ChildProcess) {
    child.on('message', (answered: Answered) => this.waiting.get(answered.id)?.(answered));
  }

  static async start(databaseUrl: string): Promise<OtherProcess> {
    const script = fileURLToPath(new URL('../../test/ingest-process.mjs', import.meta.url));
    // Without this process's options, which belong to the test runner.
    const child = fork(script, [databaseUrl, tenantId], { execArgv: [] });
    const gone = once(child, 'exit').then(() => Promise.reject(new Error('The other process has ended.')));
    await Promise.race([once(child, 'message'), gone]);
    gone.catch(() => undefined);
    return new OtherProcess(child);
  }

  say(agentId: string, content: string): ReturnType<AgentCalls['say']> {
    return this.call('say', agentId, content);
  }

  stop(agentId: string): Promise<Agent> {
    return this.call('stop', agentId);
  }

  async end(): Promise<void> {
    const exited = once(this.child, 'exit');
    this.child.disconnect();
    await exited;
  }

  private async call<T>(call: keyof AgentCalls, ...values: readonly string[]): Promise<T> {
    const id = (this.calls += 1);
    const answered = new Promise<Answered>((resolve) => this.waiting.set(id, resolve));
    this.child.send({ id, call, values });
    const { answer, failed } = await answered;
    this.waiting.delete(id);
    if (failed !== undefined) throw new Error(failed.message);
    return answer as T;
  }
}

let database: TestDatabase;
let one: IngestStores;
let other: OtherProcess;
beforeAll(async () => {
  database = await createTestDatabase(migrateDatabase);
  one = await IngestStores.open(database.url, tenantId);
  other = await OtherProcess.start(database.url);
});
afterAll(async () => {
  await other?.end();
  await one?.close();
  await database?.drop();
});

it(`loses no acknowledged message in ${RACES} races of appends with a stop in another process`, async () => {
  const body = createMemoryBody.parse({ name: 'races' });
  const { memoryId } = (await new CreateMemory(one.stores).execute(tenantId, body)).memory;
  let refused = 0;

  const race = async (number: number): Promise<void> => {
    const { agentId } = await one.start(memoryId, number, AT_ONCE);
    const stopped = other.stop(agentId);
    const contents = Array.from({ length: APPENDS }, (_, index) => `message ${number}.${index}`);
    const appends = await Promise.allSettled(contents.map((content) => one.say(agentId, content)));
    const ended = await stopped;
    const acknowledged = contents.filter((_, index) => appends[index]?.status === 'fulfilled');
    for (const append of appends) {
      if (append.status === 'rejected') expect(append.reason).toBeInstanceOf(AgentNotRunning);
    }
    refused += APPENDS - acknowledged.length;
    // The source of a history, the stop webhook and event 103.
    const history = await historyOfAgent(one.stores.eventStore, ended);
    expect(history.flatMap(({ data }) => ('content' in data ? [data.content] : []))).toEqual(
      expect.arrayContaining(acknowledged),
    );
    expect(history).toHaveLength(acknowledged.length);
    await expect(one.say(agentId, `late ${number}`)).rejects.toThrow(AgentNotRunning);
    for (const [index, content] of contents.entries()) {
      const append = appends[index];
      if (append?.status !== 'fulfilled') continue;
      expect(await other.say(agentId, content)).toEqual(append.value);
      break;
    }
  };

  for (let first = 0; first < RACES; first += AT_ONCE) {
    await Promise.all(Array.from({ length: AT_ONCE }, (_, index) => race(first + index)));
  }
  // Otherwise there was no race.
  expect(refused).toBeGreaterThan(RACES / 20);
  expect(refused).toBeLessThan(RACES * APPENDS);
}, 300_000);
