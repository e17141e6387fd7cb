// The work next to which appends are measured. Reads the commands `prepare` and `run` from stdin, and answers each with
// a line of JSON. Usage: node other-work.mjs '{"name", "url", "databaseUrl", "apiKeys", "size", "seconds"}'
import { createInterface } from 'node:readline';
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { apiClient } from '../../tools/shared/api.mjs';
import { until } from '../../tools/shared/wait.mjs';
import { transferFile } from './transfer-file.mjs';

const { name, url, databaseUrl, apiKeys, size, seconds } = JSON.parse(process.argv[2]);
const LONG_MS = 600_000;
const MAX_RECORDS = 1_000;
const BATCH = 100;
const AT_ONCE = 4;
const tenants = apiKeys.map((key) => ({ key, api: apiClient({ url, key, timeoutMs: LONG_MS }) }));
const [{ api }] = tenants;
const database = new pg.Client({ connectionString: databaseUrl });
await database.connect();

const count = (number) => number.toLocaleString('en-US');
const memoryOf = async (
  client,
  strategies = [{ name: 'facts', type: 'SEMANTIC', namespaceTemplate: '/of/{actorId}' }],
) => (await client.post('/memory/memories', { name: 'beside', longTermMemoryStrategies: strategies })).id;
const facts = (number) => Array.from({ length: number }, () => `The parcel ${randomUUID()} is on its way.`);
const insert = (memoryId, actorId, number) =>
  api.post(
    `/memory/memories/${memoryId}/memory-records:insert-directly?namespace=${encodeURIComponent(`/of/${actorId}`)}`,
    { memoryRecords: facts(number) },
  );
const said = (message) => ({ payload: { type: 'CONVERSATIONAL', role: 'user', message } });
const append = (client, memoryId, session, events) =>
  client.post(`/memory/memories/${memoryId}/actors/crowd/sessions/${session}/events`, { events });

/** Runs the work for every number below this one, some concurrently. */
const each = async (number, work, atOnce = AT_ONCE) => {
  let next = 0;
  const one = async () => {
    while (next < number) await work(next++);
  };
  await Promise.all(Array.from({ length: atOnce }, one));
};
/** Repeats the work, some concurrently, for the time of a measurement. */
const repeat = async (work, atOnce) => {
  const end = performance.now() + seconds * 1_000;
  let done = 0;
  await Promise.all(
    Array.from({ length: atOnce }, async (_, index) => {
      while (performance.now() < end) {
        await work(index);
        done += 1;
      }
    }),
  );
  return done;
};

/** Two tenants, because one alone cannot use all 16 of a worker's extractions. */
const extraction = () => {
  const memories = [];
  const set = (values, where) =>
    database.query(`update extraction_states set ${values} where memory_id = any($1) ${where}`, [memories]);
  const unread = async (where) =>
    Number(
      (
        await database.query(
          `select count(*) from extraction_states where memory_id = any($1) and watermark = 0 ${where}`,
          [memories],
        )
      ).rows[0].count,
    );
  return {
    prepare: async () => {
      memories.length = 0;
      for (const tenant of tenants) memories.push(await memoryOf(tenant.api));
      // Fewer turns than make a session due immediately, so it waits until all of them exist.
      const turns = [0, 1, 2, 3].map((n) =>
        said(`I moved to Hue in ${2_000 + n}. I like tea number ${n}. My cat is called Rex ${n}.`),
      );
      await each(size.sessions, (n) => append(tenants[n % 2].api, memories[n % 2], `session-${n}`, turns));
      await until('the sessions', async () => (await unread('')) === size.sessions, { timeoutMs: LONG_MS });
      await set(`status = 'idle', due_at = null`, 'and watermark = 0');
    },
    run: async () => {
      await set(`status = 'waiting', due_at = now() - interval '1 hour'`, 'and watermark = 0');
      // Rarely, because it counts all sessions.
      await until('the extractions', async () => (await unread('')) === 0, { timeoutMs: LONG_MS, everyMs: 250 });
      return `${count(size.sessions)} sessions extracted`;
    },
  };
};

const inserts = () => {
  let memoryId;
  return {
    prepare: async () => void (memoryId = await memoryOf(api)),
    run: async () => {
      const done = await repeat((index) => insert(memoryId, `actor-${index}`, size.inserted), AT_ONCE);
      return `${count(done * size.inserted)} records inserted, ${count(size.inserted)} per request`;
    },
  };
};

const importing = () => {
  const file = transferFile({ events: size.imported, records: size.imported / 10 });
  return {
    prepare: async () => undefined,
    run: async () => {
      const done = await repeat(async () => {
        const response = await fetch(`${url}/v1/memories:import?ids=new`, {
          method: 'POST',
          headers: { authorization: `Bearer ${tenants[0].key}`, 'content-type': 'application/x-ndjson' },
          body: file,
          signal: AbortSignal.timeout(LONG_MS),
        });
        const answer = await response.text();
        if (!response.ok) throw new Error(`The import was refused: ${response.status} ${answer.slice(0, 500)}`);
      }, 1);
      return `${done} imports of ${count(size.imported)} events and ${count(size.imported / 10)} records`;
    },
  };
};

const erasure = () => {
  let memoryId;
  return {
    prepare: async () => {
      memoryId = await memoryOf(api);
      const per = Math.min(MAX_RECORDS, size.erased);
      await each(size.erased / per, () => insert(memoryId, 'crowd', per), 1);
    },
    run: async () => {
      const receipt = await api.remove(`/memory/memories/${memoryId}/actors/crowd`);
      const { rows } = await database.query('select count(*) from records where memory_id = $1', [memoryId]);
      if (Number(rows[0].count) > 0) throw new Error(`Records are left: ${JSON.stringify(receipt)}`);
      return `an actor with ${count(size.erased)} records erased`;
    },
  };
};

const expiry = () => {
  let memoryId;
  let days = 30;
  return {
    prepare: async () => {
      if (memoryId !== undefined) return;
      memoryId = await memoryOf(api, []);
      const events = Array.from({ length: BATCH }, (_, n) => said(`This is message ${n} of a session that expires.`));
      await each(size.expiring / BATCH, (n) => append(api, memoryId, `session-${Math.floor(n / 10)}`, events));
    },
    run: async () => {
      days += 1;
      const response = await fetch(`${url}/memory/memories/${memoryId}`, {
        method: 'PATCH',
        headers: { authorization: `Bearer ${tenants[0].key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ eventExpiryDuration: days, applyToExisting: true }),
        signal: AbortSignal.timeout(LONG_MS),
      });
      if (!response.ok) throw new Error(`The change was refused: ${response.status} ${await response.text()}`);
      // A worker may have taken the change over; then the answer comes before it is applied.
      const applied = async () => {
        const { rows } = await database.query('select count(*) from expiry_changes where memory_id = $1', [memoryId]);
        return Number(rows[0].count) === 0;
      };
      await until('the new expiry', applied, { timeoutMs: LONG_MS });
      const { rows } = await database.query(
        `select count(*) from events where memory_id = $1 and session_key is not null
          and abs(extract(epoch from expires_at - recorded_at - make_interval(days => $2))) < 1`,
        [memoryId, days],
      );
      if (Number(rows[0].count) < size.expiring)
        throw new Error(`Only ${rows[0].count} events expire at another time.`);
      return `${count(size.expiring)} events expire at another time`;
    },
  };
};

const work = { extraction, inserts, import: importing, erasure, expiry }[name]();
for await (const command of createInterface({ input: process.stdin })) {
  const what = await work[command]();
  process.stdout.write(`${JSON.stringify({ what })}\n`);
}
await database.end();
