/** Continues a list: a text, or a number where the server counts. */
type Cursor = string | number;

/** One page of a list, and the cursor of the next; null on the last page. */
export interface ListPage<T, C = Cursor> {
  readonly items: readonly T[];
  readonly next: C | null;
}

/**
 * A list of any length: pages are requested while it is iterated.
 *
 * @example
 * for await (const memory of turnkeeper.memories.list()) console.log(memory.name);
 */
export class List<T> implements AsyncIterable<T> {
  private constructor(
    private readonly fetchPage: (cursor: Cursor | undefined) => Promise<ListPage<T>>,
    private readonly first: Cursor | undefined,
  ) {}

  /** The pages, as the server sends them. @param after `next` of a page: the list continues behind it */
  async *pages(after = this.first): AsyncGenerator<ListPage<T>, void, undefined> {
    for (let cursor: Cursor | null | undefined = after; cursor !== null;) {
      const { items, next } = await this.fetchPage(cursor);
      cursor = next ?? null;
      yield { items, next: cursor };
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    for await (const { items } of this.pages()) yield* items;
  }

  /** The items as an array. @param limit the most to read; default: all */
  async toArray(limit = Infinity): Promise<T[]> {
    const items: T[] = [];
    if (limit <= 0) return items;
    for await (const item of this) {
      items.push(item);
      if (items.length >= limit) break;
    }
    return items;
  }

  /** @param first the cursor to begin with; undefined: at the start */
  static of<T, C extends Cursor>(fetchPage: (cursor: C | undefined) => Promise<ListPage<T, C>>, first?: C): List<T> {
    return new List(fetchPage as (cursor: Cursor | undefined) => Promise<ListPage<T>>, first);
  }
}
