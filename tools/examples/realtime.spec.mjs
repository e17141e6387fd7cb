import { EventEmitter } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';

/** The server of a socket, as on the page, with short waits. */
const serverOnThePage = async () => {
  const page = await readFile(new URL('../../docs/platforms/openai-realtime.md', import.meta.url), 'utf8');
  const [, code = ''] = /^```js\n(.*?)^```$/ms.exec(page) ?? [];
  const given = 'socket, TURNKEEPER_URL, CONNECTOR_ID, SECRET, userId, sessionId, setTimeout, console';
  const text = `export default (${given}) => {\n${code}\n};`;
  /** @type {{ default: (...given: any[]) => void }} */
  const { default: serve } = await import(`data:text/javascript,${encodeURIComponent(text)}`);
  return serve;
};

/**
 * Answers with these statuses, 0 for a broken connection, and then with 200.
 *
 * @param {number} port @param {number[]} statuses @param {any[]} bodies where those with 200 go
 */
const listen = async (port, statuses, bodies) => {
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    const status = statuses.shift() ?? 200;
    if (status === 0) {
      request.socket.destroy();
      return;
    }
    if (status === 200) bodies.push(JSON.parse(text));
    response.writeHead(status).end();
  });
  await new Promise((resolve) => server.listen(port, '127.0.0.1', () => resolve(undefined)));
  return server;
};
/** @param {import('node:http').Server} server */
const stop = (server) => {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(resolve));
};

it('forwards the events of a Realtime session in order, through refused connections, 503 and restarts', async () => {
  const serve = await serverOnThePage();
  const free = await listen(0, [], []);
  const { port } = /** @type {import('node:net').AddressInfo} */ (free.address());
  await stop(free);
  const socket = new EventEmitter();
  /** @type {number[]} */
  const waits = [];
  const soon = (/** @type {() => void} */ work, /** @type {number} */ ms) => {
    waits.push(ms);
    setTimeout(work, 5);
  };
  /** @type {string[]} */
  const errors = [];
  const log = { error: (/** @type {string} */ text) => errors.push(text) };
  serve(socket, `http://127.0.0.1:${port}`, 'c-1', 'secret', 'linh', 'call-1', soon, log);
  const tell = (/** @type {object} */ event) => socket.emit('message', JSON.stringify(event));

  tell({ type: 'session.created', session: { id: 'sess_1' } });
  tell({ type: 'response.output_audio.delta' });
  tell({ type: 'response.done', n: 1 });
  await sleep(30);
  /** @type {any[]} */
  const bodies = [];
  const first = await listen(port, [503, 0, 429, 200, 400], bodies);
  await expect.poll(() => errors, { timeout: 5_000 }).toEqual(['Refused: 400 ']);
  await stop(first);
  for (const n of [2, 3]) tell({ type: 'response.done', n });
  socket.emit('close');
  await sleep(30);
  const second = await listen(port, [500], bodies);
  await expect.poll(() => bodies.at(-1)?.ended, { timeout: 5_000 }).toBe(true);
  await stop(second);

  expect(bodies.map(({ events }) => events.map(({ type, n }) => `${type} ${n ?? ''}`.trim())).flat()).toEqual([
    'session.created',
    'response.done 2',
    'response.done 3',
  ]);
  expect(bodies.every((body) => body.actor_id === 'linh' && body.call_id === 'sess_1')).toBe(true);
  expect(waits.slice(0, 3)).toEqual([500, 1_000, 2_000]);
  expect(Math.max(...waits)).toBeLessThanOrEqual(10_000);
});
