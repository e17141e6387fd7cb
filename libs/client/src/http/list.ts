/** One page of a list, and the cursor of the next; null on the last page. */
export interface ListPage<T, C> {
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
  constructor(
    /** The pages, as the server sends them. */
    readonly pages: () => AsyncIterable<readonly T[]>,
  ) {}

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    for await (const page of this.pages()) yield* page;
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
  static of<T, C>(fetchPage: (cursor: C | undefined) => Promise<ListPage<T, C>>, first?: C): List<T> {
    return new List(async function* () {
      for (let cursor: C | undefined = first; ;) {
        const { items, next } = await fetchPage(cursor);
        yield items;
        if (next === null || next === undefined) return;
        cursor = next;
      }
    });
  }
}
