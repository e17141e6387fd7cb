import { connect } from 'nats';
import { ERASED } from './writers.mjs';

/** Reads ahead in a stream. */
const PULL = 500;

/**
 * The events that are not on the streams, by the ids in their messages.
 *
 * @param {NodeJS.ProcessEnv} environment of the services
 * @param {readonly string[]} eventIds
 * @returns {Promise<string[]>}
 */
export const missingOnStreams = async (environment, eventIds) => {
  const streams = await readStreams(environment);
  return Object.entries(streams).flatMap(([stream, texts]) => {
    const found = new Set(texts.flatMap((text) => idsIn(JSON.parse(text))));
    return eventIds.filter((id) => !found.has(id)).map((id) => `${stream}: ${id}`);
  });
};

/** A notice names several events; a CloudEvent is one. */
const idsIn = ({ id, events = [] }) => [id, ...events.map((event) => event.eventId ?? event.id)];

/** The messages of the streams of references and of contents. */
const readStreams = async ({ NATS_URL = '', NATS_STREAM = 'TURNKEEPER_EVENTS' }) => {
  const { host, username, password } = new URL(NATS_URL);
  const nats = await connect({ servers: host, user: username, pass: password });
  try {
    /** @type {Record<string, string[]>} */
    const texts = {};
    for (const stream of [NATS_STREAM, `${NATS_STREAM}_CONTENT`]) texts[stream] = await readStream(nats, stream);
    return texts;
  } finally {
    await nats.close();
  }
};

const readStream = async (nats, stream) => {
  const { state } = await (await nats.jetstreamManager()).streams.info(stream);
  const texts = [];
  const consumer = await nats.jetstream().consumers.get(stream);
  while (texts.length < state.messages) {
    const messages = await consumer.fetch({
      max_messages: Math.min(PULL, state.messages - texts.length),
      expires: 5_000,
    });
    const before = texts.length;
    for await (const message of messages) texts.push(message.string());
    if (texts.length === before) break;
  }
  return texts;
};

/**
 * Where the words of erased messages are still stored: in a table, a stream or the queue.
 *
 * @param {import('./system.mjs').System} system
 * @returns {Promise<string[]>}
 */
export const tracesOf = async (system) => {
  const traces = [];
  for (const [stream, texts] of Object.entries(await readStreams(system.environment))) {
    for (const text of texts) if (text.includes(ERASED)) traces.push(`${stream}: ${text.slice(0, 300)}`);
  }
  const { QUEUE_URL: queue = '' } = system.environment;
  const urls = [system.ownerUrl, ...(queue.startsWith('postgres') ? [queue] : [])];
  for (const url of urls) traces.push(...(await system.withConnection(tracesInTables, url)));
  return traces;
};

/** @param {import('pg').Client} client */
const tracesInTables = async (client) => {
  const { rows: tables } = await client.query(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
      where schemaname not in ('pg_catalog', 'information_schema')`,
  );
  // Bytes are shown in hex.
  const patterns = [`%${ERASED}%`, `%${Buffer.from(ERASED).toString('hex')}%`];
  const traces = [];
  for (const { name } of tables) {
    const { rows } = await client.query(`select t::text as row from ${name} t where t::text like any ($1) limit 3`, [
      patterns,
    ]);
    for (const { row } of rows) traces.push(`${name}: ${row.slice(0, 300)}`);
  }
  return traces;
};
