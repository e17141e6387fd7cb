import type { RelayCursor } from '@turnkeeper/application';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '../eventually.js';

export interface CursorUnderTest {
  /** Two processes' views of the same cursor. */
  readonly one: RelayCursor;
  readonly two: RelayCursor;
  /** Breaks the leader's connection, as a crash or a network fault would. */
  breakLeader(): Promise<void>;
  close(): Promise<void>;
}

/** What every relay cursor must do. `make` gives one that nobody has led yet. */
export const relayCursorLaws = (name: string, make: () => Promise<CursorUnderTest>): void => {
  describe(`${name} as a relay cursor`, () => {
    let cursor: CursorUnderTest;
    beforeEach(async () => {
      cursor = await make();
    });
    afterEach(() => cursor.close());

    it('begins at 0', async () => {
      const lease = await cursor.one.lead();
      expect(lease?.position).toBe(0);
      await lease?.release();
    });

    it('has one leader at a time, and the next one as soon as it is released', async () => {
      const lease = await cursor.one.lead();
      expect(await cursor.two.lead()).toBeNull();
      await lease?.release();
      const next = await cursor.two.lead();
      expect(next).not.toBeNull();
      await next?.release();
    });

    it('hands the position on to the next leader, and never moves it back', async () => {
      const lease = await cursor.one.lead();
      await lease?.advance(41);
      await lease?.advance(17);
      await lease?.release();
      const next = await cursor.two.lead();
      expect(next?.position).toBe(41);
      await next?.release();
    });

    it('tells a leader that lost its connection, lets another lead, and takes nothing more from the first', async () => {
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
