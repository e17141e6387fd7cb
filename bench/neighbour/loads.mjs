// One tenant's load, or a control, for this many seconds: loads.mjs NAME URL KEY SEARCHED APPENDED NAMESPACE SECONDS, where
// SEARCHED and APPENDED are memories. Loopback only. Prints
// how many requests were answered with which status.
import { randomBytes } from 'node:crypto';
import { constants, setPriority } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import pg from 'pg';
import { sentence } from './texts.mjs';

const CONNECTIONS = 16;
/** A client that is told to wait waits, but not for long: it is hostile. */
const MAX_PAUSE_MS = 100;

const batch = (events, bytes) => ({
  events: Array.from({ length: events }, () => ({
    payload: { type: 'CONVERSATIONAL', role: 'user', message: sentence(bytes) },
  })),
});

/** What each connection sends, again and again. */
export const LOADS = {
  'searches of 1,000 characters': ({ memory, namespace }) => ({
    path: `${memory}/memory-records:search?namespace=${encodeURIComponent(namespace)}`,
    body: { query: sentence(1_000), limit: 50 },
  }),
  'contexts of 16,000 tokens': ({ memory }) => ({
    path: `${memory}/actors/ada/context`,
    body: { query: sentence(200), budget: 16_000 },
  }),
  'turn searches': ({ memory }) => ({ path: `${memory}/events:search`, body: { query: sentence(300), limit: 50 } }),
  '16 exports': ({ memoryId }) => ({ method: 'GET', path: `/v1/memories/${memoryId}/export` }),
  'batches of 1,000 × 2 kB': ({ appended, at }) => ({
    path: `${appended}/actors/ada/sessions/load-${at}/events`,
    body: batch(1_000, 2_000),
  }),
  'invalid keys': ({ memory }) => ({
    path: `${memory}/events:search`,
    body: { query: 'x' },
    key: `tk_${randomBytes(8).toString('hex')}_${randomBytes(32).toString('hex')}`,
  }),
  'requests over the limit': ({ memory }) => ({ method: 'GET', path: memory }),
};

/** Other programs' use of the machine: the services are not asked for anything. What a load does beyond them is our doing. */
export const CONTROLS = {
  'control: one busy core': (end) => {
    while (Date.now() < end);
  },
  'control: one busy database connection': async (end) => {
    const database = new pg.Client({ connectionString: process.env.DATABASE_URL });
    await database.connect();
    while (Date.now() < end) await database.query('select count(sqrt(i)) from generate_series(1, 100000) as i');
    await database.end();
  },
};

/** @param {string[]} words */
const main = async (words) => {
  const [name = '', url = '', key = '', memoryId = '', appendedId = '', namespace = '', seconds = ''] = words;
  const { hostname } = new URL(url);
  if (hostname !== '127.0.0.1') throw new Error('Only a server on this machine is attacked.');
  const end = Date.now() + Number(seconds) * 1_000;
  if (CONTROLS[name]) return CONTROLS[name](end);
  // On a separate machine it would take no CPU from the services.
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  const counts = {};
  const send = async (at) => {
    const {
      method = 'POST',
      path,
      body,
      key: own = key,
    } = LOADS[name]({
      memory: `/memory/memories/${memoryId}`,
      appended: `/memory/memories/${appendedId}`,
      memoryId,
      namespace,
      at,
    });
    const response = await fetch(url + path, {
      method,
      headers: {
        authorization: `Bearer ${own}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(Math.max(1, end - Date.now())),
    });
    for await (const chunk of response.body ?? []) void chunk;
    return response.status;
  };
  const loop = async (_, at) => {
    while (Date.now() < end) {
      const outcome = await send(at).catch(() => 'cut off');
      counts[outcome] = (counts[outcome] ?? 0) + 1;
      if (outcome !== 200) await pause(MAX_PAUSE_MS);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, loop));
  process.stdout.write(`${JSON.stringify(counts)}\n`);
};

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await main(process.argv.slice(2));
