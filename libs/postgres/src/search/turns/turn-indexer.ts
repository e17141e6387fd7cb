import type { LogEvent } from '@turnkeeper/domain';
import type { Language } from '@turnkeeper/search';
import type pg from 'pg';
import { setTimeout as delay } from 'node:timers/promises';
import { listOf } from '../../connections/database.js';
import { HeardMessages } from '../../log/read/heard-messages.js';
import type { LogReader } from '../../log/read/log-reader.js';
import { timeSlices } from '../time-slices.js';
import { indexEvent } from './index-event.js';
import { SegmentWriter, sealingOf, type SealedRow, type SegmentRow } from './segment-writer.js';
import { TurnComparison, type TurnIndexDrift } from './turn-comparison.js';

/** Maximum turns indexed per statement. A long page has several turns of a session, whose segment is written once. */
const MAX_AT_ONCE = 10_000;
/** Maximum bytes of events read at a time: ten thousand messages of maximum size do not fit into memory. */
const MAX_BYTES = 8 * 1_048_576;
/** Events a reader indexes per step when the index is far behind, and the number of steps. */
export const CATCH_UP = 20_000;
export const MAX_CATCH_UPS = 50;
/** Rebuild without comparing the rest if this many turns are missing and they are the majority of those compared. */
const MOSTLY_MISSING = 5_000;
/** How long a rebuild waits for another process that is indexing turns. */
const WAIT_FOR_OTHERS_MS = 50;

/** How often quiet segments are looked for. */
const SEAL_EVERY_MS = 10_000;
/** Those named by $1 and $2, or if these are null, those of sessions that have been quiet for a minute. */
const READ_SEGMENTS_TO_SEAL = `
  select session_key::float8, first_sequence::float8, xmin::text as version, data from turn_segments
  where not is_sealed and (session_key, first_sequence) in (select * from unnest($1::bigint[], $2::bigint[]))
  union all
  (select session_key::float8, first_sequence::float8, xmin::text, data from turn_segments
   where $1 is null and not is_sealed and changed_at < now() - interval '1 minute' limit 1000)`;

/** The last segments of sessions ($1), and with their data those of messages: $2 their sessions, $3 their sequences. */
const READ_SEGMENTS_TO_CHANGE = `
  select distinct on (t.session_key, t.first_sequence) t.session_key::float8, t.first_sequence::float8,
         t.last_sequence::float8, t.last_place, t.first_position::float8, t.last_position::float8, t.turns,
         octet_length(t.data) as bytes, t.is_sealed, t.speakers, t.languages, case when t.is_read then t.data end as data,
         t.version
  from (
    select l.* from unnest($1::bigint[]) as s (session_key) cross join lateral (
      select i.*, i.xmin::text as version, false as is_read from turn_segments i where i.session_key = s.session_key
      order by i.first_sequence desc limit 1
    ) l
    union all
    select l.* from unnest($2::bigint[], $3::bigint[]) as m (session_key, sequence) cross join lateral (
      select i.*, i.xmin::text as version, true as is_read from turn_segments i
      where i.session_key = m.session_key and i.first_sequence <= m.sequence order by i.first_sequence desc limit 1
    ) l
  ) t order by t.session_key, t.first_sequence, t.is_read desc`;

/** Keeps the turn index near the head of the log. */
export class TurnIndexer {
  private readonly heard: HeardMessages;
  private sealAfter = 0;

  /** @param pool sees every tenant's rows */
  constructor(
    private readonly pool: pg.Pool,
    private readonly log: Pick<LogReader, 'readLogPage' | 'headPosition'>,
  ) {
    this.heard = new HeardMessages(pool);
  }

  async behind(): Promise<number> {
    const [cursor, head] = await Promise.all([this.cursor(), this.log.headPosition()]);
    return Math.max(0, head - cursor);
  }

  /** Updates the index if it is more than this many events behind. */
  async comeNear(most: number): Promise<void> {
    for (let times = 0; times < MAX_CATCH_UPS && (await this.behind()) > most; times += 1) await this.catchUp(CATCH_UP);
  }

