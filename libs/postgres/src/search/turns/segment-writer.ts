import type { LogEvent } from '@turnkeeper/domain';
import type { IndexedTurn, Language } from '@turnkeeper/search';
import { encodeTurn, SegmentReader, summaryOf } from './turn-segment.js';
import { WordHash } from './word-hash.js';

/** A segment is full with this many turns, or this many bytes: a turn of maximum size takes 24 kB. */
const MAX_TURNS = 64;
const MAX_BYTES = 65_536;

/** A row of `turn_segments` that a step may change. */
export interface SegmentRow {
  readonly session_key: number;
  readonly first_sequence: number;
  readonly last_sequence: number;
  readonly last_place: number;
  readonly first_position: number;
  readonly last_position: number;
  readonly turns: number;
  readonly bytes: number;
  readonly is_sealed: boolean;
  readonly speakers: readonly string[];
  readonly languages: readonly Language[];
  /** Null if turns are only added. */
  readonly data: Buffer | null;
  readonly version: string;
}

type Message = LogEvent<'message.appended'> & { readonly sessionKey: number; readonly sequence: number };

/** Segments of a few sessions, to which turns are added and in which turns are replaced. */
export class SegmentWriter {
  private readonly segments = new Map<string, OpenSegment>();
  private readonly newest = new Map<number, OpenSegment>();

  /** @param rows the last segment of each session, and those with turns to be replaced, in any order */
  constructor(rows: readonly SegmentRow[]) {
    for (const row of rows) {
      const segment = new OpenSegment(row.session_key, row);
      this.segments.set(`${row.session_key} ${row.first_sequence}`, segment);
      const newest = this.newest.get(row.session_key);
      if (newest === undefined || newest.firstSequence < row.first_sequence) this.newest.set(row.session_key, segment);
    }
  }

  /** Adds a turn after all others of its session. */
  add(event: Message, turn: IndexedTurn): void {
    let segment = this.newest.get(event.sessionKey);
    const place = (segment?.lastPlace ?? 0) + 1;
    if (segment === undefined || segment.isFull) {
      segment = new OpenSegment(event.sessionKey, null, segment?.languages);
      this.segments.set(`${event.sessionKey} ${event.sequence}`, segment);
      this.newest.set(event.sessionKey, segment);
    }
    segment.add(place, event, turn, WordHash.ofMemory(event.tenantId, event.memoryId));
  }

  /** Replaces a turn by what is left of it; null: nothing. A turn that is in no segment is left out. */
  replace(event: Message, turn: IndexedTurn | null): void {
    const hash = WordHash.ofMemory(event.tenantId, event.memoryId);
    for (const segment of this.segments.values()) {
      if (segment.sessionKey === event.sessionKey && segment.replace(event.sequence, turn, hash)) return;
    }
  }

  /** The changed segments, as `store_turn_segments` takes them. */
  changed(): ChangedSegment[] {
    return [...this.segments.values()].flatMap((segment) => (segment.isChanged ? [segment.row()] : []));
  }
}

/** A segment to be stored. */
export interface ChangedSegment {
  readonly row: object;
  /** Of the row that was read; null for a new one. */
  readonly version: string | null;
  readonly sessionKey: number;
  readonly firstSequence: number;
  /** As an array of Postgres; empty until the segment is sealed. */
  readonly terms: string;
  /** What is appended to the row, or all of it. Null: nothing of it is left. */
  readonly data: Buffer | null;
  /** No turn will be added to it, but the terms of the turns that it had before are not known here. */
  readonly isToBeSealed: boolean;
}

class OpenSegment {
  isChanged = false;
  firstSequence: number;
  lastPlace: number;
  readonly languages: Set<Language>;
  private lastSequence: number;
  private firstPosition: number;
  private lastPosition: number;
  private turns: number;
  private bytes: number;
  private readonly speakers: string[];
  /** All turns, or those that were added if the others were not read. */
  private readonly parts: Buffer[];
  private readonly isWhole: boolean;
  private isSealed: boolean;

