import { beyondReach } from '../../connections/row-reach.js';
import type { Held, ScopeCache } from './scope-cache.js';

/** What the database says about a held scope. */
export interface Check<K> {
  /** Snapshot of this answer. */
  readonly asOf: string;
  /** Keys of the rows that changed since; null if that is unknown. */
  readonly changed: readonly K[] | null;
}

/** Reads a kind of scope from the database and into memory. */
export interface ScopeSource<S, K, H extends Held, C extends Check<K>> {
  keyOf(scope: S): string;
  create(scope: S): H;
  /** @param since snapshot of what is held; null if nothing is */
  check(scope: S, since: string | null): Promise<C>;
  /** Reads all rows into `held`, in steps that do not block the process. Resolves to false if there are too many. */
  readAll(scope: S, held: H): Promise<boolean>;
  /** Reads rows again; resolves to what puts them into `held`. */
  read(scope: S, changed: readonly K[]): Promise<(held: H) => void>;
  /** Whether reading the rows again costs more than a search without them. */
  isTooMuch(held: H, changed: readonly K[]): boolean;
}

/** Attempts to reach a state without changes in between. */
const MOST_ROUNDS = 3;

/**
 * Scopes held in memory, each checked against the database before it is used: the check returns what has changed since
 * the snapshot of what is held, and that is read again. A search therefore sees everything committed before it.
 */
export class HeldScopes<S, K, H extends Held, C extends Check<K>> {
  private isLoading = false;

  constructor(
    private readonly source: ScopeSource<S, K, H, C>,
    private readonly cache: ScopeCache<HeldEntry<H>>,
  ) {}

  /** What is held of a scope, as of its last search. */
  peek(scope: S): H | undefined {
    return this.cache.peek(this.source.keyOf(scope))?.held;
  }

  /** The scope as it is now; null if it is not held, or changes too much or too often. */
  open(scope: S): Promise<{ readonly held: H; readonly check: C } | null> {
    // What is held is shared by all callers: rows that a restricted one may not see are hidden when they are read by id.
    return beyondReach(() => this.current(scope));
  }

  private async current(scope: S): Promise<{ readonly held: H; readonly check: C } | null> {
    const key = this.source.keyOf(scope);
    const entry = this.cache.get(key);
    if (entry === undefined) return null;
    for (let round = 0; round < MOST_ROUNDS; round += 1) {
      const { asOf: since, puts } = entry;
      const check = await this.source.check(scope, since);
      const { changed } = check;
      if (changed === null || this.source.isTooMuch(entry.held, changed)) {
        this.cache.delete(key);
        return null;
      }
      // Another search has put what it read meanwhile, maybe of an earlier state. One that has only moved `asOf` has
      // changed nothing, and does so whenever any transaction of the server has ended.
      if (entry.puts !== puts) continue;
      if (changed.length === 0) {
        entry.asOf = check.asOf;
        return { held: entry.held, check };
      }
      const put = await this.source.read(scope, changed);
      // Two searches may do this at the same time. What is put is as of the check or later, so the state always says what
      // to read again.
      put(entry.held);
      entry.puts += 1;
      entry.asOf = check.asOf;
      this.cache.trim();
    }
    // Other searches keep putting what they read. It stays held: the next search finds little left to read.
    return null;
  }

  /** Notes a search of a scope that is not held, and loads it if that is worth its cost. Returns immediately. */
  searched(scope: S, rows: number): void {
    const key = this.source.keyOf(scope);
    // Some searches of a held scope are left to Postgres.
    if (this.isLoading || this.cache.peek(key) !== undefined || !this.cache.isWorthLoading(key, rows)) return;
    this.isLoading = true;
    void beyondReach(() => this.load(scope, key))
      // Searches work without it, and a database that is away is reported by them.
      .catch(() => undefined)
      .finally(() => {
        this.isLoading = false;
      });
  }

  private async load(scope: S, key: string): Promise<void> {
    const { asOf } = await this.source.check(scope, null);
    const held = this.source.create(scope);
    if (await this.source.readAll(scope, held)) this.cache.set(key, new HeldEntry(held, asOf));
    else this.cache.refuse(key);
  }
}

/** A held scope and what is known of its state. */
class HeldEntry<H extends Held> implements Held {
  /** How often rows have been put into it. */
  puts = 0;

  /** @param asOf snapshot from which on changes have not been read */
  constructor(
    readonly held: H,
    public asOf: string,
  ) {}

  get bytes(): number {
    return this.held.bytes;
  }
}