  async catchUp(most: number): Promise<number> {
    let cursor = await this.cursor();
    const head = await this.log.headPosition();
    const target = Math.min(head, cursor + most);
    while (cursor < target) {
      const reached = await this.takeIn(cursor, Math.min(target, cursor + MAX_AT_ONCE));
      // Another process is indexing, or a delete must finish first.
      if (reached === null || reached <= cursor) break;
      cursor = reached;
    }
    if (cursor >= head) await this.sealQuiet();
    return Math.max(0, head - cursor);
  }

  /** Quiet segments get their entries in the index of terms, once: as long as turns are added, each step would repeat them. */
  private async sealQuiet(): Promise<void> {
    if (performance.now() < this.sealAfter) return;
    this.sealAfter = performance.now() + SEAL_EVERY_MS;
    await this.seal(null, null);
  }

  /** See `READ_SEGMENTS_TO_SEAL`. */
  private async seal(sessionKeys: readonly number[] | null, firstSequences: readonly number[] | null): Promise<void> {
    const { rows } = await this.pool.query<SealedRow>({
      text: READ_SEGMENTS_TO_SEAL,
      values: [sessionKeys, firstSequences],
    });
    if (rows.length === 0) return;
    await this.pool.query({
      name: 'seal_turn_segments',
      text: 'select seal_turn_segments($1, $2, $3, $4)',
      values: sealingOf(rows),
    });
  }

  /**
   * Compares the index with the whole log and rebuilds it in place if they differ. During a rebuild, searches tokenize
   * the turns that are not indexed yet.
   *
   * @returns the differences found before the rebuild
   */
  async rebuild(options: { readonly onlyCompare: boolean }): Promise<TurnIndexDrift> {
    await this.takeAllIn();
    const before = await this.countTurns();
    const drift = await this.compare(await this.cursor(), !options.onlyCompare);
    if (drift === 'mostly missing') {
      await this.remake();
      const rows = await this.countTurns();
      return { rows, missing: Math.max(1, rows - before), surplus: 0, changed: 0 };
    }
    const differs = drift.missing + drift.surplus + drift.changed > 0;
    if (!options.onlyCompare && differs) await this.remake();
    return drift;
  }

  private async remake(): Promise<void> {
    await this.pool.query('select drop_turns()');
    await this.takeAllIn();
  }

  private async countTurns(): Promise<number> {
    const { rows } = await this.pool.query<{ n: number }>(
      'select coalesce(sum(turns), 0)::float8 as n from turn_segments',
    );
    return rows[0]?.n ?? 0;
  }

  private async takeAllIn(): Promise<void> {
    for (let left = Infinity; left > 0;) {
      const before = left;
      left = await this.catchUp(MAX_AT_ONCE);
      // Another process is indexing.
      if (left >= before) await delay(WAIT_FOR_OTHERS_MS);
    }
  }

  /**
   * Takes no locks: log pages are read while others write, and events deleted in the meantime count on neither side.
   *
   * @param mayStop stop early once most turns are missing
   */
  private async compare(upto: number, mayStop: boolean): Promise<TurnIndexDrift | 'mostly missing'> {
    const drift = { rows: 0, missing: 0, surplus: 0, changed: 0 };
    const comparison = new TurnComparison(this.pool);
    const read = async (after: number) => {
      const { events, through } = await this.readMessages(after, upto);
      return { events: await this.heard.messagesUpTo(events, upto), through };
    };
    let next = read(0);
    for (let after = 0; after < upto;) {
      const { events, through } = await next;
      // Prefetch during the comparison. A failure surfaces when it is awaited.
      next = through < upto ? read(through) : Promise.resolve({ events: [], through });
      next.catch(() => undefined);
      const found = await comparison.messages(events);
      for (const key of ['rows', 'missing', 'surplus', 'changed'] as const) drift[key] += found[key];
      if (mayStop && drift.missing >= MOSTLY_MISSING && 2 * drift.missing > drift.rows) return 'mostly missing';
      after = through;
    }
    return { ...drift, changed: drift.changed + (await comparison.faults()) };
  }

