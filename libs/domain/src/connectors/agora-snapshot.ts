import type { MessageAppended } from '../session/session-events.js';

/**
 * Where the messages of a snapshot go, when the snapshot shows the newest part of a conversation of which we hold some
 * part already.
 */
export interface SnapshotAlignment {
  /** What the session lacks, in order: to be appended. */
  readonly newMessages: readonly MessageAppended[];
  /** Messages of the snapshot that are held already. */
  readonly overlap: number;
  /**
   * Messages of the snapshot that are older than what is held. A log is only appended to, so they cannot take their
   * place any more and are left out. Where only the newest held messages were given, they may well be held.
   */
  readonly unplaced: number;
  /** Held messages that the snapshot shows cut short, where we hold more: each becomes a `message.interrupted`. */
  readonly cuts: readonly SnapshotCut[];
}

export interface SnapshotCut {
  /** Place in `held`, from 0. */
  readonly heldIndex: number;
  /** What was heard of the message. */
  readonly heard: string;
  /** The platform's own stamp of the cut, as it came. */
  readonly interruptTimestamp?: number;
}

/**
 * Aligns a snapshot of an agent's memory (Agora's event 103, or an answer of its `history`) with the messages that are
 * held of that agent's run, by the longest stretch on which both agree.
 *
 * A snapshot holds at most `max_history` of the newest messages, in order and without gaps; it may come twice, late, or
 * hold less than we do. Whatever is held stays: an older head is kept, and a snapshot that shows nothing new adds
 * nothing. Aligning a snapshot again after its messages were appended adds nothing either. Stamps are not used: the
 * vendor's own examples contradict themselves in them.
 *
 * @param held messages of the same agent's run as they stand, oldest first; its newest ones are enough
 * @param snapshot oldest first
 */
export const alignSnapshot = (
  held: readonly MessageAppended[],
  snapshot: readonly MessageAppended[],
): SnapshotAlignment => {
  // `shift` is the place in `held` where the snapshot would begin; negative when it reaches back further.
  let best = { shift: held.length, overlap: 0 };
  const consider = (shift: number): void => {
    const overlap = Math.min(held.length, shift + snapshot.length) - Math.max(0, shift);
    if (overlap > best.overlap && agree(held, snapshot, shift)) best = { shift, overlap };
  };
  for (let shift = held.length - 1; shift >= 0; shift -= 1) consider(shift);
  // A snapshot from before what is held is believed only if it shows all that is held: one like sentence is no proof.
  for (let shift = -1; shift + snapshot.length >= held.length; shift -= 1) consider(shift);

  const { shift, overlap } = best;
  const after = snapshot.slice(Math.max(0, held.length - shift));
  const newMessages = overlap > 0 ? after : after.filter((message) => !isStale(message, held));
  return {
    newMessages,
    overlap,
    unplaced: snapshot.length - overlap - newMessages.length,
    cuts: held.flatMap((ours, heldIndex) => {
      const theirs = snapshot[heldIndex - shift];
      return theirs === undefined ? [] : cutOf(ours, theirs, heldIndex);
    }),
  };
};

const cutOf = (ours: MessageAppended, theirs: MessageAppended, heldIndex: number): SnapshotCut[] => {
  if (theirs.metadata?.['interrupted'] !== true || theirs.content === ours.content) return [];
  const stamp = theirs.metadata['interrupt_timestamp'];
  return [{ heldIndex, heard: theirs.content, ...(typeof stamp === 'number' ? { interruptTimestamp: stamp } : {}) }];
};

/** Whether a message of a snapshot without overlap is from before the newest one held, as far as turns can tell. */
const isStale = (message: MessageAppended, held: readonly MessageAppended[]): boolean => {
  const newest = held.findLast(({ turnId }) => turnId !== undefined)?.turnId;
  if (message.turnId === undefined || newest === undefined) return false;
  return message.turnId < newest || held.some((ours) => ours.turnId !== undefined && isSameMessage(ours, message));
};

const agree = (held: readonly MessageAppended[], snapshot: readonly MessageAppended[], shift: number): boolean => {
  const end = Math.min(held.length, shift + snapshot.length);
  for (let at = end - 1; at >= Math.max(0, shift); at -= 1) {
    const [ours, theirs] = [held[at], snapshot[at - shift]];
    if (ours === undefined || theirs === undefined || !isSameMessage(ours, theirs)) return false;
  }
  return true;
};

/**
 * Whether two readings show the same message. A message that was read while it was being spoken may have been cut short
 * since: its content is then the part that was heard, and `metadata.original` the whole.
 */
export const isSameMessage = (a: MessageAppended, b: MessageAppended): boolean => {
  if (a.role !== b.role) return false;
  if (a.turnId !== undefined && b.turnId !== undefined && a.turnId !== b.turnId) return false;
  return a.content === b.content || wholeOf(a) === wholeOf(b);
};

const wholeOf = ({ content, metadata }: MessageAppended): unknown => metadata?.['original'] ?? content;
