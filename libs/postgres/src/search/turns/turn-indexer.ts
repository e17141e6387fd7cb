import type { LogEvent } from '@turnkeeper/domain';
import { indexTurn, type IndexedTurn, type Language } from '@turnkeeper/search';
import type pg from 'pg';
import { setTimeout as delay } from 'node:timers/promises';
import { HeardMessages } from '../../log/read/heard-messages.js';
import type { LogReader } from '../../log/read/log-reader.js';

/** Maximum turns indexed per statement. The statement locks rows that deletes wait for. */
const MOST_AT_ONCE = 1_000;
/** Maximum bytes of events read at a time: a thousand messages of maximum size do not fit into memory. */
const MOST_BYTES = 8 * 1_048_576;
/**
 * Maximum bytes of events indexed per statement: tokenizing them blocks the event loop of the worker, or of ingest if a
 * search must catch up, for about 25 ms, and the statement takes 70 ms.
 */
const MOST_BYTES_AT_ONCE = 262_144;
/** Rebuild without comparing the rest if this many turns are missing and they are the majority of those compared. */
const MOSTLY_MISSING = 5_000;
/** How long a rebuild waits for another process that is indexing turns. */
const WAIT_FOR_OTHERS_MS = 50;

/** Differences between the index and the log. */
export interface TurnIndexDrift {
  /** Turns the index should contain. */
  readonly rows: number;
  readonly missing: number;
  readonly surplus: number;
  /** Turns that differ, and session or word rows that do not match the index's own turns. */
  readonly changed: number;
}

/** Keeps the turn index near the head of the log. */
export class TurnIndexer {
  private readonly heard: HeardMessages;

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

  async catchUp(most: number): Promise<number> {
    let cursor = await this.cutIndexed();
    const head = await this.log.headPosition();
    const target = Math.min(head, cursor + most);
    while (cursor < target) {
      const reached = await this.takeIn(cursor, Math.min(target, cursor + MOST_AT_ONCE));
      // Another process is indexing, or a delete must finish first.
      if (reached === null || reached <= cursor) break;
      cursor = reached;
    }
    return Math.max(0, head - cursor);
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
    const { rows } = await this.pool.query<{ n: number }>('select count(*)::float8 as n from turns');
    return rows[0]?.n ?? 0;
  }

  private async takeAllIn(): Promise<void> {
    for (let left = Infinity; left > 0;) {
      const before = left;
      left = await this.catchUp(MOST_AT_ONCE);
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
    const languages = new Map<number, Set<Language>>();
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
      const turns = await this.rowsOf(events, languages);
      const { rows } = await this.pool.query<TurnIndexDrift>({
        name: 'compare_turns',
        text: `select rows::float8, missing::float8, surplus::float8, changed::float8 from compare_turns($1, $2, $3)`,
        values: [after, through, JSON.stringify(turns)],
      });
      for (const key of ['rows', 'missing', 'surplus', 'changed'] as const) drift[key] += rows[0]?.[key] ?? 0;
      if (mayStop && drift.missing >= MOSTLY_MISSING && 2 * drift.missing > drift.rows) return 'mostly missing';
      after = through;
    }
    const faults = await this.pool.query<{ n: number }>('select count_turn_faults()::float8 as n');
    return { ...drift, changed: drift.changed + (faults.rows[0]?.n ?? 0) };
  }

  /**
   * Messages as the index should contain them. The language of an ambiguous text came from earlier turns, which may be
   * gone by now. In that case the stored language is kept.
   *
   * @param languages languages per session so far, except English-only sessions; updated with those of the messages
   */
  private async rowsOf(events: readonly LogEvent<'message.appended'>[], languages: Map<number, Set<Language>>) {
    const { rows } = await this.pool.query<{ position: number; language: Language }>({
      name: 'held_languages',
      text: `select e.position::float8, t.language from unnest($1::bigint[]) as a (position)
             join events e on e.partition = 0 and e.position = a.position
             join turns t on t.session_key = e.session_key and t.sequence = e.sequence
             where t.language <> 'en'`,
      values: [events.map(({ position }) => position)],
    });
    const held = new Map(rows.map(({ position, language }) => [position, language]));
    const turns = events.flatMap((event) => {
      const turn = indexEvent(event, languages, held.get(event.position));
      return turn === null ? [] : [rowOf(event.position, turn)];
    });
    for (const [key, known] of languages)
      if (known.size === 0 || (known.size === 1 && known.has('en'))) languages.delete(key);
    return turns;
  }

  /** The next messages and interruptions, and the position they reach: the last one, or `upto` if there are no more. */
  private async readMessages(after: number, upto: number, maxBytes = MOST_BYTES) {
    const { events, more } = await this.log.readLogPage(after, {
      ...{ limit: MOST_AT_ONCE, maxBytes },
      ...{ types: ['message.appended', 'message.interrupted'], through: upto },
    });
    return { events, through: more ? (events.at(-1)?.position ?? upto) : upto };
  }

  /** Indexes events after `cursor` up to `upto`. Resolves to the new index position, or null. */
  private async takeIn(cursor: number, upto: number): Promise<number | null> {
    const { events, through } = await this.readMessages(cursor, upto, MOST_BYTES_AT_ONCE);
    const messages = await this.heard.messagesUpTo(events, through);
    const interrupted = await this.heard.interruptedBy(events, through);
    const languages = await this.languagesOf([...messages, ...interrupted]);
    const turns = messages.flatMap((event) => {
      const turn = indexEvent(event, languages);
      return turn === null ? [] : [rowOf(event.position, turn)];
    });
    const cut = cutRowsOf(interrupted, languages);
    const reached = await this.store(cursor, through, turns, cut, keysOf([...messages, ...interrupted]));
    if (reached !== null && reached > cursor) await this.passCut(cursor, reached);
    return reached;
  }

