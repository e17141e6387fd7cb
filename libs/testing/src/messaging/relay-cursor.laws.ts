import type { PublishedLog, RelayCursor } from '@turnkeeper/application';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '../eventually.js';

export interface CursorUnderTest {
  /** Two processes' views of the same cursor. */
  readonly one: RelayCursor;
  readonly two: RelayCursor;
  /** The same cursor, read-only. */
  readonly published: PublishedLog;
  /** Breaks the leader's connection, as a crash or a network failure would. */
  breakLeader(): Promise<void>;
  close(): Promise<void>;
}

/** Contract of every relay cursor. `make` returns one without a leader. */
export const relayCursorLaws = (name: string, make: () => Promise<CursorUnderTest>): void => {
  describe(`${name} as a relay cursor`, () => {
    let cursor: CursorUnderTest;
    beforeEach(async () => {
      cursor = await make();
    });
    afterEach(() => cursor.close());

    it('starts at 0', async () => {
      const lease = await cursor.one.lead();
      expect(lease?.position).toBe(0);
      await lease?.release();
    });

    it('has one leader at a time, and a new one as soon as it is released', async () => {
      const lease = await cursor.one.lead();
      expect(await cursor.two.lead()).toBeNull();
      await lease?.release();
      const next = await cursor.two.lead();
      expect(next).not.toBeNull();
      await next?.release();
    });

    it('passes the position to the next leader and never moves it back', async () => {
      const lease = await cursor.one.lead();
      await lease?.advance(41);
      await lease?.advance(17);
      await lease?.release();
      const next = await cursor.two.lead();
      expect(next?.position).toBe(41);
      await next?.release();
    });

    it('records the ends of published pages for every reader', async () => {
      const { published } = cursor;
      expect([await published.position(), await published.pageEnds(0, 100)]).toEqual([0, []]);
      const lease = await cursor.one.lead();
      await lease?.advance(4);
      await lease?.advance(20, [9, 15, 20]);
      await lease?.advance(33, [33]);
      await lease?.advance(30, [30]); // repeats an earlier publication
      expect(await published.position()).toBe(33);
      expect(await published.pageEnds(0, 33)).toEqual([9, 15, 20, 33]);
      expect(await published.pageEnds(9, 20)).toEqual([15, 20]);
      await lease?.release();
    });

    it('stores the state of the stream', async () => {
      const { published } = cursor;
      const lease = await cursor.one.lead();
      expect(await published.mark()).toBeNull();
      const mark = { created: '2026-01-01T00:00:00Z', firstSequence: 1, lastSequence: 9, deleted: 2 };
      await published.setMark(mark, 60_000);
      expect(await published.mark()).toEqual(mark);
      await lease?.release();
    });

    it('notifies a leader that lost its connection, elects another, and rejects further writes of the first', async () => {
      const lease = await cursor.one.lead();
      await lease?.advance(5);
      let lost = false;
      void lease?.lost.then(() => (lost = true));
      await cursor.breakLeader();
      await eventually(() => lost);
      let next = await cursor.two.lead();
      await eventually(async () => (next ??= await cursor.two.lead()) !== null);
      expect(next?.position).toBe(5);
      await expect(lease?.advance(9)).rejects.toThrow();
      await lease?.release();
      await next?.release();
    });
  });
};