  /** The next messages and interruptions, and the position they reach: the last one, or `upto` if there are no more. */
  private async readMessages(after: number, upto: number) {
    const { events, more } = await this.log.readLogPage(after, {
      ...{ limit: MAX_AT_ONCE, maxBytes: MAX_BYTES },
      ...{ types: ['message.appended', 'message.interrupted'], through: upto },
    });
    return { events, through: more ? (events.at(-1)?.position ?? upto) : upto };
  }

  /** Indexes events after `cursor` up to `upto`. Resolves to the new index position, or null. */
  private async takeIn(cursor: number, upto: number): Promise<number | null> {
    const { events, through } = await this.readMessages(cursor, upto);
    const messages = (await this.heard.messagesUpTo(events, through)).filter(isOfSession);
    const interrupted = (await this.heard.interruptedBy(events, through)).filter(isOfSession);
    const rows = await this.segmentsOf([...messages, ...interrupted], interrupted);
    const languages = new Map<number, Set<Language>>();
    for (const row of rows)
      languages.set(row.session_key, new Set([...(languages.get(row.session_key) ?? []), ...row.languages]));
    const segments = new SegmentWriter(rows);
    const taken: number[] = [];
    // A search does this in ingest if the worker is far behind.
    const work = timeSlices.begin();
    for (const event of messages) {
      if (work.isDue) await work.pause();
      const turn = indexEvent(event, languages);
      if (turn === null) continue;
      segments.add(event, turn);
      taken.push(event.position);
    }
    for (const event of interrupted) segments.replace(event, indexEvent(event, languages));
    const { reached, blocked } = await this.store(cursor, through, taken, segments);
    if (blocked === null) return reached;
    // One of the messages is being deleted: up to it, the rest is indexed.
    return blocked - 1 > cursor ? this.takeIn(cursor, blocked - 1) : cursor;
  }

  private async store(cursor: number, through: number, taken: readonly number[], segments: SegmentWriter) {
    const changed = segments.changed();
    const { rows } = await this.pool.query<{ reached: number | null; blocked: number | null }>({
      name: 'store_turn_segments',
      text: 'select reached::float8, blocked::float8 from store_turn_segments($1, $2, $3, $4, $5, $6, $7, $8, $9)',
      values: [
        ...[cursor, through, listOf(taken)],
        listOf(changed.map(({ sessionKey }) => sessionKey)),
        listOf(changed.map(({ firstSequence }) => firstSequence)),
        changed.map(({ version }) => version),
        JSON.stringify(changed.map(({ row }) => row)),
        changed.map(({ terms }) => terms),
        changed.map(({ data }) => data),
      ],
    });
    const full = changed.filter(({ isToBeSealed }) => isToBeSealed);
    if (rows[0]?.reached === through && full.length > 0) {
      await this.seal(
        full.map(({ sessionKey }) => sessionKey),
        full.map(({ firstSequence }) => firstSequence),
      );
    }
    return rows[0] ?? { reached: null, blocked: null };
  }

  /** The last segment of each session, and those of messages whose turns are to be replaced. */
  private async segmentsOf(messages: readonly Message[], replaced: readonly Message[]): Promise<SegmentRow[]> {
    const { rows } = await this.pool.query<SegmentRow>({
      name: 'turn_segments_to_change',
      text: READ_SEGMENTS_TO_CHANGE,
      values: [
        keysOf(messages),
        replaced.map(({ sessionKey }) => sessionKey),
        replaced.map(({ sequence }) => sequence),
      ],
    });
    return rows;
  }

  private async cursor(): Promise<number> {
    const { rows } = await this.pool.query<{ position: number }>({
      name: 'turn_cursor',
      text: `select position::float8 from question_cursor where name = 'turns'`,
    });
    return rows[0]?.position ?? 0;
  }
}

type Message = LogEvent<'message.appended'> & { readonly sessionKey: number; readonly sequence: number };
const isOfSession = (event: LogEvent<'message.appended'>): event is Message =>
  event.sessionKey !== null && event.sequence !== null;

const keysOf = (events: readonly LogEvent[]): number[] => [
  ...new Set(events.flatMap(({ sessionKey }) => sessionKey ?? [])),
];
