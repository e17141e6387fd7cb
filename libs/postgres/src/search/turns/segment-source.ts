import type { TurnScope } from '@turnkeeper/application';
import type { ScopeSize, TermPostings } from '@turnkeeper/search';
import { listOf } from '../../connections/database.js';
import type { TenantPool } from '../../connections/tenant-pool.js';
import type { HeldScope } from './held-scope.js';
import { inSteps } from '../time-slices.js';
import { ScopeTurns, type ReadSegment } from './scope-turns.js';
import type { Tail } from './tail.js';
import { FIND_SEGMENTS, READ_SEGMENTS } from './turn-search.sql.js';
import { WordHash } from './word-hash.js';

/** Segments that the first stage selects, each with those beside it. */
const CHOSEN = 50;

/** Turns that a ranking looks at, with the postings of a question's stems in the whole scope. */
export interface FoundTurns {
  readonly turns: ScopeTurns;
  readonly size: ScopeSize;
  readonly postings: readonly TermPostings[];
}

/** A row of `find_turn_segments`: how frequent a word is, or a segment. */
type FoundRow =
  | (ReadSegment & { readonly word: null })
  | { readonly word: number; readonly segments: number; readonly sessions: number; readonly session_key: null };

/** Reads the segments of a scope: all of them once, or those that fit a question. */
export class SegmentSource {
  private readonly hashes: WordHash;
  private whole: Promise<ScopeTurns> | undefined;

  /** @param twoStages above this many turns, a first stage selects by words alone */
  constructor(
    private readonly tenants: TenantPool,
    private readonly scope: TurnScope,
    private readonly held: HeldScope,
    private readonly tail: Tail,
    private readonly twoStages: number,
  ) {
    this.hashes = WordHash.ofMemory(scope.tenantId, scope.memoryId);
  }

  /** @param windows days that the question names */
  async find(stems: readonly string[], windows: readonly { from: number; to: number }[]): Promise<FoundTurns> {
    if (this.held.turns > this.twoStages) return this.chosen(stems, windows);
    const turns = await (this.whole ??= this.all());
    return { turns, size: turns.size, postings: await turns.postingsOf(stems) };
  }

  private async all(): Promise<ScopeTurns> {
    const { tenantId, memoryId, actorId, sessionId } = this.scope;
    const { session_key: key, turns } = this.held;
    if (turns === 0) return this.turnsOf([]);
    const [of, values] =
      sessionId !== undefined
        ? (['session', [tenantId, key]] as const)
        : actorId !== undefined
          ? (['actor', [tenantId, memoryId, actorId]] as const)
          : (['memory', [tenantId, memoryId]] as const);
    const { rows } = await this.tenants.query<ReadSegment>(tenantId, {
      name: `turn_segments_of_${of}`,
      text: READ_SEGMENTS[of],
      values: [...values],
    });
    return this.turnsOf(rows);
  }

  private async chosen(
    stems: readonly string[],
    windows: readonly { from: number; to: number }[],
  ): Promise<FoundTurns> {
    const { tenantId, memoryId, actorId, sessionId } = this.scope;
    const { held, tail } = this;
    const size = {
      turns: held.turns + tail.added.length,
      sessions: Math.max(1, held.sessions + tail.newSessions),
      words: held.words + tail.added.reduce((sum, { words }) => sum + words, 0),
    };
    const { rows } = await this.tenants.query<FoundRow>(tenantId, {
      name: 'find_turn_segments',
      text: FIND_SEGMENTS,
      values: [
        tenantId,
        memoryId,
        actorId ?? null,
        sessionId === undefined ? null : (held.session_key ?? 0),
        listOf(stems.map((stem) => this.hashes.of(stem))),
        size.turns,
        CHOSEN,
        listOf(windows.map(({ from }) => from)),
        listOf(windows.map(({ to }) => to)),
      ],
    });
    const counts = new Map<number, { readonly segments: number; readonly sessions: number }>();
    const segments: ReadSegment[] = [];
    for (const row of rows) {
      if (row.word === null) segments.push(row);
      else counts.set(row.word, row);
    }
    const turns = await this.turnsOf(segments);
    const postings = (await turns.postingsOf(stems)).map((term, index) => {
      const all = counts.get(index + 1);
      // Of a frequent word, not all segments were read.
      if (all === undefined || all.segments <= term.segments) return term;
      const perSegment = term.segments === 0 ? 1 : term.turns / term.segments;
      return { ...term, turns: Math.round(perSegment * all.segments), sessions: Math.max(all.sessions, term.sessions) };
    });
    return { turns, size, postings };
  }

  private turnsOf(segments: readonly ReadSegment[]): Promise<ScopeTurns> {
    return inSteps(ScopeTurns.of(segments, this.tail, this.hashes));
  }
}
