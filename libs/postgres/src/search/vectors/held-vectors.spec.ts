import { packVector } from '@turnkeeper/search';
import { describe, expect, it } from 'vitest';
import { HeldVectors } from './held-vectors.js';

const ids = async (
  held: HeldVectors,
  question: readonly number[],
  most: number,
  among: ReadonlySet<string> | null = null,
) => (await held.nearest(question, most, among)).map(({ recordId }) => recordId);

describe('vectors in memory', () => {
  const angles = (count: number, most = count): HeldVectors => {
    const held = new HeldVectors(2, most);
    for (let at = 0; at < count; at += 1) {
      held.set(String(at), packVector([Math.cos(at / count), Math.sin(at / count)]));
    }
    return held;
  };

  it('are found by their cosine, best first, as many as asked for', async () => {
    const held = angles(50);
    expect(await ids(held, [1, 0], 3)).toEqual(['0', '1', '2']);
    const [first] = await held.nearest([2, 0], 1, null);
    expect(first?.likeness).toBeCloseTo(1, 3);
    const [across] = await held.nearest([-1, 1], 1, new Set(['0']));
    expect(across?.likeness).toBeCloseTo(-Math.SQRT1_2, 2);
  });

  it('are found among some of them', async () => {
    expect(await ids(angles(50), [1, 0], 3, new Set(['9', '30']))).toEqual(['9', '30']);
  });

  it('are the newest ones, and one for each record', async () => {
    const held = angles(10, 4);
    expect(held.size).toBe(4);
    expect(await ids(held, [1, 0], 10)).toEqual(['6', '7', '8', '9']);
    held.set('9', packVector([1, 0]));
    expect(await ids(held, [1, 0], 1)).toEqual(['9']);
    expect(held.size).toBe(4);
  });

  it('of many sizes have the cosines that plain arithmetic gives', async () => {
    let seed = 7;
    const random = (): number => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647 - 0.5;
    for (const dimensions of [1, 15, 16, 17, 512, 3_072]) {
      const count = dimensions === 512 ? 2_100 : 40;
      const vectors = Array.from({ length: count }, () => packVector(Array.from({ length: dimensions }, random)));
      const held = new HeldVectors(dimensions, count);
      for (const [at, vector] of vectors.entries()) held.set(String(at), vector);
      const question = Array.from({ length: dimensions }, random);
      const cosine = (vector: Int8Array): number =>
        vector.reduce((sum, part, at) => sum + part * (question[at] as number), 0) /
        Math.hypot(...vector) /
        Math.hypot(...question);
      const likeness = (await held.nearest(question, 20, null)).map((record) => record.likeness);
      const cosines = vectors.map(cosine).sort((a, b) => b - a);
      expect(likeness).toEqual(cosines.slice(0, 20).map((wanted) => expect.closeTo(wanted, 3)));
    }
  });

  it('have any number of dimensions', async () => {
    const held = new HeldVectors(3, 10);
    held.set('a', packVector([0, 0, 1]));
    held.set('b', packVector([1, 0, 0]));
    expect(await ids(held, [0, 0, 1], 1)).toEqual(['a']);
  });
});
