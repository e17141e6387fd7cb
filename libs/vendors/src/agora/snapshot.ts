import type { MessageAppended } from '@turnkeeper/domain';

/** A message of a conversation. */
export interface Placed {
  readonly data: MessageAppended;
  /** Messages may be missing between the previous one and this: it begins a snapshot that had nothing in common with it. */
  readonly isStart: boolean;
}

/** For each message of a snapshot, the index of the same message in the conversation; null if it is missing there. */
type Match = (number | null)[];

/** Fewer characters may recur by chance. */
const ENOUGH_CHARACTERS = 12;

/**
 * Matches a snapshot of an agent's memory (Agora's event 103, or a `history` response) with the conversation so far.
 * Null if they have nothing in common that is certain.
 *
 * A snapshot holds at most the `max_history` newest messages, in order and without gaps. It may arrive twice, late, or
 * before an older one. Where it overlaps the conversation, both must agree, except that the conversation may lack messages
 * before a start. Timestamps are ignored, because the vendor's own examples are inconsistent.
 *
 * @param conversation in the order of the conversation
 * @param snapshot oldest first
 */
export const matchSnapshot = (conversation: readonly Placed[], snapshot: readonly MessageAppended[]): Match | null => {
  const match: Match = snapshot.map(() => null);
  const run = longestRun(conversation, snapshot);
  for (const [at, index] of run ?? []) match[at] = index;
  matchTurns(conversation, snapshot, match);
  return match.some((index) => index !== null) ? match : null;
};

/** Pairs of a snapshot's index and the index of the same message in the conversation. */
type Run = ReadonlyMap<number, number>;

/** Whether messages may be missing before this index of the conversation. */
const isBorder = (conversation: readonly Placed[], index: number): boolean =>
  index === 0 || conversation[index]?.isStart !== false;

/**
 * The longest run of the conversation that is in the snapshot. It is contiguous in both, except that the snapshot may hold
 * more before a start. Of equally long runs, the newest.
 */
const longestRun = (conversation: readonly Placed[], snapshot: readonly MessageAppended[]): Run | null => {
  const last = snapshot.length - 1;
  const sameIn = sameMessagesIn(snapshot);
  const same = conversation.map(({ data }) => sameIn(data));
  // Per message of the conversation and of the snapshot: length of the longest run that begins with them; 0 if none.
  const none = new Uint16Array(snapshot.length + 1);
  const lengths = conversation.map(() => none);
  for (let index = conversation.length - 1; index >= 0; index -= 1) {
    const here = same[index] ?? [];
    if (here.length === 0) continue;
    const mayEnd = isBorder(conversation, index + 1);
    const next = lengths[index + 1] ?? none;
    const following = mayEnd ? highestFrom(next) : next;
    const row = new Uint16Array(snapshot.length + 1);
    for (const at of here) {
      const more = following[at + 1] ?? 0;
      row[at] = more > 0 ? more + 1 : Number(mayEnd || at === last);
    }
    lengths[index] = row;
  }

  const walk = (from: number, begin: number): Map<number, number> => {
    const run = new Map([[begin, from]]);
    let [index, at] = [from, begin];
    for (let left = (lengths[from]?.[begin] ?? 0) - 1; left > 0; left -= 1) {
      index += 1;
      do at += 1;
      while (lengths[index]?.[at] !== left && at < last);
      run.set(at, index);
    }
    return run;
  };
  let best: Run | null = null;
  for (let index = conversation.length - 1; index >= 0; index -= 1) {
    for (const at of same[index] ?? []) {
      const length = lengths[index]?.[at] ?? 0;
      if (length <= (best?.size ?? 0) || (at > 0 && !isBorder(conversation, index))) continue;
      const run = walk(index, at);
      const goesOn = at === 0 && [...run].every(([theirs, ours]) => ours - theirs === index);
      // One sentence is enough if the snapshot goes on from it, but not if it would reach back from it.
      if (goesOn || length === conversation.length || isCertain(conversation, snapshot, run)) best = run;
    }
  }
  return best;
};

/** Finds the indexes of the same message in a snapshot. */
const sameMessagesIn = (snapshot: readonly MessageAppended[]): ((message: MessageAppended) => number[]) => {
  const byText = new Map<string, Set<number>>();
  const keysOf = (message: MessageAppended): string[] =>
    [message.content, wholeOf(message)].map((text) => JSON.stringify([message.role, text]));
  for (const [at, message] of snapshot.entries()) {
    for (const key of keysOf(message)) byText.set(key, (byText.get(key) ?? new Set()).add(at));
  }
  return (message) =>
    [...new Set(keysOf(message).flatMap((key) => [...(byText.get(key) ?? [])]))].filter((at) => {
      const theirs = snapshot[at];
      return theirs !== undefined && isSameMessage(message, theirs);
    });
};

/** Per index, the highest value from it on. */
const highestFrom = (values: Uint16Array): Uint16Array => {
  const highest = Uint16Array.from(values);
  for (let at = highest.length - 2; at >= 0; at -= 1) {
    highest[at] = Math.max(highest[at] ?? 0, highest[at + 1] ?? 0);
  }
  return highest;
};

/** Whether the same messages are the same utterances, and not similar ones at another time. */
const isCertain = (conversation: readonly Placed[], snapshot: readonly MessageAppended[], run: Run): boolean => {
  let characters = 0;
  for (const [at, index] of run) {
    const [ours, theirs] = [conversation[index], snapshot[at]];
    if (ours?.data.turnId !== undefined && theirs?.turnId !== undefined) return true;
    characters += String(theirs === undefined ? '' : wholeOf(theirs)).length;
  }
  return characters >= ENOUGH_CHARACTERS;
};

/** Matches what is left by turns, which tell the same message for certain. */
const matchTurns = (conversation: readonly Placed[], snapshot: readonly MessageAppended[], match: Match): void => {
  const taken = new Set(match);
  const byTurn = new Map<number, number[]>();
  for (const [index, { data }] of conversation.entries()) {
    if (data.turnId !== undefined) byTurn.set(data.turnId, [...(byTurn.get(data.turnId) ?? []), index]);
  }
  for (const [at, theirs] of snapshot.entries()) {
    if (match[at] !== null || theirs.turnId === undefined) continue;
    const found = (byTurn.get(theirs.turnId) ?? []).find((index) => {
      const ours = conversation[index];
      return ours !== undefined && !taken.has(index) && isSameMessage(ours.data, theirs);
    });
    if (found === undefined) continue;
    match[at] = found;
    taken.add(found);
  }
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
