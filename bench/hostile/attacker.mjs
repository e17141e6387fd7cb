// One tenant's hostile inputs, all at once, for this many seconds: attacker.mjs URL KEY MEMORY STRATEGY SECONDS.
// Loopback only.
import { connect } from 'node:net';

const [, , url, key, memoryId, strategyId, seconds] = process.argv;
const { hostname, port } = new URL(url);
if (hostname !== '127.0.0.1') throw new Error('Only a server on this machine is attacked.');
const MIB = 1_048_576;
/** Pause between two requests of a loop, so that the attacker itself does not occupy the CPU. */
const PAUSE_MS = 100;
const end = Date.now() + Number(seconds) * 1_000;
const counts = {};

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const count = (name, outcome) => (counts[`${name} ${outcome}`] = (counts[`${name} ${outcome}`] ?? 0) + 1);

const loop = async (name, send) => {
  while (Date.now() < end) {
    await send().then(
      (outcome) => count(name, outcome),
      () => count(name, 'cut off'),
    );
    await pause(PAUSE_MS);
  }
};
const post = async (path, body, authorization = `Bearer ${key}`) => {
  const response = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(authorization === null ? {} : { authorization }) },
    body: typeof body === 'string' ? body : JSON.stringify(body),
    signal: AbortSignal.timeout(20_000),
  });
  await response.arrayBuffer();
  return response.status;
};

const events = (session) => `/memory/memories/${memoryId}/actors/eve/sessions/${session}/events`;
/** A connection that sends its head, or a body with this announced length, one byte at a time. */
const trickle = (name, head) =>
  loop(
    name,
    () =>
      new Promise((resolve) => {
        const socket = connect(Number(port), hostname, () => socket.write(head));
        const drip = setInterval(() => socket.write(' '), 500);
        const done = () => {
          clearInterval(drip);
          socket.destroy();
          resolve('ended');
        };
        socket.on('error', done).on('close', done).resume();
        setTimeout(done, end - Date.now());
      }),
  );
const announce = (bytes, authorization) =>
  `POST ${events('slow')} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${bytes}\r\n${authorization}\r\n`;

const brackets = '['.repeat(16 * MIB - 1);
const objects = `[${'{},'.repeat(5 * MIB)}{}]`;
const values = JSON.stringify({ events: Array.from({ length: 60_000 }, () => ({})) });
const deep = JSON.stringify({
  payload: { type: 'CONVERSATIONAL', role: 'user', message: 'x' },
  metadata: 1,
}).replace('1}', `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}}`);
const said = (message) => ({ payload: { type: 'CONVERSATIONAL', role: 'user', message } });
const SLOW_TEXTS = [' ', 'I moved to ', 'my my ', "I've been ", 'on the 3rd of ', '(', 'no no, ', 'a-', 'SYSTEM: '].map(
  (part) => part.repeat(Math.floor(99_000 / part.length)),
);
let turn = 0;

const attacks = [
  ...[1, 2].map(() => loop('keyless [[[[', () => post(events('x'), brackets, null))),
  loop('keyless [{},', () => post(events('x'), objects, null)),
  loop('keyed [[[[', () => post(events('x'), brackets)),
  ...[1, 2].map(() => loop('keyed [{},', () => post(events('x'), objects))),
  loop('keyed values', () => post(events('x'), values)),
  loop('keyed depth', () => post(events('x'), deep)),
  loop('unknown keys', () => post(events('x'), {}, `Bearer tk_${'0'.repeat(16)}_${'0'.repeat(64)}`)),
  loop('namespace', () =>
    post(`/memory/memories/${memoryId}/memory-records:insert-directly?namespace=${'a'.repeat(1_000)}`, {
      memoryRecords: ['a fact'],
    }),
  ),
  loop('templates', () =>
    post('/memory/memories', {
      name: 'x',
      longTermMemoryStrategies: [{ name: 'x', type: 'SEMANTIC', namespaceTemplate: `${'{actorId}'.repeat(4)}X` }],
    }),
  ),
  loop('slow texts', async () => {
    turn += 1;
    const session = `slow-${turn}`;
    const stored = await post(events(session), { events: SLOW_TEXTS.map(said) });
    const query = `actorId=eve&sessionId=${session}&longTermMemoryStrategyId=${strategyId}`;
    await post(`/memory/memories/${memoryId}/memory-records:generate-from-session?${query}`, {});
    return stored;
  }),
  ...Array.from({ length: 60 }, () =>
    trickle('slow bodies with a key', announce(12 * MIB, `Authorization: Bearer ${key}\r\n`)),
  ),
  ...Array.from({ length: 200 }, () => trickle('slow bodies without a key', announce(12 * MIB, ''))),
  ...Array.from({ length: 100 }, () => trickle('slow heads', `GET / HTTP/1.1\r\nHost: x\r\nX: `)),
];
await Promise.all(attacks);
process.stdout.write(`${JSON.stringify(counts)}\n`);
process.exit(0);
