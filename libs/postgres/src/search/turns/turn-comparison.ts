import type { LogEvent } from '@turnkeeper/domain';
import type { Language } from '@turnkeeper/search';
import type pg from 'pg';
import { READABLE } from '../../log/read/event-row.js';
import { indexEvent } from './index-event.js';
import { encodeTurn, SegmentReader, summaryOf } from './turn-segment.js';
import { WordHash } from './word-hash.js';

/** Segments checked per query. */
const AT_ONCE = 500;

/** Differences between the index and the log. */
export interface TurnIndexDrift {
  /** Turns the index should contain. */
  readonly rows: number;
  readonly missing: number;
  readonly surplus: number;
  /** Turns that differ, and segments that do not match their own turns. */
  readonly changed: number;
}
type Kind = 'missing' | 'surplus' | 'changed';

interface ComparedRow {
  readonly session_key: number;
  readonly speakers: readonly string[];
  readonly data: Buffer;
}
interface CheckedRow extends ComparedRow {
  readonly first_sequence: number;
  readonly last_sequence: number;
  readonly last_place: number;
  readonly turns: number;
  readonly words: number;
  readonly first_day: number;
  readonly last_day: number;
  /** Empty until the segment is sealed. */
  readonly terms: readonly number[];
  readonly is_sealed: boolean;
  /** Turns without an event. */
  readonly orphans: number;
}

/** Compares segments with the log, without locks. Events that are deleted meanwhile count on neither side. */
export class TurnComparison {
  private readonly languages = new Map<number, Set<Language>>();

  /** @param pool sees every tenant's rows */
  constructor(private readonly pool: pg.Pool) {}

  /**
   * Compares messages with their turns in the index. The language of an ambiguous text came from earlier turns, which may be
   * gone by now: in that case the stored language is kept.
   *
   * @param events in the order of the log, continuing those of the previous call
   */
  async messages(events: readonly LogEvent<'message.appended'>[]): Promise<TurnIndexDrift> {
    const held = await this.turnsOf(events);
    const found: { readonly kind: Kind; readonly position: number }[] = [];
    let rows = 0;
    for (const event of events) {
      const one = held.get(`${event.sessionKey} ${event.sequence}`);
      const before = one === undefined || one.language === 'en' ? undefined : one.language;
      const turn = indexEvent(event, this.languages, before);
      if (turn !== null) rows += 1;
      const kind = one === undefined ? (turn === null ? null : 'missing') : turn === null ? 'surplus' : null;
      if (kind !== null) found.push({ kind, position: event.position });
      if (one === undefined || turn === null) continue;
      const expected = encodeTurn(turn, one, WordHash.ofMemory(event.tenantId, event.memoryId), [...one.speakers]);
      if (!expected.equals(one.data)) found.push({ kind: 'changed', position: event.position });
    }
    for (const [key, known] of this.languages) {
      if (known.size === 0 || (known.size === 1 && known.has('en'))) this.languages.delete(key);
    }
    const still = found.length === 0 ? new Set() : await this.readable(found.map(({ position }) => position));
    const count = (of: Kind) => found.filter(({ kind, position }) => kind === of && still.has(position)).length;
    return { rows, missing: count('missing'), surplus: count('surplus'), changed: count('changed') };
  }

  /** Number of turns without an event, out of order, or not as the row of their segment says. */
  async faults(): Promise<number> {
    let faults = 0;
    let last = { session_key: 0, first_sequence: 0, last_place: 0 };
    for (;;) {
      const { rows } = await this.pool.query<CheckedRow>({
        name: 'check_turn_segments',
        text: CHECK_SEGMENTS,
        values: [last.session_key, last.first_sequence, AT_ONCE],
      });
      for (const row of rows) {
        const isSound =
          row.data.length > 0 &&
          matches(row) &&
          isInOrder(row, last.session_key === row.session_key ? last.last_place : 0);
        faults += row.orphans + (isSound ? 0 : 1);
        last = row;
      }
      if (rows.length < AT_ONCE) return faults;
    }
  }

  private async turnsOf(events: readonly LogEvent[]) {
    const { rows } = await this.pool.query<ComparedRow>({
      name: 'compared_turn_segments',
      text: READ_COMPARED,
      values: [events.map(({ sessionKey }) => sessionKey), events.map(({ sequence }) => sequence)],
    });
    const turns = new Map<string, HeldTurn>();
    for (const { session_key: key, speakers, data } of rows) {
      for (const turn = new SegmentReader(data); !turn.isOver; turn.next()) {
        const { place, sequence, language } = turn;
        const own = data.subarray(turn.at, turn.at + turn.size);
        turns.set(`${key} ${sequence}`, { place, sequence, language, speakers, data: own });
      }
    }
    return turns;
  }

  private async readable(positions: readonly number[]): Promise<Set<number>> {
    const { rows } = await this.pool.query<{ position: number }>(
      `select e.position::float8 from events e where e.partition = 0 and e.position = any ($1::bigint[]) and ${READABLE}`,
      [positions],
    );
    return new Set(rows.map(({ position }) => position));
  }
}

interface HeldTurn {
  readonly place: number;
  readonly sequence: number;
  readonly language: Language;
  readonly speakers: readonly string[];
  readonly data: Buffer;
}

const matches = (row: CheckedRow): boolean => {
  const { turns, words, firstDay, lastDay, terms, speakers } = summaryOf(row.data, row.is_sealed);
  return (
    [turns, words, firstDay, lastDay].join() === [row.turns, row.words, row.first_day, row.last_day].join() &&
    terms.join() === row.terms.join() &&
    row.speakers.every((name, index) => (name === '') !== speakers.has(index + 1)) &&
    Math.max(0, ...speakers) <= row.speakers.length
  );
};

const isInOrder = (row: CheckedRow, after: number): boolean => {
  let [place, sequence] = [after, row.first_sequence - 1];
  for (const turn = new SegmentReader(row.data); !turn.isOver; turn.next()) {
    if (turn.place <= place || turn.sequence <= sequence) return false;
    ({ place, sequence } = turn);
  }
  return place <= row.last_place && sequence <= row.last_sequence;
};

/** The segments that may have the messages: $1 their sessions, $2 their sequences. */
const READ_COMPARED = `
  select distinct on (t.session_key, t.first_sequence) t.session_key::float8, t.speakers, t.data
  from unnest($1::bigint[], $2::bigint[]) as m (session_key, sequence)
  cross join lateral (
    select i.* from turn_segments i where i.session_key = m.session_key and i.first_sequence <= m.sequence
    order by i.first_sequence desc limit 1
  ) t
  order by t.session_key, t.first_sequence`;

/** Segments after one: $1 its session, $2 its first sequence, $3 limit. */
const CHECK_SEGMENTS = `
  select t.session_key::float8, t.first_sequence::float8, t.last_sequence::float8, t.last_place, t.turns, t.words::float8,
         t.first_day, t.last_day, t.speakers, t.terms, t.is_sealed, t.data, (
           select count(*) from turns_in(t.data) x where not exists (
             select from events e
             where e.session_key = t.session_key and e.sequence = x.sequence and e.type = 'message.appended'
           )
         )::float8 as orphans
  from turn_segments t where (t.session_key, t.first_sequence) > ($1::bigint, $2::bigint)
  order by t.session_key, t.first_sequence limit $3`;
