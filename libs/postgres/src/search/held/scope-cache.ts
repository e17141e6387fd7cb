/** Something held in memory. */
export interface Held {
  /** Approximate size. It may change while it is held. */
  readonly bytes: number;
}

/** What is not used for this long is forgotten. `search_changes` keeps its rows for much longer. */
const MOST_IDLE_MS = 600_000;
/** Scopes whose searches are counted. */
const MOST_COUNTED = 10_000;
/**
 * Rows that a search may read before it costs as much as loading them all: a scope is loaded once its searches have cost
 * as much as that, so about twice the cost of the better choice at most.
 */
const ROWS_PER_SEARCH = 300;
/** Searches of a scope that is too large until its size is looked at again. */
const REFUSED_FOR = 1_000;

/** The scopes that are searched often, up to a number of bytes; the least recently used are forgotten first. */
export class ScopeCache<T extends Held> {
  private readonly held = new Map<string, { readonly value: T; usedAt: number }>();
  private readonly searches = new Map<string, number>();

  /**
   * @param most maximum number of bytes
   * @param now milliseconds of a monotonic clock
   */
  constructor(
    private readonly most: number,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Number of scopes. */
  get size(): number {
    return this.held.size;
  }

  /** What is held of a scope; does not count as use. */
  peek(key: string): T | undefined {
    return this.held.get(key)?.value;
  }

  get(key: string): T | undefined {
    const now = this.now();
    this.forgetIdle(now);
    const found = this.held.get(key);
    if (found === undefined) return undefined;
    this.held.delete(key);
    found.usedAt = now;
    this.held.set(key, found);
    return found.value;
  }

  /** Holds a scope, unless it does not fit at all. */
  set(key: string, value: T): void {
    if (value.bytes > this.most) return this.refuse(key);
    this.held.delete(key);
    this.held.set(key, { value, usedAt: this.now() });
    this.trim();
  }

  delete(key: string): void {
    this.held.delete(key);
  }

  /** Forgets the least recently used scopes beyond the limit. For after a held scope has grown. */
  trim(): void {
    let bytes = 0;
    for (const { value } of this.held.values()) bytes += value.bytes;
    for (const [key, { value }] of this.held) {
      if (bytes <= this.most) return;
      this.held.delete(key);
      bytes -= value.bytes;
    }
  }

  /**
   * Counts a search of a scope that is not held.
   *
   * @param rows number of rows to load, as far as known
   * @returns whether loading it is worth its cost
   */
  isWorthLoading(key: string, rows: number): boolean {
    if (this.most === 0) return false;
    const searches = (this.searches.get(key) ?? 0) + 1;
    this.searches.delete(key);
    if (searches > 1 && searches * ROWS_PER_SEARCH >= rows) return true;
    this.searches.set(key, searches);
    const [oldest] = this.searches.keys();
    if (this.searches.size > MOST_COUNTED && oldest !== undefined) this.searches.delete(oldest);
    return false;
  }

  /** Notes that a scope is too large to hold. */
  refuse(key: string): void {
    this.searches.set(key, -REFUSED_FOR);
  }

  /** The least recently used come first. */
  private forgetIdle(now: number): void {
    for (const [key, { usedAt }] of this.held) {
      if (now - usedAt <= MOST_IDLE_MS) return;
      this.held.delete(key);
    }
  }
}
