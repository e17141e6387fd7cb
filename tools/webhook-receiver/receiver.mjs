import { createHash } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { createServer } from 'node:http';
import { portOf } from '../shared/ports.mjs';
import { verify } from './verify.mjs';

export const MODES = ['ok', 'fail', 'hang', 'redirect', 'gone', 'flaky'];
export const FORMATS = ['standard', 'agora'];

/** Maximum body size, in bytes. */
const MAX_BODY = 2_097_152;
/** In seconds. */
const LONGEST_WAIT = 60;

/**
 * Starts a small business server on 127.0.0.1 that receives webhooks, checks their signatures and stores them.
 *
 * - any other `POST` is a webhook, and is answered as the mode says
 * - `GET /received` gives what came, oldest first; `?path=…` only what came to that path, `?text=…` only what contains
 *   the text, `?wait=30` waits so many seconds (60 at most) for the first of them
 * - `POST /control` with `{ "mode"?, "secrets"?, "addSecret"?, "clear"?, "stop"? }` changes how it behaves
 *
 * Modes: `ok` 200; `fail` 500; `hang` never answers; `redirect` 302; `gone` 410; `flaky` 503 for the first attempt of
 * each id, then 200.
 *
 * @param {import('./main.d.mts').ReceiverOptions} [options]
 * @returns {Promise<import('./main.d.mts').Receiver>}
 */
export const startReceiver = async (options = {}) => {
  const { port = 0, format = 'standard', onReceived = () => undefined, onStop = () => undefined } = options;
  let { mode = 'ok', secrets = [] } = options;
  assertOneOf('format', format, FORMATS);
  assertOneOf('mode', mode, MODES);
  const received = [];
  const attemptsById = new Map();
  const arrivals = new EventEmitter().setMaxListeners(0);

  const showReceived = async (response, query) => {
    const text = query.get('text') ?? '';
    const path = query.get('path') ?? '';
    const matching = () =>
      received.filter(
        (entry) => (path === '' || entry.path === path) && (text === '' || JSON.stringify(entry.body).includes(text)),
      );
    const seconds = Math.min(Number(query.get('wait')) || 0, LONGEST_WAIT);
    const patience = AbortSignal.any([AbortSignal.timeout(seconds * 1000), closing.signal]);
    while (seconds > 0 && matching().length === 0 && !patience.aborted) {
      await once(arrivals, 'webhook', { signal: patience }).catch(() => undefined);
    }
    return json(response, 200, matching());
  };
  const closing = new AbortController();

  const takeWebhook = (request, response, body) => {
    const parsed = parseJson(body);
    const id = String((format === 'agora' ? parsed?.noticeId : request.headers['webhook-id']) ?? '');
    const attempt = (attemptsById.get(id) ?? 0) + 1;
    attemptsById.set(id, attempt);
    const check = verify(format, secrets, request.headers, body);
    const status = check.verified === false ? 401 : statusOf(mode, attempt);
    const entry = {
      receivedAt: new Date().toISOString(),
      path: request.url,
      id,
      type: String((format === 'agora' ? parsed?.eventType : parsed?.type) ?? ''),
      attempt,
      ...check,
      answered: status,
      sha256: createHash('sha256').update(body).digest('hex'),
      headers: request.headers,
      body: parsed ?? body.toString('utf8'),
    };
    received.push(entry);
    arrivals.emit('webhook');
    onReceived(entry);
    if (status === null) return;
    json(response, status, { ok: status === 200 }, status === 302 ? { location: '/elsewhere' } : {});
  };

  const control = (response, body) => {
    const wish = parseJson(body) ?? {};
    try {
      if (wish.mode !== undefined) mode = assertOneOf('mode', wish.mode, MODES);
    } catch (error) {
      return json(response, 400, { error: error.message });
    }
    if (Array.isArray(wish.secrets)) secrets = wish.secrets.map(String);
    if (typeof wish.addSecret === 'string') secrets = [...secrets, wish.addSecret];
    if (wish.clear === true) {
      received.length = 0;
      attemptsById.clear();
    }
    json(response, 200, { receiver: 'turnkeeper', mode });
    if (wish.stop === true) onStop();
  };

  const server = createServer((request, response) => {
    const chunks = [];
    let bytes = 0;
    request.on('data', (chunk) => {
      bytes += chunk.length;
      if (bytes > MAX_BODY) request.destroy();
      else chunks.push(chunk);
    });
    request.on('end', () => {
      const body = Buffer.concat(chunks);
      const { pathname, searchParams } = new URL(request.url ?? '/', 'http://127.0.0.1');
      if (request.method === 'GET' && pathname === '/received') void showReceived(response, searchParams);
      else if (request.method !== 'POST') json(response, 405, { error: 'POST a webhook, or GET /received' });
      else if (pathname === '/control') control(response, body);
      else takeWebhook(request, response, body);
    });
  });
  await once(server.listen(port, '127.0.0.1'), 'listening'); // rejects on 'error'
  const url = `http://127.0.0.1:${portOf(server)}`;

  return {
    url,
    port: portOf(server),
    received,
    setMode: (next) => {
      mode = assertOneOf('mode', next, MODES);
    },
    setSecrets: (next) => {
      secrets = next;
    },
    close: () =>
      new Promise((resolve) => {
        closing.abort();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};

/** Null: no answer. */
const statusOf = (mode, attempt) =>
  ({ ok: 200, fail: 500, hang: null, redirect: 302, gone: 410, flaky: attempt === 1 ? 503 : 200 })[mode];

const assertOneOf = (what, value, known) => {
  if (!known.includes(value)) throw new RangeError(`${what} must be one of ${known.join(', ')}`);
  return value;
};

const parseJson = (body) => {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return null;
  }
};

const json = (response, status, value, headers = {}) =>
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value));
