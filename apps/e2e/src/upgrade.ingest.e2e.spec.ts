import {
  createTestDatabase,
  releasedAnswers,
  restoreReleasedDatabase,
  testServers,
  type ReleasedAnswers,
  type TestDatabase,
} from '@turnkeeper/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Api } from './harness/api.js';
import { cliOutput, runCli } from './harness/child-process.js';
import { startService, type Service } from './harness/service.js';

/** What was heard of messages that the earlier release returned as they were generated, by their ids. */
const HEARD = new Map([['01a200ee-a469-716a-b62d-ff017f7adecf', 'Da Nang is a fine']]);

describe('a database of an earlier release', () => {
  let database: TestDatabase;
  let ingest: Service;
  let api: Api;
  let answers: ReleasedAnswers;
  /** The earlier release used one login for everything; now the services have their own. */
  const migrate = async (): Promise<void> => {
    const owner = { MIGRATION_DATABASE_URL: database.adminUrl };
    const { code, output } = await runCli(['migrate'], database.serviceUrl, owner);
    if (code !== 0) throw new Error(output);
  };

  beforeAll(async () => {
    answers = await releasedAnswers();
    database = await createTestDatabase();
    // Roles belong to the server and are not in a dump; migrating any database creates them.
    const other = await createTestDatabase();
    await cliOutput(['migrate'], other.url);
    await other.drop();
    await restoreReleasedDatabase(database.adminUrl);
    await migrate();
    const key = await cliOutput(['key', 'create', '--tenant', 'local', '--json'], database.adminUrl);
    ingest = await startService('ingest', {
      DATABASE_URL: database.serviceUrl,
      DURABLE_COMMITS: 'off',
      SECRETS_KEY: Buffer.alloc(32, 'k').toString('base64'),
      NATS_URL: testServers.nats(),
      NATS_STREAM: 'UPGRADE',
      NATS_SUBJECT_PREFIX: 'upgrade',
    });
    api = new Api(ingest.url, (JSON.parse(key) as { apiKey: string }).apiKey);
  });
  afterAll(async () => {
    await ingest?.end('SIGTERM');
    await database?.drop();
  });

  it('is migrated; a second run changes nothing', async () => {
    await migrate();
  });

  it('returns every session unchanged, but for a message that was interrupted: what was heard of it', async () => {
    for (const { id, sessions } of answers.memories) {
      for (const { actorId, sessionId, events } of sessions) {
        const history = await api.history({ memoryId: id, actorId, sessionId });
        const read = history.map((event) => {
          const payload = event.payload as { message?: string; binaryData?: string };
          return [event.id, event.sequence, payload.message ?? payload.binaryData];
        });
        expect(read).toEqual(events.map(([event, sequence, text]) => [event, sequence, HEARD.get(event) ?? text]));
      }
    }
  });

  it('returns every record with what superseded it and what it quotes', async () => {
    for (const memory of answers.memories) {
      const namespaces = [...new Set(memory.records.map(([namespace]) => namespace))];
      for (const namespace of namespaces) {
        const path = `/memory/memories/${memory.id}/memory-records?limit=1000&includeSuperseded=true&namespace=${encodeURIComponent(namespace)}`;
        const { body } = await api.request<
          { id: string; memory: string; supersededBy: string | null; sources: { quote: string }[] }[]
        >('GET', path);
        const read = body.map((record) => [
          namespace,
          record.id,
          record.memory,
          record.supersededBy,
          record.sources.map(({ quote }) => quote),
        ]);
        const expected = memory.records.filter((record) => record[0] === namespace);
        expect(read.sort(byId)).toEqual([...expected].sort(byId));
      }
    }
  });

  it('has its agents', async () => {
    for (const { agentId, name, status } of answers.agents) {
      const { body } = await api.request('GET', `/v1/agents/${agentId}`);
      // The released responses use the former names of the agent's id and state.
      expect(body).toMatchObject({ id: agentId, name, status: status.toLowerCase() });
    }
  });

  it('rebuilds to equal projections', async () => {
    const output = await cliOutput(['rebuild', '--check', '--json'], database.adminUrl);
    const report = JSON.parse(output.split('\n').find((line) => line.startsWith('{')) ?? '') as { drift: unknown[] };
    expect(report.drift).toEqual([]);
  });

  it('appends new events after the old ones', async () => {
    const { id } = answers.memories.find(({ name }) => name === 'front-desk') ?? { id: '' };
    const session = { memoryId: id, actorId: 'linh', sessionId: 'call-1' };
    const last = (await api.history(session)).at(-1)?.sequence ?? 0;
    const appended = await api.append(session, {
      payload: { type: 'CONVERSATIONAL', role: 'user', message: 'Back again.' },
    });
    expect(appended.sequence).toBe(last + 1);
  });
});

const byId = (a: readonly unknown[], b: readonly unknown[]): number => String(a[1]).localeCompare(String(b[1]));
