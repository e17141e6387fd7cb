import { TurnTable, type Language, type TermPostings } from '@turnkeeper/search';
import { groupedBySession, integersIn, traitsFrom, type HeldTurn } from '../turns/postings.js';
import { hashText, wordKey, type Hash64 } from './hash-text.js';
import type { Held } from './scope-cache.js';

/** A row of `list_held_turns`. */
export interface SessionRow {
  readonly session_key: number;
  readonly words: number;
  readonly first_day: number;
  readonly last_day: number;
  readonly speakers: readonly string[];
  readonly languages: readonly Language[];
  /** `place sequence day traits speaker words (word count …),…` */
  readonly turns: string | null;
}

interface HeldSession {
  readonly turns: number;
  readonly words: number;
  readonly firstDay: number;
  readonly lastDay: number;
  readonly speakers: readonly string[];
  readonly languages: readonly Language[];
  /** The distinct words of its turns. */
  readonly keys: ReadonlySet<number>;
}

/** What `turn_scope` says of the same turns. */
export interface TurnsSummary {
  readonly sessions: number;
  readonly turns: number;
  readonly words: number;
  readonly first_day: number | null;
  readonly last_day: number | null;
  readonly speakers: readonly string[];
  readonly languages: readonly Language[];
}

/** Numbers before the words of a turn. */
const HEAD = 6;
/** Numbers per posting: session, place, count, words. */
const PER_POSTING = 4;
/** Measured: arrays have some room to grow. */
const BYTES = { ofPosting: 48, ofTurn: 300, ofWord: 200 };
const MOST_LANGUAGES = 3;
/** A language of fewer than one in ten sessions is not used to parse questions. */
const FEWEST_SESSIONS = 0.1;

/** An actor's indexed turns in memory: the index in Postgres, read once. */
export class HeldTurns implements Held {
  /** Traits by session and place. */
  readonly table = new TurnTable<HeldTurn>();
  private readonly sessions = new Map<number, HeldSession>();
  private readonly wordsOf = new Map<number, number>();
  /** By word: `session place count words …` */
  private readonly postings = new Map<number, number[]>();
  private count = { turns: 0, postings: 0 };
  private known: TurnsSummary | undefined;
  private changes = 0;

  /** @param seed of the memory's words */
  constructor(private readonly seed: Hash64) {}

  get bytes(): number {
    const { turns, postings } = this.count;
    return turns * BYTES.ofTurn + postings * BYTES.ofPosting + this.postings.size * BYTES.ofWord;
  }

  /** Number of turns in all sessions. */
  get turns(): number {
    return this.count.turns;
  }

  /** Differs after every change. */
  get revision(): number {
    return this.changes;
  }

  /** Number of turns in a session; 0 for unknown ones. */
  turnsIn(session: number): number {
    return this.sessions.get(session)?.turns ?? 0;
  }

  /** Replaces a session's turns. */
  set(row: SessionRow): void {
    this.delete(row.session_key);
    const { session_key: session, speakers, words } = row;
    const keys = new Set<number>();
    let turns = 0;
    for (const packed of row.turns?.split(',') ?? []) {
      const numbers = integersIn(packed);
      const field = (at: number) => numbers[at] as number;
      const [place, ofTurn] = [field(0), field(5)];
      this.table.set(session, place, traitsFrom(field(2), field(3), speakers[field(4) - 1] ?? null, field(1)));
      turns += 1;
      for (let at = HEAD; at + 1 < numbers.length; at += 2) {
        const key = field(at);
        keys.add(key);
        const places = this.postings.get(key);
        if (places === undefined) this.postings.set(key, [session, place, field(at + 1), ofTurn]);
        else places.push(session, place, field(at + 1), ofTurn);
        this.count.postings += 1;
      }
    }
    this.count.turns += turns;
    this.wordsOf.set(session, words);
    const { first_day: firstDay, last_day: lastDay, languages } = row;
    this.sessions.set(session, { turns, words, firstDay, lastDay, speakers, languages, keys });
  }

  delete(session: number): void {
    this.known = undefined;
    this.changes += 1;
    const held = this.sessions.get(session);
    if (held === undefined) return;
    for (const key of held.keys) {
      const all = this.postings.get(key) ?? [];
      const left = withoutSession(all, session);
      this.count.postings -= (all.length - left.length) / PER_POSTING;
      if (left.length === 0) this.postings.delete(key);
      else this.postings.set(key, left);
    }
    this.count.turns -= held.turns;
    this.table.deleteSession(session);
    this.wordsOf.delete(session);
    this.sessions.delete(session);
  }

  summary(): TurnsSummary {
    return (this.known ??= summaryOf([...this.sessions.values()]));
  }

  /** The postings of each stem, including stems that occur in no turn. */
  postingsOf(stems: readonly string[]): TermPostings[] {
    return stems.map((term) => {
      const places = this.postings.get(wordKey(hashText(term, this.seed))) ?? [];
      const postings = groupedBySession(places, this.wordsOf);
      return { term, turns: places.length / PER_POSTING, sessions: postings.length, postings };
    });
  }

  /** Turns from a range of days, by session and place; at most `most`. */
  fromDays(from: number, to: number, most: number): (readonly [session: number, place: number])[] {
    const found: (readonly [session: number, place: number])[] = [];
    for (const [session, { firstDay, lastDay }] of this.sessions) {
      if (firstDay > to || lastDay < from) continue;
      for (const [place, { day }] of this.table.ofSession(session)) {
        if (day >= from && day <= to) found.push([session, place]);
      }
    }
    return found.sort((a, b) => a[0] - b[0] || a[1] - b[1]).slice(0, most);
  }
}

const withoutSession = (postings: readonly number[], session: number): number[] => {
  const left: number[] = [];
  for (let at = 0; at < postings.length; at += PER_POSTING) {
    if (postings[at] === session) continue;
    for (let field = at; field < at + PER_POSTING; field += 1) left.push(postings[field] as number);
  }
  return left;
};

const summaryOf = (sessions: readonly HeldSession[]): TurnsSummary => {
  const sum = (of: 'turns' | 'words') => sessions.reduce((all, session) => all + session[of], 0);
  const spoken = new Map<Language, number>();
  for (const { languages } of sessions) for (const one of languages) spoken.set(one, (spoken.get(one) ?? 0) + 1);
  const languages = [...spoken]
    .filter(([, count]) => count >= FEWEST_SESSIONS * sessions.length)
    .sort(([a, most], [b, count]) => count - most || (a < b ? -1 : 1))
    .map(([language]) => language)
    .slice(0, MOST_LANGUAGES);
  return {
    ...{ sessions: sessions.length, turns: sum('turns'), words: sum('words') },
    first_day:
      sessions.length === 0 ? null : sessions.reduce((least, { firstDay }) => Math.min(least, firstDay), Infinity),
    last_day: sessions.length === 0 ? null : sessions.reduce((most, { lastDay }) => Math.max(most, lastDay), -Infinity),
    speakers: [...new Set(sessions.flatMap(({ speakers }) => speakers))].sort().slice(0, 100),
    languages,
  };
};
