import { randomUUID } from 'node:crypto';
import { InMemoryReferenceLog } from '@turnkeeper/testing';
import { describe, expect, it } from 'vitest';
import { messageIdOf, tagsOf } from '../message-id.js';
import { noticesOf } from '../relay/notices.js';
import { Coverage } from './coverage.js';
import { LostNotices } from './lost-notices.js';
import { mayHaveLost, type StreamState } from './stream-state.js';

describe('LostNotices', () => {
  const [a, b] = [randomUUID(), randomUUID()];
  const log = new InMemoryReferenceLog();
  for (const memory of [a, b, a, a, b, a, b, b, a, a]) log.append(memory);
  const pageEnds = [4, 7, 10];
  const pages = pageEnds.map((end, index) => log.references.slice(pageEnds[index - 1] ?? 0, end));
  const published = pages.flatMap((page) => noticesOf(page));

  const lostOf = (kept: readonly string[], ends: readonly number[], references = log.references) => {
    const coverage = new Coverage();
    for (const id of kept) coverage.add(id, tags.get(id));
    const lost = new LostNotices(coverage, ends);
    for (const reference of references) lost.look(reference);
    const notices = lost.end();
    for (const notice of notices) tags.set(messageIdOf(notice), tagsOf(notice));
    return { missing: lost.missing, ids: notices.map(messageIdOf).sort() };
  };
  const ids = published.map(messageIdOf);
  const tags = new Map(published.map((notice) => [messageIdOf(notice), tagsOf(notice)]));

  it('finds nothing while all messages exist', () => {
    expect(lostOf(ids, pageEnds)).toEqual({ missing: 0, ids: [] });
  });

  it('restores the original ids, whichever messages are gone', () => {
    for (let mask = 0; mask < 2 ** ids.length; mask += 1) {
      const gone = ids.filter((_, index) => (mask >> index) % 2 === 1);
      const kept = ids.filter((id) => !gone.includes(id));
      expect(lostOf(kept, pageEnds).ids).toEqual(gone.toSorted());
    }
  });

  it('covers lost events without claiming others if the page ends are unknown', () => {
    for (let mask = 0; mask < 2 ** ids.length; mask += 1) {
      const kept = ids.filter((_, index) => (mask >> index) % 2 === 0);
      const { ids: again } = lostOf(kept, []);
      expect(lostOf([...kept, ...again], [])).toEqual({ missing: 0, ids: [] });
      // Removing any message must be detected again.
      for (const id of [...kept, ...again]) {
        const left = [...kept, ...again].filter((other) => other !== id);
        expect(lostOf(left, []).missing).toBeGreaterThan(0);
      }
    }
  });

  it('finds events at positions of which the stream has other events', () => {
    const failedOver = new InMemoryReferenceLog();
    failedOver.references.push(...log.references.slice(0, 6));
    for (const memory of [b, a, b, a]) failedOver.append(memory);
    expect(lostOf(ids, pageEnds, failedOver.references).missing).toBe(4);
    // One of the lost events was sent again and got the position that it had.
    failedOver.references[7] = log.references[7]!;
    expect(lostOf(ids, pageEnds, failedOver.references).missing).toBe(3);
  });

  it('takes messages of earlier versions as complete', () => {
    const earlier = ids.map((id) => id.slice(0, id.lastIndexOf(':')));
    expect(lostOf(earlier, pageEnds).missing).toBe(0);
    expect(lostOf(earlier.slice(1), pageEnds).missing).toBeGreaterThan(0);
  });

  it('ignores ids created by others', () => {
    expect(lostOf(['', 'x', `${a}:1-`, `${a}:1-10 `, `nobody:1-10`], pageEnds).missing).toBe(10);
  });
});

describe('mayHaveLost', () => {
  const nowMs = Date.parse('2026-06-08T00:00:00Z');
  const WEEK_MS = 7 * 86_400_000;
  const mark = { created: '2026-01-01T00:00:00Z', firstSequence: 10, lastSequence: 100, deleted: 2 };
  const state = (more: Partial<StreamState> = {}): StreamState => ({
    ...mark,
    messages: 89,
    oldestMs: nowMs - WEEK_MS + 5_000,
    isBounded: false,
    ...more,
  });
  const lost = (more: Partial<StreamState>) => mayHaveLost(mark, state(more), WEEK_MS, nowMs);

  it('is false while the stream grows and its oldest messages expire', () => {
    expect(lost({})).toBe(false);
    expect(lost({ lastSequence: 5_000, messages: 4_989 })).toBe(false);
    expect(lost({ firstSequence: 60, deleted: 0, oldestMs: nowMs - WEEK_MS + 5_000 })).toBe(false);
    expect(lost({ firstSequence: 60, oldestMs: nowMs - 1_000, isBounded: true })).toBe(false);
  });

  it('is true for a stream that was recreated, emptied or purged, or has lost a message', () => {
    expect(mayHaveLost(null, state(), WEEK_MS, nowMs)).toBe(true);
    expect(lost({ created: '2026-06-01T00:00:00Z' })).toBe(true);
    expect(lost({ lastSequence: 99 })).toBe(true);
    expect(lost({ deleted: 3 })).toBe(true);
    expect(lost({ firstSequence: 101, messages: 0, oldestMs: null })).toBe(true);
    expect(lost({ firstSequence: 60, oldestMs: nowMs - 86_400_000 })).toBe(true);
  });
});
