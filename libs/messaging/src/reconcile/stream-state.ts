import {
  AckPolicy,
  DeliverPolicy,
  nanos,
  type JetStreamManager,
  type JsMsg,
  type NatsConnection,
  type StreamInfo,
} from 'nats';
import type { StreamMark } from '@turnkeeper/application';
import { ensureEventStream, type EventStream } from '../event-stream.js';
import { EVENTS_HEADER } from '../message-id.js';
import { Coverage } from './coverage.js';

/** State of a stream, from its metadata. */
export interface StreamState extends StreamMark {
  readonly messages: number;
  /** Time of its oldest message in milliseconds since 1970; null if it is empty. */
  readonly oldestMs: number | null;
  /** An operator limited its size, so it may drop messages before their maximum age. */
  readonly isBounded: boolean;
}

/** Reads the state of the stream; creates a missing stream. */
export const readStreamState = async (jsm: JetStreamManager, stream: EventStream): Promise<StreamState> => {
  const info = await jsm.streams.info(stream.name).catch(async (error: unknown): Promise<StreamInfo> => {
    if (!isStreamMissing(error)) throw error;
    await ensureEventStream(jsm, stream);
    return jsm.streams.info(stream.name);
  });
  const { state, config, created } = info;
  return {
    created: String(created),
    firstSequence: state.first_seq,
    lastSequence: state.last_seq,
    deleted: state.num_deleted ?? 0,
    messages: state.messages,
    oldestMs: state.messages === 0 ? null : Date.parse(String(state.first_ts)),
    isBounded: config.max_msgs > 0 || config.max_bytes > 0 || config.max_msgs_per_subject > 0,
  };
};

/** Tolerance for messages that expire early. */
const SLACK_MS = 60_000;

/** True if messages may have been lost, other than by expiry, since the mark was set. */
export const mayHaveLost = (mark: StreamMark | null, now: StreamState, maxAgeMs: number, nowMs: number): boolean => {
  if (mark === null || mark.created !== now.created) return true;
  if (now.lastSequence < mark.lastSequence || now.deleted > mark.deleted) return true;
  if (now.firstSequence <= mark.firstSequence || now.isBounded) return false;
  return now.oldestMs === null || now.oldestMs > nowMs - maxAgeMs + SLACK_MS;
};

const FETCH = { max_messages: 2_000, expires: 2_000 };
/** The server deletes the consumer after this time without a fetch, in case this process dies. */
const FORGET_MS = 30_000;

/** Reads which events all messages up to a sequence contain, without their bodies. */
export const readCoverage = async (
  connection: NatsConnection,
  jsm: JetStreamManager,
  { name }: EventStream,
  lastSequence: number,
): Promise<Coverage> => {
  const coverage = new Coverage();
  await readHeaders(connection, jsm, { name, lastSequence }, ({ headers }) =>
    coverage.add(headers?.get('Nats-Msg-Id') ?? '', headers?.get(EVENTS_HEADER)),
  );
  return coverage;
};

/**
 * Reads the headers of all messages that are stored now, oldest first.
 *
 * @param read the stream; a subject filter; the last sequence to read, if earlier than the end
 */
export const readHeaders = async (
  connection: NatsConnection,
  jsm: JetStreamManager,
  read: { readonly name: string; readonly filter?: string; readonly lastSequence?: number },
  onMessage: (message: JsMsg) => void,
): Promise<void> => {
  const { name: stream, filter, lastSequence = Number.POSITIVE_INFINITY } = read;
  // Not an ordered consumer: on 2.9 servers its first read may never end.
  const { name, num_pending: pending } = await jsm.consumers.add(stream, {
    ack_policy: AckPolicy.None,
    deliver_policy: DeliverPolicy.All,
    headers_only: true,
    mem_storage: true,
    inactive_threshold: nanos(FORGET_MS),
    ...(filter === undefined ? {} : { filter_subject: filter }),
  });
  try {
    if (pending === 0) return;
    const consumer = await connection.jetstream().consumers.get(stream, name);
    for (;;) {
      let read = 0;
      for await (const message of await consumer.fetch(FETCH)) {
        onMessage(message);
        read += 1;
        // The newest message may have been deleted; the end is where nothing is pending.
        if (message.seq >= lastSequence || message.info.pending === 0) return;
      }
      // The remaining messages were purged in the meantime.
      if (read === 0) return;
    }
  } finally {
    await jsm.consumers.delete(stream, name).catch(() => undefined);
  }
};

const STREAM_NOT_FOUND = 10059;
const isStreamMissing = (error: unknown): boolean =>
  (error as { api_error?: { err_code?: number } }).api_error?.err_code === STREAM_NOT_FOUND;
