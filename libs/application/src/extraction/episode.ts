import { episodeSlot, slotOf, type Candidate, type Slot, type WindowMessage } from '@turnkeeper/domain';
import type { Ports } from '../ports.js';
import type { Ids } from '../shared/clock.port.js';
import { scopeOf, type EventStore } from '../log/event-store.port.js';
import type { ExtractionClaim } from './extraction-claims.port.js';
import type { RecordWriter } from '../records/record-writer.port.js';
import type { RecordReader } from '../records/record-reader.port.js';
import { READABLE } from './session-window.js';
import { readableMessages } from './window.js';

/** A session's episode so far. */
interface Episode {
  /** Null if no window has made one, if it was erased, or if it quotes what was not heard. */
  readonly text: string | null;
  /** The session's first message, and the passages that the episode cites; oldest first. */
  readonly turns: readonly WindowMessage[];
}

/** Facts without a subject are about the actor. The key does not contain the actor's name, so that erasure removes it. */
export const slotOfActor =
  (ids: Ids, { actorId }: Pick<ExtractionClaim, 'actorId'>) =>
  (candidate: Candidate): Slot | null =>
    slotOf(candidate, ids.derive('actor', actorId));

/** All records of one session fill this slot, so that each replaces the one before. */
export const slotOfSession =
  (ids: Ids, { actorId, sessionId }: Pick<ExtractionClaim, 'actorId' | 'sessionId'>) =>
  ({ text }: { readonly text: string }): Slot =>
    episodeSlot(ids.derive('episode', actorId, sessionId), ids.derive('episode.text', text));

export const readEpisode = async (
  deps: Pick<Ports, 'unitOfWork' | 'eventStore' | 'ids'> & {
    readonly records: Pick<RecordReader, 'find'>;
    readonly recordWriter: Pick<RecordWriter, 'known'>;
  },
  claim: ExtractionClaim,
  namespace: string,
): Promise<Episode> => {
  const { unitOfWork, records, recordWriter, ids } = deps;
  // Nothing was read before; a replay of a parked window may follow later ones.
  if (claim.watermark === 0 && claim.replayThrough === null) return { text: null, turns: [] };
  const { key } = slotOfSession(ids, claim)({ text: '' });
  const known = await unitOfWork.run((tx) =>
    recordWriter.known(tx, claim.memoryId, namespace, { factKeys: [], slotKeys: [key] }),
  );
  const newest = known.at(-1);
  const record = newest === undefined ? null : await records.find(claim.tenantId, claim.memoryId, newest.recordId);
  const quotes = new Map<number, string[]>();
  for (const { sequence, quote } of record?.sources ?? []) {
    quotes.set(sequence, [...(quotes.get(sequence) ?? []), quote]);
  }
  const [first] = await messagesFrom(deps.eventStore, claim, 0, OPENING);
  const turns = new Map(first === undefined ? [] : [[first.sequence, first]]);
  let isHeard = true;
  for (const [sequence, passages] of quotes) {
    const [turn] = await messagesFrom(deps.eventStore, claim, sequence - 1, 1);
    const heard = passages.filter((passage) => turn?.sequence === sequence && turn.content.includes(passage));
    isHeard &&= heard.length === passages.length;
    if (turn !== undefined && heard.length > 0 && !turns.has(sequence)) {
      // Only what the episode quotes.
      turns.set(sequence, { ...turn, content: heard.join('\n') });
    }
  }
  return {
    // An episode that quotes what an interruption has cut since is withdrawn with this window.
    text: isHeard ? (record?.text ?? null) : null,
    turns: [...turns.values()].toSorted((one, other) => one.sequence - other.sequence),
  };
};

/** Enough events to find the first message with text. */
const OPENING = 10;

const messagesFrom = async (
  eventStore: EventStore,
  claim: ExtractionClaim,
  after: number,
  limit: number,
): Promise<WindowMessage[]> => {
  const read = { after, types: READABLE, order: 'oldest-first', limit } as const;
  return readableMessages(await eventStore.readSession(scopeOf(claim), read));
};
