import { hasTag, rangeOf, tagOf, type MessageRange } from '../message-id.js';

/**
 * The events covered by the messages of a stream. A message id contains a memory and the first and last position of its
 * events in one page of the log; its header tells which events were there. Others can be there later: a failover may lose
 * events, whose positions are then reused.
 */
export class Coverage {
  private readonly ranges = new Map<string, Range[]>();
  private isSorted = true;
  private lowest = Number.POSITIVE_INFINITY;
  private count = 0;

  /**
   * Ignores ids that were not created by a relay.
   *
   * @param tags of its events (`tagsOf`); absent in messages of earlier versions, which cover all events in their range
   */
  add(messageId: string, tags?: string): void {
    const parsed = rangeOf(messageId);
    if (parsed === null) return;
    const range = { ...parsed, reach: parsed.last, tags: tags || null };
    const known = this.ranges.get(range.memoryId);
    if (known === undefined) this.ranges.set(range.memoryId, [range]);
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

  has(memoryId: string, { position, eventId }: { readonly position: number; readonly eventId: string }): boolean {
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
    const tag = tagOf(eventId);
    for (let at = low - 1; at >= 0 && (ranges[at] as Range).reach >= position; at -= 1) {
      const { last, tags } = ranges[at] as Range;
      if (last >= position && (tags === null || hasTag(tags, tag))) return true;
    }
    return false;
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

interface Range extends MessageRange {
  readonly tags: string | null;
  reach: number;
}
