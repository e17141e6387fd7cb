import { describe, expect, it } from 'vitest';
import { FairWork, type Work } from './fair-work.js';

const settle = () => new Promise((resolve) => setImmediate(resolve));

const given = (slots = 4) => {
  let now = 0;
  const timers: { at: number; then: () => void }[] = [];
  const fairWork = new FairWork(
    slots,
    { bulk: new Set(['export']), writes: new Set(['append']) },
    () => now,
    (ms, then) => void timers.push({ at: now + ms, then }),
  );
  const pass = (ms: number): void => {
    now += ms;
    for (const timer of timers.filter(({ at }) => at <= now)) {
      timers.splice(timers.indexOf(timer), 1);
      timer.then();
    }
  };
  /** Works alone for this long, in pieces of this length. */
  const workFor = (tenantId: string, kind: string, ms: number, pieceMs: number): void => {
    for (let done = 0; done < ms; done += pieceMs) {
      fairWork.seen(tenantId);
      const work = fairWork.begin(tenantId, kind)!;
      pass(pieceMs);
      fairWork.end(work);
    }
  };
  /** How many works begin at the same moment, of this many. */
  const begun = (tenantId: string, kind: string, count: number): Work[] => {
    fairWork.seen(tenantId);
    return Array.from({ length: count }, () => fairWork.begin(tenantId, kind)).filter((work) => work !== null);
  };
  return { fairWork, pass, workFor, begun };
};

describe('fair work', () => {
  it('limits a tenant above its share beside others, by the measured cost of its work', () => {
    for (const [costMs, most] of [
      [5, 4],
      [20, 2],
      [40, 1],
    ] as const) {
      const { workFor, begun, fairWork } = given();
      workFor('large', 'search', 5_000, costMs);
      fairWork.seen('small');
      expect(begun('large', 'search', 20)).toHaveLength(most);
      expect(begun('small', 'search', 4)).toHaveLength(4);
    }
  });

  it('hardly limits a tenant that is alone, or whose neighbours have gone', () => {
    const { workFor, begun, fairWork, pass } = given();
    workFor('large', 'search', 5_000, 40);
    const alone = begun('large', 'search', 20);
    expect(alone).toHaveLength(8);
    fairWork.seen('small');
    pass(10_001);
    expect(begun('large', 'cheap', 20)).toHaveLength(0); // all its slots are taken
    for (const work of alone.slice(1)) fairWork.end(work);
    expect(begun('large', 'cheap', 20)).toHaveLength(20);
  });

  it('counts work that has not ended yet', () => {
    const { begun, fairWork, pass } = given();
    fairWork.seen('small');
    expect(begun('large', 'search', 20)).toHaveLength(8);
    pass(1_000);
    expect(begun('large', 'other', 20)).toHaveLength(0);
  });

  it('starts waiting work in order as earlier work ends, after a rest if that was long', async () => {
    const { workFor, begun, fairWork, pass } = given();
    workFor('large', 'search', 5_000, 100);
    fairWork.seen('small');
    pass(1_000);
    const [running] = begun('large', 'search', 1);
    const started: string[] = [];
    for (const name of ['a', 'b']) void fairWork.wait('large', 'search').then(() => started.push(name));
    pass(100);
    fairWork.end(running!);
    await settle();
    expect(started).toEqual([]);
    pass(200);
    await settle();
    expect(started).toEqual(['a']);
  });

  it('never lets a tenant rest that does one thing after the other, however long a neighbour makes it take', () => {
    const { workFor, begun, fairWork, pass } = given();
    workFor('patient', 'search', 5_000, 100);
    for (let nth = 0; nth < 5; nth += 1) {
      fairWork.seen('large');
      const [work] = begun('patient', 'search', 1);
      pass(400);
      fairWork.end(work!);
      expect(begun('patient', 'append', 1).map((other) => fairWork.end(other))).toHaveLength(1);
    }
  });

  it('rests after a long write from the first on, if more of them are there, and after reads only above the share', () => {
    const { begun, fairWork, pass } = given(1);
    fairWork.seen('small');
    const both = begun('large', 'append', 5);
    expect(both).toHaveLength(2);
    pass(100);
    fairWork.end(both[0]!);
    expect(begun('large', 'append', 5)).toEqual([]);
    pass(199);
    fairWork.end(both[1]!);
    expect(begun('large', 'append', 5)).toEqual([]);
    pass(1);
    expect(begun('large', 'append', 5)).toHaveLength(2);

    const reads = begun('reader', 'search', 5);
    expect(reads).toHaveLength(2);
    pass(100);
    fairWork.end(reads[0]!);
    expect(begun('reader', 'search', 5)).toHaveLength(1);
  });

  it('rests after each step of bulk work', () => {
    const { workFor, begun, fairWork, pass } = given();
    workFor('large', 'export', 5_000, 10);
    fairWork.seen('small');
    const [step, ...more] = begun('large', 'export', 5);
    expect(more).toEqual([]);
    pass(10);
    fairWork.end(step!);
    expect(begun('large', 'export', 5)).toEqual([]);
    pass(20);
    expect(begun('large', 'export', 5)).toHaveLength(1);
  });

  it('forgets what was used long ago', () => {
    const { workFor, begun, fairWork, pass } = given();
    workFor('large', 'search', 5_000, 40);
    pass(60_000);
    fairWork.seen('small');
    expect(begun('large', 'search', 20)).toHaveLength(2);
  });

  it('removes work that gives up, and says when to try again', async () => {
    const { workFor, begun, fairWork } = given();
    workFor('large', 'search', 5_000, 1_000);
    fairWork.seen('small');
    begun('large', 'search', 1);
    const giveUp = new AbortController();
    const waiting = [1, 2, 3].map(() => fairWork.wait('large', 'search', giveUp.signal));
    expect(fairWork.retryAfterSeconds('large')).toBe(3);
    giveUp.abort(new Error('too late'));
    for (const one of waiting) await expect(one).rejects.toThrow('too late');
    expect(fairWork.retryAfterSeconds('large')).toBe(1);
  });
});
