import type { LogEvent } from '@turnkeeper/domain';
import type { IndexedTurn, Language } from '@turnkeeper/search';
import { eventOf, type EventRow } from '../../log/read/event-row.js';
import { timeSlices } from '../time-slices.js';
import { indexEvent } from './index-event.js';
import { wordCount } from './turn-segment.js';

/** A turn as it was heard, at the place that it will have in the index. */
interface TailTurn {
  readonly event: LogEvent<'message.appended'>;
  readonly session: number;
  readonly place: number;
  readonly turn: IndexedTurn;
  /** Its word count, without stop words. */
  readonly words: number;
}

/** Messages in the log that the index does not contain yet. */
export interface Tail {
  /** Those that are not indexed. */
  readonly added: readonly TailTurn[];
  /** Those that are indexed, and were interrupted since, as they were heard. */
  readonly cut: readonly LogEvent<'message.appended'>[];
  /** Number of sessions with added turns of which nothing is indexed. */
  readonly newSessions: number;
}

/** A message of the tail, with what the index holds of its session. */
export interface TailRow extends EventRow {
  /** Null: nothing of the session is indexed. */
  readonly last_place: number | null;
  readonly session_languages: readonly Language[] | null;
}

/**
 * Tokenizes messages in the same way as the index, and gives them the places that it will. A long tail does not block the
 * event loop.
 *
 * @param indexed position up to which messages are indexed
 */
export const tailOf = async (rows: readonly TailRow[], indexed: number): Promise<Tail> => {
  const last = new Map<number, number>();
  const languages = new Map<number, Set<Language>>();
  for (const { session_key: key, last_place, session_languages } of rows) {
    if (key === null || last.has(key)) continue;
    last.set(key, last_place ?? 0);
    languages.set(key, new Set(session_languages));
  }
  const added: TailTurn[] = [];
  const cut: LogEvent<'message.appended'>[] = [];
  const work = timeSlices.begin();
  for (const row of [...rows].sort((a, b) => a.position - b.position)) {
    const event = eventOf(row) as LogEvent<'message.appended'>;
    const { sessionKey: session } = event;
    if (session === null) continue;
    if (event.position <= indexed) {
      cut.push(event);
      continue;
    }
    if (work.isDue) await work.pause();
    const turn = indexEvent(event, languages);
    if (turn === null) continue;
    const place = (last.get(session) ?? 0) + 1;
    last.set(session, place);
    added.push({ event, session, place, turn, words: wordCount(turn) });
  }
  const begun = new Set(rows.flatMap(({ session_key: key, last_place }) => (last_place === null ? [] : [key])));
  const newSessions = new Set(added.flatMap(({ session }) => (begun.has(session) ? [] : [session])));
  return { added, cut, newSessions: newSessions.size };
};
