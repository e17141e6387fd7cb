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
const LANES = 4;
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
  let acknowledgedOfAll = 0;

  const race = async (number: number): Promise<void> => {
    const { agentId } = await one.start(memoryId, number, AT_ONCE);
    const acknowledged = new Map<string, Awaited<ReturnType<AgentCalls['say']>>>();
    let stopped = number % 2 === 0 ? other.stop(agentId) : null;
    // Each lane appends until it is refused, so the stop meets appends in flight however fast either process is.
    const appendUntilRefused = async (lane: number): Promise<void> => {
      for (let index = 0; ; index += 1) {
        const content = `message ${number}.${lane}.${index}`;
        try {
          acknowledged.set(content, await one.say(agentId, content));
        } catch (refusal) {
          expect(refusal).toBeInstanceOf(AgentNotRunning);
          return;
        }
        stopped ??= other.stop(agentId);
      }
    };
    await Promise.all(Array.from({ length: LANES }, (_, lane) => appendUntilRefused(lane)));
    const ended = await stopped;
    acknowledgedOfAll += acknowledged.size;
    // The source of a history, the stop webhook and event 103.
    const history = await historyOfAgent(one.stores.eventStore, ended!);
    expect(history.flatMap(({ data }) => ('content' in data ? [data.content] : [])).sort()).toEqual(
      [...acknowledged.keys()].sort(),
    );
    await expect(one.say(agentId, `late ${number}`)).rejects.toThrow(AgentNotRunning);
    for (const [content, answer] of [...acknowledged].slice(0, 1)) {
      expect(await other.say(agentId, content)).toEqual(answer);
    }
  };

  for (let first = 0; first < RACES; first += AT_ONCE) {
    await Promise.all(Array.from({ length: AT_ONCE }, (_, index) => race(first + index)));
  }
  // The odd races are stopped after their first acknowledged message.
  expect(acknowledgedOfAll).toBeGreaterThanOrEqual(RACES / 2);
}, 300_000);
