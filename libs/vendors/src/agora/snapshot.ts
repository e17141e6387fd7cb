import type { MessageAppended } from '@turnkeeper/domain';

/** How a snapshot of the newest part of a conversation maps onto the messages already stored. */
export interface SnapshotAlignment {
  /** Messages missing from the session, in order, to be appended. */
  readonly newMessages: readonly MessageAppended[];
  /** Number of snapshot messages that are already stored. */
  readonly overlap: number;
  /**
   * Number of snapshot messages that are older than the stored ones. The log is append-only, so they cannot be inserted
   * and are left out. If `held` contained only the newest messages, these may already be stored.
   */
  readonly unplaced: number;
  /** Stored messages that the snapshot shows shorter than we hold them: each becomes a `message.interrupted`. */
  readonly cuts: readonly SnapshotCut[];
}

interface SnapshotCut {
  /** Index in `held`, zero-based. */
  readonly heldIndex: number;
  /** The part of the message that was heard. */
  readonly heard: string;
  /** The platform's timestamp of the interruption, unchanged. */
  readonly interruptTimestamp?: number;
}

/**
 * Aligns a snapshot of an agent's memory (Agora's event 103, or a `history` response) with the stored messages of the
 * same run, by the longest overlap.
 *
 * A snapshot holds at most the `max_history` newest messages, in order and without gaps. It may arrive twice or late,
 * or hold less than we do. Stored messages are never removed: an older head is kept, and a snapshot without new
 * messages adds nothing. Aligning is idempotent. Timestamps are ignored, because the vendor's own examples are
 * inconsistent.
 *
 * @param held stored messages of the same agent's run, oldest first; the newest ones are enough
 * @param snapshot oldest first
 */
export const alignSnapshot = (
  held: readonly MessageAppended[],
  snapshot: readonly MessageAppended[],
): SnapshotAlignment => {
  // `shift` is the index in `held` at which the snapshot would begin; negative if it reaches back further.
  let best = { shift: held.length, overlap: 0 };
  const consider = (shift: number): void => {
    const overlap = Math.min(held.length, shift + snapshot.length) - Math.max(0, shift);
    if (overlap > best.overlap && agree(held, snapshot, shift)) best = { shift, overlap };
  };
  for (let shift = held.length - 1; shift >= 0; shift -= 1) consider(shift);
  // Accept a snapshot that starts before `held` only if it covers all of `held`: a single matching sentence is not
  // enough.
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

/** Whether a non-overlapping snapshot message is older than the newest stored one, judged by turn ids. */
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
 * Whether two messages are the same one. A message first read while it was being spoken may have been cut short since:
 * its content is then the part that was heard, and `metadata.original` is the full text.
 */
export const isSameMessage = (a: MessageAppended, b: MessageAppended): boolean => {
  if (a.role !== b.role) return false;
  if (a.turnId !== undefined && b.turnId !== undefined && a.turnId !== b.turnId) return false;
  return a.content === b.content || wholeOf(a) === wholeOf(b);
};

const wholeOf = ({ content, metadata }: MessageAppended): unknown => metadata?.['original'] ?? content;
