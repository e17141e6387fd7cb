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

/** The webhooks received so far, and how they are answered. */
class Inbox {
  /** @type {any[]} */
  received = [];
  attemptsById = new Map();
  arrivals = new EventEmitter().setMaxListeners(0);

  constructor(format, mode, secrets) {
    this.format = assertOneOf('format', format, FORMATS);
    this.mode = assertOneOf('mode', mode, MODES);
    this.secrets = secrets;
  }

  setMode(mode) {
    this.mode = assertOneOf('mode', mode, MODES);
  }

  /** Checks and stores a webhook; `answered` of the entry is the status to answer with. */
  add(request, body) {
    const { format, secrets } = this;
    const parsed = parseJson(body);
    const id = String((format === 'agora' ? parsed?.noticeId : request.headers['webhook-id']) ?? '');
    const attempt = (this.attemptsById.get(id) ?? 0) + 1;
    this.attemptsById.set(id, attempt);
    const check = verify(format, secrets, request.headers, body);
    const entry = {
      receivedAt: new Date().toISOString(),
      path: request.url,
      id,
      type: String((format === 'agora' ? parsed?.eventType : parsed?.type) ?? ''),
      attempt,
      ...check,
      answered: check.verified === false ? 401 : statusOf(this.mode, attempt),
      sha256: createHash('sha256').update(body).digest('hex'),
      headers: request.headers,
      body: parsed ?? body.toString('utf8'),
    };
    this.received.push(entry);
    this.arrivals.emit('webhook');
    return entry;
  }

  /** The webhooks to this path whose body contains the text, each unless empty; waits this long for the first of them. */
  async find({ path, text }, seconds, signal) {
    const matching = () =>
      this.received.filter(
        (entry) => (path === '' || entry.path === path) && (text === '' || JSON.stringify(entry.body).includes(text)),
      );
    const patience = AbortSignal.any([AbortSignal.timeout(seconds * 1_000), signal]);
    while (seconds > 0 && matching().length === 0 && !patience.aborted) {
      await once(this.arrivals, 'webhook', { signal: patience }).catch(() => undefined);
    }
    return matching();
  }

  clear() {
    this.received.length = 0;
    this.attemptsById.clear();
  }
}

/**
 * Starts a small business server on 127.0.0.1 that receives webhooks, checks their signatures and stores them.
 *
 * - any other `POST` is a webhook, and is answered as the mode says
 * - `GET /received` returns what was received, oldest first; `?path=…` only what came to that path, `?text=…` only what
 *   contains the text, `?wait=30` waits up to that many seconds (60 at most) for the first of them
 * - `POST /control` with `{ "mode"?, "secrets"?, "addSecret"?, "clear"?, "stop"? }` changes how it behaves
 *
 * Modes: `ok` 200; `fail` 500; `hang` never answers; `redirect` 302; `gone` 410; `flaky` 503 for the first attempt of
 * each id, then 200.
 *
 * @param {import('./main.d.mts').ReceiverOptions} [options]
 * @returns {Promise<import('./main.d.mts').Receiver>}
 */
export const startReceiver = async (options = {}) => {
  const { port = 0, format = 'standard', mode = 'ok', secrets = [] } = options;
  const { onReceived = () => undefined, onStop = () => undefined } = options;
  const inbox = new Inbox(format, mode, secrets);
  const closing = new AbortController();

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
      if (request.method === 'GET' && pathname === '/received') {
        const seconds = Math.min(Number(searchParams.get('wait')) || 0, LONGEST_WAIT);
        const wanted = { path: searchParams.get('path') ?? '', text: searchParams.get('text') ?? '' };
        void inbox.find(wanted, seconds, closing.signal).then((found) => json(response, 200, found));
      } else if (request.method !== 'POST') json(response, 405, { error: 'POST a webhook, or GET /received' });
      else if (pathname === '/control') control(inbox, response, body, onStop);
      else {
        const entry = inbox.add(request, body);
        onReceived(entry);
        answer(response, entry.answered);
      }
    });
  });
  await once(server.listen(port, '127.0.0.1'), 'listening'); // rejects on 'error'

  return {
    url: `http://127.0.0.1:${portOf(server)}`,
    port: portOf(server),
    received: inbox.received,
    setMode: (next) => inbox.setMode(next),
    setSecrets: (next) => {
      inbox.secrets = next;
    },
    close: () =>
      new Promise((resolve) => {
        closing.abort();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};

const control = (inbox, response, body, onStop) => {
  const wish = parseJson(body) ?? {};
  try {
    if (wish.mode !== undefined) inbox.setMode(wish.mode);
  } catch (error) {
    return json(response, 400, { error: error.message });
  }
  if (Array.isArray(wish.secrets)) inbox.secrets = wish.secrets.map(String);
  if (typeof wish.addSecret === 'string') inbox.secrets = [...inbox.secrets, wish.addSecret];
  if (wish.clear === true) inbox.clear();
  json(response, 200, { receiver: 'turnkeeper', mode: inbox.mode });
  if (wish.stop === true) onStop();
};

const answer = (response, status) => {
  if (status === null) return;
  json(response, status, { ok: status === 200 }, status === 302 ? { location: '/elsewhere' } : {});
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
