import { execFileSync } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { eventually, startModelServer, tolerableModes, type ModelServer } from '@turnkeeper/testing';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { turn, type Api } from './harness/api.js';
import { NODE, runCli, startApp } from './harness/child-process.js';
import { Conversations } from './harness/conversations.js';
import { startReceiver, type Receiver } from './harness/receiver.js';
import { Stack } from './harness/stack.js';

const DEADLINE_SECONDS = 5;
const CLEAN = { code: 0, signal: null };

describe('SIGTERM', () => {
  let model: ModelServer;
  let receiver: Receiver;
  let stack: Stack;
  /** How long they take to answer. */
  const slowness = { model: 0, receiver: 0 };

  beforeAll(async () => {
    model = await startModelServer();
    model.behave(async (request, reply) => {
      await pause(slowness.model);
      tolerableModes.honest(request, reply);
    });
    receiver = await startReceiver(async () => {
      await pause(slowness.receiver);
      return 204;
    });
    stack = await Stack.start({
      ingests: 2,
      settings: {
        LLM_BASE_URL: model.url,
        LLM_MODEL: 'stub',
        SHUTDOWN_DEADLINE_SECONDS: String(DEADLINE_SECONDS),
      },
    });
    await stack.api.createEndpoint(receiver.url);
  });
  afterAll(async () => {
    await stack?.stop();
    await Promise.all([model?.close(), receiver?.close()]);
  });

  const endWorker = async (): Promise<void> => {
    const startedAt = performance.now();
    expect(await stack.worker!.end('SIGTERM')).toEqual(CLEAN);
    expect(performance.now() - startedAt).toBeLessThan(DEADLINE_SECONDS * 1_000);
  };

  it('lets the worker finish work in progress; the next one does the rest', async () => {
    const conversations = await Conversations.in(stack);
    Object.assign(slowness, { model: 700, receiver: 700 });
    await conversations.hold('call', 8);
    await eventually(() => model.requests.length > 2 && receiver.received.length > 2, { what: 'work is under way' });
    await endWorker();
    const leased = `select count(*) from extraction_states where lease_until > now()`;
    expect(await stack.inspector.number(leased)).toBe(0);

    Object.assign(slowness, { model: 0, receiver: 0 });
    await stack.startWorker();
    await conversations.expectComplete([receiver]);
    // Nothing was sent twice: no attempt was cut off.
    expect(receiver.received).toHaveLength(8);
  });

  it('cuts off work that takes too long; the next worker does it', async () => {
    const conversations = await Conversations.in(stack);
    slowness.model = 60_000;
    const asked = model.requests.length;
    await conversations.hold('endless call', 3);
    await eventually(() => model.requests.length > asked, { what: 'the model is asked' });
    await endWorker();

    slowness.model = 0;
    await stack.startWorker();
    await conversations.expectComplete([receiver]);
  });

  it('lets ingest answer the requests it has accepted, and nothing more', async () => {
    const { id: memoryId } = await stack.api.createMemory({});
    const leaving = stack.ingests[1]!;
    const api = stack.apiOf(leaving);
    const session = { memoryId, actorId: 'ada', sessionId: 'thread' };
    await api.append(session, turn('user', 'well before'));
    const release = await holdLog(stack.inspector.databaseUrl);
    const answers = Promise.all(
      Array.from({ length: 20 }, (_, index) => api.append(session, turn('user', `message ${index}`))),
    );
    await waitingForLog(stack, api);

    const exit = leaving.end('SIGTERM');
    await eventually(async () => (await reach(leaving.url)) === 'refused', { what: 'no new connection is taken' });
    await release();
    const appended = await answers;
    expect(appended.map(({ sequence }) => sequence).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 20 }, (_, index) => index + 2),
    );
    expect(await exit).toEqual(CLEAN);
    expect(await stack.api.history(session)).toHaveLength(21);
    stack.ingests.splice(1);
  });

  it('ends a process whose NATS and queue are down', async () => {
    const settings = { ...stack.settings, NATS_URL: 'nats://127.0.0.1:9', QUEUE_URL: 'redis://127.0.0.1:9' };
    const start = async (app: 'ingest' | 'worker'): Promise<void> => {
      const name = app.toUpperCase();
      const child = startApp(app, [], { ...settings, [`${name}_HOST`]: '127.0.0.1', [`${name}_PORT`]: '0' });
      await eventually(() => child.output().includes(`${app}.started`), { withinMs: 30_000, what: `${app} runs` });
      expect(await child.end('SIGTERM')).toEqual(CLEAN);
      // The last line is written, too.
      expect(child.output()).toContain('process.stopped');
    };
    await Promise.all([start('ingest'), start('worker')]);
  });

  it('serves health and metrics only on the separate port, if one is set', async () => {
    const child = startApp('ingest', [], { ...stack.settings, INGEST_PORT: '0', INGEST_OPERATIONS_PORT: '0' });
    const line = (): string =>
      child
        .output()
        .split('\n')
        .find((each) => each.includes('ingest.started')) ?? '';
    await eventually(() => line() !== '', { withinMs: 90_000, what: 'ingest runs' });
    const { url, operationsUrl } = JSON.parse(line()) as { url: string; operationsUrl: string };
    const statusOf = async (at: string): Promise<number> => (await fetch(at)).status;
    for (const path of ['/livez', '/readyz', '/metrics']) {
      expect([path, await statusOf(operationsUrl + path), await statusOf(url + path)]).toEqual([path, 200, 404]);
    }
    expect(await statusOf(`${operationsUrl}/openapi.json`)).toBe(404);
    // Says on which Node the processes of this run are.
    const version = execFileSync(NODE, ['--version'], { encoding: 'utf8' }).trim();
    expect(await (await fetch(`${operationsUrl}/metrics`)).text()).toContain(
      `nodejs_version_info{version="${version}"`,
    );
    expect(await child.end('SIGTERM')).toEqual(CLEAN);
  });
});

