import { eventually } from '@turnkeeper/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventsPath, turn, type Session } from './harness/api.js';
import { Stack } from './harness/stack.js';

const SENTENCE = 'I like tea with lemon. My sister Ann lives in Hue. We went to the sea in May. ';
const LONG = SENTENCE.repeat(Math.floor(99_000 / SENTENCE.length));

/** Base64 of 3 MiB. */
const BINARY = 'QUFB'.repeat(1_048_576);
const BINARIES = 24;
const SESSIONS = 8;
/** All binaries of one session fit once, those of four lists or eight windows do not. */
const SMALL_HEAP = { NODE_OPTIONS: '--max-old-space-size=512' };

describe('a tenant that takes as much as it can, with a heap of 512 MB per process', () => {
  let stack: Stack;
  beforeAll(async () => {
    stack = await Stack.start({ settings: SMALL_HEAP });
  });
  afterAll(() => stack?.stop());

  it('kills no process with binaries of 4 MB', async () => {
    const { worker } = stack;
    const [ingest] = stack.ingests;
    const exits: string[] = [];
    for (const service of [ingest!, worker!]) void service.exited.then(() => exits.push(service.app));
    const heavy = stack.apiOf(ingest!, await stack.createKey({ tenant: 'binaries' }));
    const strategy = { name: 'facts', type: 'SEMANTIC', namespaceTemplate: '/facts' };
    const memory = await heavy.createMemory({ longTermMemoryStrategies: [strategy] });
    const sessions = Array.from({ length: SESSIONS }, (_, index) => ({
      memoryId: memory.id,
      actorId: 'ada',
      sessionId: `call ${index}`,
    }));
    const binary = { payload: { type: 'BINARY', binaryData: BINARY } };
    for (const session of sessions) await heavy.append(session, binary);
    // Copied in the database: sending them takes longer and proves nothing more.
    await stack.inspector.rows(
      `insert into events (partition, position, event_id, tenant_id, memory_id, session_key, sequence, type,
                           schema_version, data, recorded_at, expires_at)
       select 0, (select max(position) from events) + row_number() over (), gen_random_uuid(), e.tenant_id, e.memory_id,
              e.session_key, e.sequence + n, e.type, e.schema_version, e.data, e.recorded_at, e.expires_at
         from events e cross join generate_series(1, $2::int) n
        where e.memory_id = $1 and e.type = 'binary.appended'`,
      [memory.id, BINARIES - 1],
    );
    for (const session of sessions) await heavy.append(session, turn('user', 'I moved to Hue.'));

    const lists = await Promise.all(
      sessions
        .slice(0, 4)
        .map((session) => heavy.request<{ totalItem: number }>('GET', `${eventsPath(session)}?size=100`)),
    );
    expect(lists.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(lists.map(({ body }) => body.totalItem)).toEqual([25, 25, 25, 25]);
    await eventually(
      async () => {
        expect(exits).toEqual([]);
        const read = `select count(*) from extraction_states
          where memory_id = $1 and watermark = ${BINARIES + 1} and status = 'idle'`;
        return (await stack.inspector.number(read, [memory.id])) === SESSIONS;
      },
      { withinMs: 60_000, what: () => `all sessions are read:\n${worker!.output()}` },
    );
    expect(exits).toEqual([]);
    await heavy.request('DELETE', `/memory/memories/${memory.id}`);
  });

  it('whose text takes minutes of CPU delays neither the worker nor another tenant; its work ends when its memory is deleted', async () => {
    const heavy = stack.apiOf(stack.ingests[0]!, await stack.createKey({ tenant: 'heavy' }));
    const strategy = { name: 'facts', type: 'SEMANTIC', namespaceTemplate: '/facts' };
    const memory = await heavy.createMemory({ longTermMemoryStrategies: [strategy] });
    for (let message = 0; message < 50; message += 1) {
      const session: Session = { memoryId: memory.id, actorId: 'ada', sessionId: `call ${message % 12}` };
      await heavy.append(session, turn('user', LONG));
    }
    const running = () =>
      stack.inspector.number('select count(*) from extraction_states where memory_id = $1 and lease_until > now()', [
        memory.id,
      ]);
    await eventually(async () => (await running()) > 0, { withinMs: 20_000, everyMs: 20, what: 'it is read' });

    const other = await stack.api.createMemory({ longTermMemoryStrategies: [strategy] });
    await stack.api.append({ memoryId: other.id, actorId: 'eve', sessionId: 'one' }, turn('user', 'I moved to Hue.'));
    const records = () => stack.inspector.number('select count(*) from records where memory_id = $1', [other.id]);
    await eventually(
      async () => {
        const alive = await fetch(`${stack.worker!.url}/livez`, { signal: AbortSignal.timeout(1_000) });
        expect(alive.status).toBe(200);
        return (await records()) > 0;
      },
      { withinMs: 20_000, everyMs: 50, what: 'the record of the other tenant' },
    );
    expect(await running()).toBeGreaterThan(0);

    await heavy.request('DELETE', `/memory/memories/${memory.id}`);
    await eventually(async () => (await running()) === 0, {
      withinMs: 15_000,
      everyMs: 50,
      what: 'its work has ended',
    });
  });
});