  constructor(
    readonly sessionKey: number,
    private readonly stored: SegmentRow | null,
    languages: Iterable<Language> = stored?.languages ?? [],
  ) {
    this.firstSequence = stored?.first_sequence ?? 0;
    this.lastSequence = stored?.last_sequence ?? 0;
    this.lastPlace = stored?.last_place ?? 0;
    this.firstPosition = stored?.first_position ?? 0;
    this.lastPosition = stored?.last_position ?? 0;
    this.languages = new Set(languages);
    this.turns = stored?.turns ?? 0;
    this.bytes = stored?.bytes ?? 0;
    this.speakers = [...(stored?.speakers ?? [])];
    this.parts = stored?.data == null ? [] : [stored.data];
    this.isWhole = stored === null || stored.data !== null;
    this.isSealed = stored?.is_sealed ?? false;
  }

  get isFull(): boolean {
    return this.turns >= MAX_TURNS || this.bytes >= MAX_BYTES;
  }

  add(place: number, { sequence, position }: Message, turn: IndexedTurn, hash: WordHash): void {
    const data = encodeTurn(turn, { place, sequence }, hash, this.speakers);
    if (this.turns === 0) {
      this.firstSequence = sequence;
      this.firstPosition = position;
    }
    this.lastPosition = position;
    this.parts.push(data);
    this.lastSequence = sequence;
    this.lastPlace = place;
    this.turns += 1;
    this.bytes += data.length;
    this.languages.add(turn.language);
    this.isChanged = true;
    this.isSealed = this.isWhole && this.isFull;
  }

  replace(sequence: number, turn: IndexedTurn | null, hash: WordHash): boolean {
    if (sequence < this.firstSequence || sequence > this.lastSequence) return false;
    const data = Buffer.concat(this.parts);
    for (const found = new SegmentReader(data); !found.isOver; found.next()) {
      if (found.sequence !== sequence) continue;
      const after = data.subarray(found.at + found.size);
      const left = turn === null ? [] : [encodeTurn(turn, found, hash, this.speakers)];
      this.parts.splice(0, this.parts.length, data.subarray(0, found.at), ...left, after);
      if (turn !== null) this.languages.add(turn.language);
      this.isChanged = true;
      return true;
    }
    return false;
  }

  row(): ChangedSegment {
    const data = Buffer.concat(this.parts);
    const { terms, speakers, ...summary } = summaryOf(data, this.isSealed);
    return {
      sessionKey: this.sessionKey,
      firstSequence: this.firstSequence,
      version: this.stored?.version ?? null,
      row: {
        is_whole: this.isWhole,
        last_sequence: this.lastSequence,
        last_place: this.lastPlace,
        first_position: this.firstPosition,
        // An indexed column, which changes only when the segment is sealed.
        last_position: this.isSealed ? this.lastPosition : (this.stored?.last_position ?? this.firstPosition),
        ...{ turns: summary.turns, words: summary.words, first_day: summary.firstDay, last_day: summary.lastDay },
        speakers: this.isWhole
          ? this.speakers.map((name, index) => (speakers.has(index + 1) ? name : ''))
          : this.speakers,
        languages: [...this.languages].sort(),
        is_sealed: this.isSealed,
      },
      terms: arrayOf(terms),
      data: data.length === 0 ? null : data,
      isToBeSealed: this.isFull && !this.isSealed,
    };
  }
}

/** As an array of Postgres: numbers in JSON take three times as long to read. */
const arrayOf = (terms: readonly number[]): string => `{${terms.join(',')}}`;

/** A segment that is to be sealed. */
export interface SealedRow {
  readonly session_key: number;
  readonly first_sequence: number;
  readonly version: string;
  readonly data: Buffer;
}

/** What `seal_turn_segments` takes. */
export const sealingOf = (rows: readonly SealedRow[]) => [
  rows.map(({ session_key: key }) => key),
  rows.map(({ first_sequence: sequence }) => sequence),
  rows.map(({ version }) => version),
  rows.map(({ data }) => arrayOf(summaryOf(data).terms)),
];
