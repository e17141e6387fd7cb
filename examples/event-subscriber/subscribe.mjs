import { pathToFileURL } from 'node:url';
import { AckPolicy, connect } from 'nats';

/**
 * Follows the events of a Turnkeeper installation with `STREAM_CONTENT=full`.
 *
 * @param {{ url: string, stream: string, prefix: string, tenant?: string, memory?: string, type?: string,
 *   durable: string, onEvent: (event: Record<string, any>) => Promise<void> | void, signal?: AbortSignal }} options
 *   `tenant`, `memory` and `type` filter; default: all. `type` has two parts, such as `message.appended` or `message.*`.
 *   `durable` names the position that NATS stores, so that a restart continues.
 */
export const subscribe = async ({
  url,
  stream,
  prefix,
  tenant = '*',
  memory = '*',
  type = '*.*',
  durable,
  onEvent,
  signal,
}) => {
  const { host, username, password } = new URL(url);
  const login = { user: decodeURIComponent(username), pass: decodeURIComponent(password) };
  const nats = await connect({ servers: host, ...(username === '' ? {} : login) });
  signal?.addEventListener('abort', () => void nats.drain());
  const manager = await nats.jetstreamManager();
  const position = {
    durable_name: durable,
    ack_policy: AckPolicy.Explicit,
    filter_subject: `${prefix}.${tenant}.${memory}.${type}.*`,
  };
  await manager.consumers.add(stream, position).catch((error) => {
    const why = `${stream} cannot be followed (${error.message}). The services need STREAM_CONTENT=full.`;
    throw new Error(why, { cause: error });
  });
  const consumer = await nats.jetstream().consumers.get(stream, durable);
  /** Delivery is at least once. A database would store the ids with what was done. */
  const seen = new Set();
  for await (const message of await consumer.consume()) {
    const event = message.json();
    if (!seen.has(event.id)) await onEvent(event);
    seen.add(event.id);
    message.ack();
  }
};

/**
 * `linh/call-1 user: I moved to Hue last month.`
 *
 * @param {Record<string, any>} event
 */
const lineOf = ({ subject = '', data }) => {
  const [actor, session] = subject.split('/').filter((_, index) => index % 2 === 1);
  return `${decodeURIComponent(actor)}/${decodeURIComponent(session)} ${data.role}: ${data.content}`;
};

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { NATS_URL, NATS_STREAM, NATS_SUBJECT_PREFIX, MEMORY_ID, COUNT } = process.env;
  const stopping = new AbortController();
  process.once('SIGINT', () => stopping.abort());
  let left = Number(COUNT ?? Infinity);
  await subscribe({
    url: NATS_URL ?? 'nats://localhost:4222',
    stream: `${NATS_STREAM ?? 'TURNKEEPER_EVENTS'}_CONTENT`,
    prefix: `${NATS_SUBJECT_PREFIX ?? 'tk'}_content`,
    memory: MEMORY_ID,
    type: 'message.appended',
    durable: 'example-subscriber',
    signal: stopping.signal,
    onEvent: (event) => {
      console.log(lineOf(event));
      left -= 1;
      if (left <= 0) stopping.abort();
    },
  });
}