describe('a process with invalid configuration', () => {
  const FAILED = { code: 1, signal: null };
  const outputs = (settings: Record<string, string>): Promise<string[]> =>
    Promise.all(
      (['ingest', 'worker'] as const).map(async (app) => {
        const child = startApp(app, [], settings);
        expect(await child.exited).toEqual(FAILED);
        return child.output();
      }),
    );

  it('names the missing setting', async () => {
    for (const output of await outputs({})) expect(output).toContain('DATABASE_URL');
  });

  it('names every invalid setting, and shows no value', async () => {
    const wrong = {
      DATABASE_URL: 'mysql://root:hunter2@127.0.0.1/',
      INGEST_PORT: 'hunter2',
      QUEUE_URL: 'http://:hunter2@127.0.0.1/',
      EXTRACTION_TURN_INTERVAL: '0',
    };
    for (const output of await outputs(wrong)) {
      for (const name of Object.keys(wrong)) expect(output).toContain(name);
      expect(output).not.toContain('hunter2');
    }
  });

  it('reports that it cannot reach its database, and hides the password', async () => {
    const settings = { DATABASE_URL: 'postgres://nobody:hunter2@127.0.0.1:9/none', SECRETS_AT_REST: 'plaintext' };
    for (const output of await outputs(settings)) {
      expect(output).toContain('ECONNREFUSED');
      expect(output).not.toContain('hunter2');
    }
  });

  it('refuses to store secrets in plain text by default', async () => {
    for (const output of await outputs({ DATABASE_URL: 'postgres://nobody@127.0.0.1:9/none' })) {
      expect(output).toContain('SECRETS_KEY is required');
    }
  });

  it('the command line prints its usage, and fails', async () => {
    const { code, output } = await runCli(['explode'], 'postgres://127.0.0.1:9/none');
    expect(code).toBe(2);
    expect(output).toContain('Usage: turnkeeper');
  });
});

/** Log writers take this advisory lock first (`append_batch`), so holding it blocks them. */
const holdLog = async (databaseUrl: string): Promise<() => Promise<void>> => {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query('select pg_advisory_lock(1414877774, 0)');
  return () => client.end();
};

/** The requests have reached the process: one waits for the lock, and the data on its sockets has been read. */
const waitingForLog = async (stack: Stack, api: Api): Promise<void> => {
  const waiting = `select count(*) from pg_locks l join pg_database d on d.oid = l.database
    where d.datname = current_database() and l.locktype = 'advisory' and not l.granted`;
  await eventually(async () => (await stack.inspector.number(waiting)) > 0, { what: 'an append waits' });
  for (let round = 0; round < 3; round += 1) await api.request('GET', '/livez');
};

const reach = (url: string): Promise<'answered' | 'refused'> =>
  fetch(`${url}/livez`, { headers: { connection: 'close' } }).then(
    () => 'answered' as const,
    () => 'refused' as const,
  );