  /**
   * Cuts turns that a process of an earlier release indexed as they were generated. Repeating it changes nothing.
   *
   * @returns the position of the index
   */
  private async cutIndexed(): Promise<number> {
    let [cursor, after] = await Promise.all([this.cursor(), this.cursor('heard_turns')]);
    while (after < cursor) {
      const { events, more } = await this.log.readLogPage(after, {
        ...{ limit: MOST_AT_ONCE, maxBytes: MOST_BYTES },
        ...{ types: ['message.interrupted'], through: cursor },
      });
      const through = more ? (events.at(-1)?.position ?? cursor) : cursor;
      const interrupted = await this.heard.interruptedBy(events, cursor, cursor);
      if (interrupted.length > 0) {
        const languages = await this.languagesOf(interrupted);
        const reached = await this.store(cursor, cursor, [], cutRowsOf(interrupted, languages), keysOf(interrupted));
        // Another process is indexing: it or the next call continues here.
        if (reached !== cursor) return this.cursor();
      }
      await this.passCut(after, through);
      after = through;
      cursor = await this.cursor();
    }
    return cursor;
  }

  private async store(
    cursor: number,
    through: number,
    turns: readonly object[],
    cut: readonly object[],
    sessionKeys: readonly number[],
  ): Promise<number | null> {
    const { rows } = await this.pool.query<{ reached: number | null }>({
      name: 'index_heard_turns',
      text: 'select index_heard_turns($1, $2, $3, $4, $5)::float8 as reached',
      values: [cursor, through, JSON.stringify(turns), JSON.stringify(cut), sessionKeys],
    });
    return rows[0]?.reached ?? null;
  }

  private async passCut(after: number, through: number): Promise<void> {
    await this.pool.query({
      name: 'pass_heard_turns',
      text: 'select pass_heard_turns($1, $2)',
      values: [after, through],
    });
  }

  private async languagesOf(events: readonly LogEvent[]): Promise<Map<number, Set<Language>>> {
    const keys = keysOf(events);
    const { rows } = await this.pool.query<{ session_key: number; languages: Language[] }>({
      name: 'turn_languages',
      text: 'select session_key::float8, languages from turn_sessions where session_key = any ($1::bigint[])',
      values: [keys],
    });
    return new Map(rows.map((row) => [row.session_key, new Set(row.languages)]));
  }

  private async cursor(name: 'turns' | 'heard_turns' = 'turns'): Promise<number> {
    const { rows } = await this.pool.query<{ position: number }>({
      name: 'turn_cursor',
      text: 'select position::float8 from question_cursor where name = $1',
      values: [name],
    });
    return rows[0]?.position ?? 0;
  }
}

const keysOf = (events: readonly LogEvent[]): number[] => [
  ...new Set(events.flatMap(({ sessionKey }) => sessionKey ?? [])),
];

/**
 * A message in index form.
 *
 * @param languages languages per session; updated with the message's
 * @param before language of a text that does not show its own; default: the session's prevailing language
 */
export const indexEvent = (
  event: LogEvent<'message.appended'>,
  languages: Map<number, Set<Language>>,
  before?: Language,
): IndexedTurn | null => {
  const key = event.sessionKey ?? 0;
  const known = languages.get(key) ?? new Set<Language>();
  languages.set(key, known);
  const turn = indexTurn(event.data, event.occurredAt ?? event.recordedAt, before ?? prevailing(known));
  if (turn !== null) known.add(turn.language);
  return turn;
};

/** Language for an ambiguous text: a non-English language of the session, else English. */
const prevailing = (languages: ReadonlySet<Language>): Language =>
  [...languages].filter((language) => language !== 'en').sort()[0] ?? 'en';

/** `bySpeaker` is not stored: it is set for turns of the speaker that a question names. */
export const TRAIT = { asks: 1, hasQuestion: 2, when: 4, names: 8, user: 32, assistant: 64, bySpeaker: 128 } as const;

const rowOf = (position: number, turn: IndexedTurn) => ({
  position,
  day: turn.day,
  traits: traitBits(turn),
  speaker: turn.speaker,
  language: turn.language,
  words: wordCount(turn),
  terms: [...turn.terms.keys()],
  counts: [...turn.terms.values()].map((count) => Math.min(count, 32_767)),
});

/** What interruptions left of turns; without terms if nothing of a turn is left. */
const cutRowsOf = (interrupted: readonly LogEvent<'message.appended'>[], languages: Map<number, Set<Language>>) =>
  interrupted.map((event) => {
    const turn = indexEvent(event, languages);
    const { sessionKey: session_key, sequence } = event;
    return { session_key, sequence, ...(turn === null ? {} : rowOf(event.position, turn)) };
  });

export const wordCount = (turn: IndexedTurn): number => [...turn.terms.values()].reduce((sum, count) => sum + count, 0);

const traitBits = (turn: IndexedTurn): number =>
  (turn.endsWithQuestion ? TRAIT.asks : 0) +
  (turn.hasQuestion ? TRAIT.hasQuestion : 0) +
  (turn.hasTimeWord ? TRAIT.when : 0) +
  TRAIT.names * Math.round(turn.names * 3) +
  (turn.role === 'user' ? TRAIT.user : 0) +
  (turn.role === 'assistant' ? TRAIT.assistant : 0);
