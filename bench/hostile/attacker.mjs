// One tenant's hostile inputs, all at once, for this many seconds: attacker.mjs URL KEY MEMORY STRATEGY SECONDS.
// Loopback only.
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

const [, , url, key, memoryId, strategyId, seconds] = process.argv;
const { hostname, port } = new URL(url);
if (hostname !== '127.0.0.1') throw new Error('Only a server on this machine is attacked.');
const MIB = 1_048_576;
/** Pause between two requests of a loop, so that the attacker itself does not occupy the CPU. */
const PAUSE_MS = 100;
const end = Date.now() + Number(seconds) * 1_000;
const counts = {};

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
/**
 * Sends prepared bytes on one connection and reads the answers with as little work as possible: a real attacker, on
 * another machine, would not take CPU from the services.
 */
class Client {
  /** @type {import('node:net').Socket | null} */
  socket = null;

  /** Resolves with the status; rejects if the connection ended before the answer. */
  send(head, body) {
    return new Promise((resolve, reject) => {
      const socket = this.open();
      let answer = '';
      const settle = (end) => {
        clearTimeout(timer);
        socket.removeListener('data', onData).removeListener('close', onClose);
        end();
      };
      const onData = (bytes) => {
        answer += bytes.toString('latin1');
        const headEnd = answer.indexOf('\r\n\r\n');
        const length = Number(/\r\ncontent-length: (\d+)/i.exec(answer)?.[1] ?? 0);
        if (headEnd === -1 || answer.length < headEnd + 4 + length) return;
        const isWritten = socket.writableLength === 0;
        settle(() => resolve(Number(answer.slice(9, 12))));
        if (!isWritten || /\r\nconnection: close/i.test(answer)) this.close();
      };
      const onClose = () => settle(() => reject(new Error('cut off')));
      const timer = setTimeout(() => socket.destroy(), 20_000);
      socket.on('data', onData).on('close', onClose);
      socket.write(head);
      socket.write(body);
    });
  }

  /** The connection, which the server may have closed since the last answer. */
  open() {
    if (this.socket !== null) return this.socket;
    const socket = connect(Number(port), hostname).on('error', () => undefined);
    socket.once('close', () => {
      if (this.socket === socket) this.socket = null;
    });
    this.socket = socket;
    return socket;
  }

  close() {
    this.socket?.destroy();
    this.socket = null;
  }
}
/**
 * A POST of prepared bytes, repeated on one connection.
 *
 * @param {string} path
 * @param {unknown} body
 * @param {string | null} [authorization] null: none
 */
const poster = (path, body, authorization = `Bearer ${key}`) => {
  const client = new Client();
  const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
  const head = headOf(path, bytes.length, authorization === null ? '' : `Authorization: ${authorization}\r\n`);
  return () => client.send(head, bytes);
};
const headOf = (path, bytes, authorization) =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${bytes}\r\n${authorization}\r\n`;

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
const announce = (bytes, authorization) => headOf(events('slow'), bytes, authorization);

const brackets = '['.repeat(16 * MIB - 1);
const objects = `[${'{},'.repeat(5 * MIB)}{}]`;
const values = JSON.stringify({ events: Array.from({ length: 45_000 }, () => ({})) });
const deep = JSON.stringify({
  payload: { type: 'CONVERSATIONAL', role: 'user', message: 'x' },
  metadata: 1,
}).replace('1}', `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}}`);
/** 45,000 members, each to be parsed and checked, and none of them storable. */
const members = JSON.stringify({
  payload: { type: 'CONVERSATIONAL', role: 'user', message: 'x' },
  metadata: Object.fromEntries(Array.from({ length: 45_000 }, (_, at) => [`k${at}`, at === 44_999 ? '\0' : 1])),
});
const said = (message) => ({ payload: { type: 'CONVERSATIONAL', role: 'user', message } });
const SLOW_TEXTS = [' ', 'I moved to ', 'my my ', "I've been ", 'on the 3rd of ', '(', 'no no, ', 'a-', 'SYSTEM: '].map(
  (part) => part.repeat(Math.floor(99_000 / part.length)),
);
const slowTexts = Buffer.from(JSON.stringify({ events: SLOW_TEXTS.map(said) }));
const slowClient = new Client();
let turn = 0;
const sendSlowTexts = async () => {
  turn += 1;
  const session = `slow-${turn}`;
  const authorization = `Authorization: Bearer ${key}\r\n`;
  const stored = await slowClient.send(headOf(events(session), slowTexts.length, authorization), slowTexts);
  const query = `actorId=eve&sessionId=${session}&longTermMemoryStrategyId=${strategyId}`;
  const generate = `/memory/memories/${memoryId}/memory-records:generate-from-session?${query}`;
  await slowClient.send(headOf(generate, 2, authorization), '{}');
  return stored;
};

const attacks = [
  ...[1, 2].map(() => loop('keyless [[[[', poster(events('x'), brackets, null))),
  loop('keyless [{},', poster(events('x'), objects, null)),
  loop('keyed [[[[', poster(events('x'), brackets)),
  ...[1, 2].map(() => loop('keyed [{},', poster(events('x'), objects))),
  loop('keyed values', poster(events('x'), values)),
  loop('keyed members', poster(events('x'), members)),
  loop('keyed depth', poster(events('x'), deep)),
  loop('unknown keys', poster(events('x'), {}, `Bearer tk_${'0'.repeat(16)}_${'0'.repeat(64)}`)),
  loop(
    'namespace',
    poster(`/memory/memories/${memoryId}/memory-records:insert-directly?namespace=${'a'.repeat(1_000)}`, {
      memoryRecords: ['a fact'],
    }),
  ),
  loop(
    'templates',
    poster('/memory/memories', {
      name: 'x',
      longTermMemoryStrategies: [{ name: 'x', type: 'SEMANTIC', namespaceTemplate: `${'{actorId}'.repeat(4)}X` }],
    }),
  ),
  loop('slow texts', sendSlowTexts),
  ...Array.from({ length: 60 }, () =>
    trickle('slow bodies with a key', announce(12 * MIB, `Authorization: Bearer ${key}\r\n`)),
  ),
  ...Array.from({ length: 200 }, () => trickle('slow bodies without a key', announce(12 * MIB, ''))),
  ...Array.from({ length: 100 }, () => trickle('slow heads', `GET / HTTP/1.1\r\nHost: x\r\nX: `)),
];
await Promise.all(attacks);
process.stdout.write(`${JSON.stringify(counts)}\n`);
process.exit(0);
