import type { LogEvent } from '@turnkeeper/domain';
import { indexTurn, type IndexedTurn, type Language } from '@turnkeeper/search';
import type pg from 'pg';
import { setTimeout as delay } from 'node:timers/promises';
import type { LogReader } from '../read/log-reader.js';

/** Turns that one statement takes in: it locks what a deletion waits for. */
const MOST_AT_ONCE = 1_000;
/** Bytes of events that are read at a time: a thousand of the largest messages are more than a process holds. */
const MOST_BYTES = 8 * 1_048_576;
/** So many missing turns, if they are most of those looked at, are reason enough to make the index again. */
const MOSTLY_MISSING = 5_000;
/** How long a rebuild waits for another process that is taking turns in. */
const WAIT_FOR_OTHERS_MS = 50;

/** How the index differs from what the log says. */
export interface TurnIndexDrift {
  /** Turns that it should hold. */
  readonly rows: number;
  readonly missing: number;
  readonly surplus: number;
  /** Turns that it holds otherwise, and sessions and words that do not fit its own turns. */
  readonly changed: number;
}

/** Keeps the words of turns near the log's head (migration 0170). */
export class TurnIndexer {
  /** @param pool sees every tenant's rows */
  constructor(
    private readonly pool: pg.Pool,
    private readonly log: Pick<LogReader, 'readLogPage' | 'headPosition'>,
  ) {}

  async behind(): Promise<number> {
    const [cursor, head] = await Promise.all([this.cursor(), this.log.headPosition()]);
    return Math.max(0, head - cursor);
  }

  async catchUp(most: number): Promise<number> {
    let cursor = await this.cursor();
    const head = await this.log.headPosition();
    const target = Math.min(head, cursor + most);
    while (cursor < target) {
      const reached = await this.takeIn(cursor, Math.min(target, cursor + MOST_AT_ONCE));
      // Another process is at it, or a deletion has to end first.
      if (reached === null || reached <= cursor) break;
      cursor = reached;
    }
    return Math.max(0, head - cursor);
  }

  /**
   * Compares the index with the whole log and, where they differ, makes it again in its place: a search meanwhile cuts
   * into words what it does not find there.
   *
   * @returns how they differed before
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
      // Another process is at it.
      if (left >= before) await delay(WAIT_FOR_OTHERS_MS);
    }
  }

  /**
   * Nothing is locked: the log's pages are read while others write, and what is gone by then counts on neither side.
   *
   * @param mayStop where most of some pages is missing, the rest need not be compared
   */
  private async compare(upto: number, mayStop: boolean): Promise<TurnIndexDrift | 'mostly missing'> {
    const drift = { rows: 0, missing: 0, surplus: 0, changed: 0 };
    const languages = new Map<number, Set<Language>>();
    const read = (after: number) => this.readMessages(after, upto);
    let next = read(0);
    for (let after = 0; after < upto;) {
      const { events, through } = await next;
      // Read while this page is compared. A failure shows when it is awaited.
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
   * Messages as the index should hold them. A text that does not show its language was taken for that of turns before it,
   * which may be gone by now: what the index holds then stands.
   *
   * @param languages of sessions so far, but those that are English only; learns those of the messages
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

  /** The next messages, and the position that they reach: that of the last one, or `upto` where there are no more. */
  private async readMessages(after: number, upto: number) {
    const page = await this.log.readLogPage(after, {
      ...{ limit: MOST_AT_ONCE, maxBytes: MOST_BYTES },
      ...{ types: ['message.appended'], through: upto },
    });
    const events = page.events as readonly LogEvent<'message.appended'>[];
    return { events, through: page.more ? (events.at(-1)?.position ?? upto) : upto };
  }

  /** Takes in what lies after `cursor` up to `upto`; resolves to how far the index is then, or null. */
  private async takeIn(cursor: number, upto: number): Promise<number | null> {
    const { events: messages, through } = await this.readMessages(cursor, upto);
    const languages = await this.languagesOf(messages);
    const turns = messages.flatMap((event) => {
      const turn = indexEvent(event, languages);
      return turn === null ? [] : [rowOf(event.position, turn)];
    });
    const { rows } = await this.pool.query<{ reached: number | null }>({
      name: 'index_turns',
      text: 'select index_turns($1, $2, $3)::float8 as reached',
      values: [cursor, through, JSON.stringify(turns)],
    });
    return rows[0]?.reached ?? null;
  }

  private async languagesOf(events: readonly LogEvent[]): Promise<Map<number, Set<Language>>> {
    const keys = [...new Set(events.map(({ sessionKey }) => sessionKey))];
    const { rows } = await this.pool.query<{ session_key: number; languages: Language[] }>({
      name: 'turn_languages',
      text: 'select session_key::float8, languages from turn_sessions where session_key = any ($1::bigint[])',
      values: [keys],
    });
    return new Map(rows.map((row) => [row.session_key, new Set(row.languages)]));
  }

  private async cursor(): Promise<number> {
    const { rows } = await this.pool.query<{ position: number }>({
      name: 'turn_cursor',
      text: `select position::float8 from question_cursor where name = 'turns'`,
    });
    return rows[0]?.position ?? 0;
  }
}

/**
 * A message as the index holds it.
 *
 * @param languages those of each session so far; learns the message's
 * @param before the language of a text that does not show its own; default: what prevails in its session
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

/** For a text that does not show its language: one of the session's that is not English, else English. */
const prevailing = (languages: ReadonlySet<Language>): Language =>
  [...languages].filter((language) => language !== 'en').sort()[0] ?? 'en';

export const TRAIT = { asks: 1, hasQuestion: 2, when: 4, names: 8, user: 32, assistant: 64 } as const;

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

export const wordCount = (turn: IndexedTurn): number => [...turn.terms.values()].reduce((sum, count) => sum + count, 0);

const traitBits = (turn: IndexedTurn): number =>
  (turn.endsWithQuestion ? TRAIT.asks : 0) +
  (turn.hasQuestion ? TRAIT.hasQuestion : 0) +
  (turn.hasTimeWord ? TRAIT.when : 0) +
  TRAIT.names * Math.round(turn.names * 3) +
  (turn.role === 'user' ? TRAIT.user : 0) +
  (turn.role === 'assistant' ? TRAIT.assistant : 0);
