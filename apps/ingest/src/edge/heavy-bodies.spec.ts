import { beforeEach, describe, expect, it } from 'vitest';
import { HeavyBodies } from './heavy-bodies.js';

describe('heavy bodies', () => {
  let nowMs: number;
  let timers: { readonly atMs: number; readonly then: () => void }[];
  let heavy: HeavyBodies;
  let done: string[];
  beforeEach(() => {
    nowMs = 10_000;
    timers = [];
    done = [];
    heavy = new HeavyBodies(
      () => nowMs,
      (ms, then) => void timers.push({ atMs: nowMs + ms, then }),
    );
  });
  const send = (owner: string, tookMs = 100) => {
    heavy.seen(owner);
    heavy.run(owner, () => {
      nowMs += tookMs;
      done.push(`${owner} ${nowMs}`);
    });
  };
  /** Runs what is due by then, in order. */
  const until = (ms: number) => {
    for (;;) {
      timers.sort((a, b) => a.atMs - b.atMs);
      const [due] = timers;
      if (due === undefined || due.atMs > ms) break;
      timers.shift();
      nowMs = Math.max(nowMs, due.atMs);
      due.then();
    }
    nowMs = Math.max(nowMs, ms);
  };

  it('follow each other without a rest while their tenant is alone', () => {
    for (let count = 0; count < 5; count += 1) send('a');
    until(10_500);
    expect(done).toEqual(['a 10100', 'a 10200', 'a 10300', 'a 10400', 'a 10500']);
  });

  it('leave four fifths of the time to other tenants while those send requests', () => {
    heavy.seen('victim');
    for (let count = 0; count < 50; count += 1) send('a');
    for (let ms = 10_000; ms <= 13_000; ms += 100) {
      heavy.seen('victim');
      until(ms);
    }
    // One every 500 ms, in three seconds.
    expect(done).toHaveLength(7);
    // The other tenant has stopped: a second later nothing waits.
    until(19_000);
    expect(done).toHaveLength(50);
  });

  it('take turns between tenants, whatever one of them has waiting', () => {
    for (let count = 0; count < 20; count += 1) send('a');
    send('b');
    until(11_000);
    expect(done.findIndex((one) => one.startsWith('b'))).toBe(1);
  });

  describe('that are rejected', () => {
    const sendRejected = (owner: string) => heavy.rejected(heavy.run(owner, () => (nowMs += 100)));

    it('make their tenant wait, and no other', () => {
      heavy.seen('victim');
      sendRejected('a');
      send('a');
      send('b');
      until(12_900);
      expect(done).toEqual(['b 10600']);
      until(13_500);
      expect(done).toEqual(['b 10600', 'a 13200']);
    });

    it('go on although timers fire early, and without those whose client is gone', () => {
      const early = new HeavyBodies(
        () => nowMs,
        (ms, then) => void timers.push({ atMs: nowMs + (ms > 2 ? ms - 2 : ms), then }),
      );
      early.seen('victim');
      early.rejected(early.run('a', () => (nowMs += 10.5)));
      const gone = () => void done.push('gone');
      early.run('a', gone);
      early.run('a', () => void done.push(`a ${Math.floor(nowMs)}`));
      early.drop(gone);
      until(10_300);
      expect(done).toEqual([]);
      until(10_400);
      expect(done).toEqual(['a 10325']);
    });

    it('cost a tenant on its own nothing', () => {
      sendRejected('a');
      send('a');
      until(10_200);
      expect(done).toEqual(['a 10200']);
    });

    it('make it wait for five seconds at most', () => {
      heavy.seen('victim');
      const turn = heavy.run('a', () => (nowMs += 10_000));
      heavy.seen('victim');
      heavy.rejected(turn);
      send('a');
      until(30_000);
      expect(done).toEqual(['a 25100']);
    });
  });

  it('never rest for longer than half a second', () => {
    heavy.seen('victim');
    send('a', 5_000);
    heavy.seen('victim');
    send('a', 0);
    until(15_500);
    expect(done).toEqual(['a 15000', 'a 15500']);
  });
});
