import type { MessageAppended, MessageInterrupted } from '@turnkeeper/domain';
import { matchSnapshot, type Placed } from './snapshot.js';

export interface Snapshot {
  readonly key: string;
  /** Its messages were appended before. One that is not in the log any more was erased. */
  readonly isApplied: boolean;
  /** Oldest first. */
  readonly messages: readonly MessageAppended[];
}

/** A stored message that a snapshot shows shorter than we hold it. */
interface SnapshotCut {
  /** Key of the snapshot. */
  readonly key: string;
  readonly data: MessageInterrupted;
}

/** What snapshots add to a conversation. */
export interface MergedSnapshots {
  /**
   * Messages missing from the log, in the order of the conversation. The log is append-only, so one that belongs before
   * stored messages has `late` in its metadata, and in `precedes` the event id of the message after it.
   */
  readonly messages: readonly StoredMessage[];
  readonly cuts: readonly SnapshotCut[];
}

export interface StoredMessage {
  readonly eventId: string;
  readonly data: MessageAppended;
}

/** A message that snapshots show. */
interface Shown extends Placed {
  /** Ids that it may have in the log: one for each snapshot that shows it. */
  readonly eventIds: readonly string[];
  /** Key of the snapshot that shows it cut short. */
  readonly cutBy: string | null;
  /** An applied snapshot shows it. */
  readonly isApplied: boolean;
}

/**
 * Merges snapshots with the stored messages of the same run. No message of a snapshot is left out, whatever the order in
 * which snapshots arrive; a repeated or shorter snapshot adds nothing.
 *
 * @param held in the order of the log
 * @param snapshots in order of receipt: the new ones, and earlier ones of the run as long as they are known
 * @param idOf id of a message of a snapshot
 */
export const mergeSnapshots = (
  held: readonly StoredMessage[],
  snapshots: readonly Snapshot[],
  idOf: (key: string, index: number) => string,
): MergedSnapshots => {
  const ordered = inConversationOrder(held);
  const known = new Map(ordered.map((message) => [message.eventId, message]));
  const messages: StoredMessage[] = [];
  const cuts: SnapshotCut[] = [];
  for (const part of partsOf(assemble(snapshots, idOf)).toReversed()) {
    const stored = storedOf(part, ordered, known);
    let precedes = placeOf(part, ordered, stored);
    for (const [at, { data, eventIds, cutBy, isApplied }] of [...part.entries()].toReversed()) {
      const ours = stored[at];
      if (ours !== undefined) {
        precedes = ours.eventId;
        if (cutBy !== null && data.content !== ours.data.content) cuts.push(cutOf(ours.eventId, cutBy, data));
      } else if (!isApplied) {
        const late = precedes === null ? {} : { metadata: { ...data.metadata, late: true, precedes } };
        messages.push({ eventId: eventIds[0] ?? '', data: { ...data, ...late } });
      }
    }
  }
  return { messages: messages.toReversed(), cuts: cuts.toReversed() };
};

/** What the snapshots show together, in the order of the conversation as far as they tell it. */
const assemble = (snapshots: readonly Snapshot[], idOf: (key: string, index: number) => string): readonly Shown[] => {
  let shown: readonly Shown[] = [];
  const waiting = [...snapshots];
  while (waiting.length > 0) {
    // One that has something in common with the others first: it may connect them to the rest.
    let match: ReturnType<typeof matchSnapshot> = null;
    const found = waiting.findIndex(({ messages }) => (match = matchSnapshot(shown, messages)) !== null);
    const [snapshot] = waiting.splice(Math.max(found, 0), 1);
    if (snapshot !== undefined) shown = withSnapshot(shown, snapshot, match, idOf);
  }
  return shown;
};

