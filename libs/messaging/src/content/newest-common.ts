import type { JetStreamManager, NatsError, StoredMsg } from 'nats';
import type { LogPage, LogPageRead } from '@turnkeeper/application';
import type { EventStream } from '../event-stream.js';
import { POSITION_HEADER } from './content-stream.js';

export interface ComparedLog {
  readLogPage(after: number, read: LogPageRead): Promise<LogPage>;
  headPosition(): Promise<number>;
}

/** Messages read back from the end. If the log lost more events than that, the stream is emptied. */
const MAX_READ = 1_000;

/**
 * Position of the newest event that stream and log have in common; 0 if there is none. After a failover or a restore that
 * lost events, the stream has some that the log no longer has, and others take their positions. Such messages are deleted:
 * no later erasure would reach their content.
 *
 * @param lastSequence of the stream
 */
export const newestCommonPosition = async (
  jsm: JetStreamManager,
  { name }: EventStream,
  log: ComparedLog,
  lastSequence: number,
): Promise<number> => {
  const head = await log.headPosition();
  let newest = 0;
  let undecided: number[] = [];
  for (let sequence = lastSequence, read = 0; sequence > 0; sequence -= 1) {
    if ((read += 1) > MAX_READ) {
      await jsm.streams.purge(name);
      return 0;
    }
    const message = await messageAt(jsm, name, sequence);
    if (message === 'none before') break;
    if (message === null) continue;
    const position = Number(message.header.get(POSITION_HEADER)) || 0;
    const found = await compare(log, head, position, message);
    if (found === 'equal') return Math.max(newest, position);
    if (found === 'erased') {
      newest = Math.max(newest, position);
      undecided.push(sequence);
      continue;
    }
    // What came after an event that the log lost is lost as well.
    for (const lost of [...undecided, sequence]) await jsm.streams.deleteMessage(name, lost);
    [newest, undecided] = [0, []];
  }
  return newest;
};

/** `erased`: the log has no event at the position, because it was erased or has expired. */
const compare = async (
  log: ComparedLog,
  head: number,
  position: number,
  message: StoredMsg,
): Promise<'equal' | 'other' | 'erased'> => {
  if (position > head) return 'other';
  const [event] = (await log.readLogPage(position - 1, { limit: 1, maxBytes: 1, through: position })).events;
  if (event?.position !== position) return 'erased';
  // An event that was sent again has its id, but was recorded at another time.
  const { id, recordedtime } = message.json<{ id?: string; recordedtime?: string }>();
  return id === event.eventId && recordedtime === event.recordedAt ? 'equal' : 'other';
};

/** Null if the message was deleted. */
const messageAt = async (
  jsm: JetStreamManager,
  stream: string,
  sequence: number,
): Promise<StoredMsg | null | 'none before'> => {
  try {
    return await jsm.streams.getMessage(stream, { seq: sequence });
  } catch (error) {
    if ((error as NatsError).api_error?.code !== 404) throw error;
    const { state } = await jsm.streams.info(stream);
    return state.messages === 0 || sequence < state.first_seq ? 'none before' : null;
  }
};
