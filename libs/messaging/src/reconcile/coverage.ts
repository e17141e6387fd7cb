/**
 * The events covered by the messages of a stream. A message id contains a memory and the first and last position of its
 * events in one page of the log; it covers all of the memory's events in between.
 */
export class Coverage {
  private readonly ranges = new Map<string, Range[]>();
  private isSorted = true;
  private lowest = Number.POSITIVE_INFINITY;
  private count = 0;

  /** Ignores ids that were not created by a relay. */
  add(messageId: string): void {
    const match = MESSAGE_ID.exec(messageId);
    if (match === null) return;
    const [, memoryId = '', first, last] = match;
    const range = { first: Number(first), last: Number(last), reach: Number(last) };
    const known = this.ranges.get(memoryId);
    if (known === undefined) this.ranges.set(memoryId, [range]);
    else known.push(range);
    this.isSorted = false;
    this.count += 1;
    this.lowest = Math.min(this.lowest, range.first);
  }

  /** Number of recognized messages. */
  get messages(): number {
    return this.count;
  }

  /** The lowest position covered; infinite if there are no messages. */
  get lowestPosition(): number {
    return this.lowest;
  }

  has(memoryId: string, position: number): boolean {
    if (!this.isSorted) this.sort();
    const ranges = this.ranges.get(memoryId);
    if (ranges === undefined) return false;
    // Find the last range that starts at or before the position. `reach` is the highest end of it and all earlier
    // ranges.
    let [low, high] = [0, ranges.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((ranges[middle] as Range).first <= position) low = middle + 1;
      else high = middle;
    }
    return low > 0 && (ranges[low - 1] as Range).reach >= position;
  }

  private sort(): void {
    for (const ranges of this.ranges.values()) {
      ranges.sort((a, b) => a.first - b.first);
      let reach = 0;
      for (const range of ranges) range.reach = reach = Math.max(reach, range.last);
    }
    this.isSorted = true;
  }
}

interface Range {
  readonly first: number;
  readonly last: number;
  reach: number;
}

const MESSAGE_ID = /^([0-9a-f-]{36}):(\d+)-(\d+)$/;
