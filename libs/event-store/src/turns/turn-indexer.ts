import type { LogEvent } from '@turnkeeper/domain';
import { indexTurn, type IndexedTurn, type Language } from '@turnkeeper/search';
import type pg from 'pg';
import type { LogReader } from '../read/log-reader.js';

/** Turns that one statement takes in: it locks what a deletion waits for. */
const MOST_AT_ONCE = 1_000;

export interface TurnIndexHash {
  readonly rows: number;
  readonly hash: string;
}

/** Keeps the words of turns near the log's head (migration 0170). */
export class TurnIndexer {
  /** @param pool sees every tenant's rows */
  constructor(
    private readonly pool: pg.Pool,
    private readonly log: Pick<LogReader, 'readLog' | 'headPosition'>,
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

  /** Empties the index and makes it again from the whole log; resolves to what it held before and holds now. */
  async rebuild(): Promise<{ readonly before: TurnIndexHash; readonly after: TurnIndexHash }> {
    while ((await this.catchUp(MOST_AT_ONCE)) > 0);
    const before = await this.hash();
    await this.pool.query('select drop_turns()');
    while ((await this.catchUp(MOST_AT_ONCE)) > 0);
    return { before, after: await this.hash() };
  }

  private async hash(): Promise<TurnIndexHash> {
    const { rows } = await this.pool.query<TurnIndexHash>('select rows::float8, hash from hash_turns()');
    return rows[0] as TurnIndexHash;
  }

  /** Takes in what lies after `cursor` up to `upto`; resolves to how far the index is then, or null. */
  private async takeIn(cursor: number, upto: number): Promise<number | null> {
    const events = await this.log.readLog(cursor, MOST_AT_ONCE, ['message.appended'], upto);
    const messages = events as LogEvent<'message.appended'>[];
    const languages = await this.languagesOf(messages);
    const turns = messages.flatMap((event) => {
      const turn = indexEvent(event, languages);
      return turn === null ? [] : [rowOf(event.position, turn)];
    });
    const { rows } = await this.pool.query<{ reached: number | null }>({
      name: 'index_turns',
      text: 'select index_turns($1, $2, $3)::float8 as reached',
      values: [cursor, upto, JSON.stringify(turns)],
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

/** A message as the index holds it. `languages` knows those of each session so far, and learns the message's. */
export const indexEvent = (
  event: LogEvent<'message.appended'>,
  languages: Map<number, Set<Language>>,
): IndexedTurn | null => {
  const key = event.sessionKey ?? 0;
  const known = languages.get(key) ?? new Set<Language>();
  languages.set(key, known);
  const turn = indexTurn(event.data, event.occurredAt ?? event.recordedAt, prevailing(known));
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