/** Adds what is missing after the message before it; a snapshot that matches nothing by its turns, else at the end. */
const withSnapshot = (
  shown: readonly Shown[],
  { key, isApplied, messages }: Snapshot,
  match: ReturnType<typeof matchSnapshot>,
  idOf: (key: string, index: number) => string,
): readonly Shown[] => {
  const changed = [...shown];
  const inserted = shown.map((): Shown[] => []);
  const end: Shown[] = [];
  let place = match?.find((index) => index !== null) ?? placeByTurns(shown, messages);
  for (const [at, data] of messages.entries()) {
    const index = match?.[at] ?? null;
    const ours = index === null ? undefined : changed[index];
    const cutBy = data.metadata?.['interrupted'] === true ? key : null;
    if (index === null || ours === undefined) {
      (inserted[place] ?? end).push({ data, eventIds: [idOf(key, at)], cutBy, isApplied, isStart: at === 0 });
    } else {
      place = index + 1;
      const cut = cutBy === null || ours.cutBy !== null ? {} : { data, cutBy };
      const eventIds = [...ours.eventIds, idOf(key, at)];
      changed[index] = { ...ours, ...cut, eventIds, isApplied: ours.isApplied || isApplied };
    }
  }
  return [...changed.flatMap((message, index) => [...(inserted[index] ?? []), message]), ...end];
};

/** Divides messages where some may be missing between them. */
const partsOf = (shown: readonly Shown[]): Shown[][] => {
  const parts: Shown[][] = [];
  for (const message of shown) {
    const part = parts.at(-1);
    if (part === undefined || message.isStart) parts.push([message]);
    else part.push(message);
  }
  return parts;
};

/** For each message the stored one: by its id, else, for messages from elsewhere or of a call that has ended, by its words. */
const storedOf = (
  part: readonly Shown[],
  ordered: readonly StoredMessage[],
  known: ReadonlyMap<string, StoredMessage>,
): (StoredMessage | undefined)[] => {
  const byId = part.map(({ eventIds }) => eventIds.flatMap((eventId) => known.get(eventId) ?? [])[0]);
  if (byId.every((message) => message !== undefined)) return byId;
  const conversation = ordered.map(({ data }) => ({ data, isStart: false }));
  const match = matchSnapshot(
    conversation,
    part.map(({ data }) => data),
  );
  const taken = new Set(byId);
  return byId.map((message, at) => {
    const index = match?.[at] ?? null;
    const ours = index === null ? undefined : ordered[index];
    return message ?? (ours === undefined || taken.has(ours) ? undefined : ours);
  });
};

/** The stored message before which the end of a part belongs, by its turns; null: at the end of the conversation. */
const placeOf = (
  part: readonly Shown[],
  ordered: readonly StoredMessage[],
  stored: readonly (StoredMessage | undefined)[],
): string | null => {
  const end = part.slice(stored.findLastIndex((message) => message !== undefined) + 1);
  const place = placeByTurns(
    ordered,
    end.map(({ data }) => data),
  );
  return ordered[place]?.eventId ?? null;
};

const cutOf = (messageEventId: string, key: string, { content, metadata }: MessageAppended): SnapshotCut => {
  const stamp = metadata?.['interrupt_timestamp'];
  const interruptTimestamp = typeof stamp === 'number' ? { interruptTimestamp: stamp } : {};
  return { key, data: { messageEventId, heard: content, ...interruptTimestamp } };
};

/** Late messages were appended after those they belong before. */
const inConversationOrder = (held: readonly StoredMessage[]): StoredMessage[] => {
  const ordered = held.filter((message) => precededBy(message) === undefined);
  for (const message of held) {
    if (precededBy(message) === undefined) continue;
    const at = ordered.findIndex(({ eventId }) => eventId === precededBy(message));
    ordered.splice(at === -1 ? ordered.length : at, 0, message);
  }
  return ordered;
};

const precededBy = ({ data: { metadata } }: StoredMessage): unknown =>
  metadata?.['late'] === true ? metadata['precedes'] : undefined;

const placeByTurns = (
  conversation: readonly { readonly data: MessageAppended }[],
  messages: readonly MessageAppended[],
): number => {
  const turns = messages.flatMap(({ turnId }) => turnId ?? []);
  const [oldest, newest] = [turns.at(0), turns.at(-1)];
  if (oldest === undefined || newest === undefined) return conversation.length;
  const later = conversation.findIndex(
    ({ data: { turnId } }) => turnId !== undefined && (turnId > newest || (turnId === newest && turnId > oldest)),
  );
  return later === -1 ? conversation.length : later;
};
