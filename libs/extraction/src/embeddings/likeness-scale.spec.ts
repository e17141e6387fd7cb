import { describe, expect, it } from 'vitest';
import { meansOf, SCALE_TEXTS, scaleOf } from './likeness-scale.js';

/** Vectors whose cosine is 1 for a pair and 0 for others, beside a part that all of them have. */
const vectors = (common: number, noise = 0) =>
  SCALE_TEXTS.map((_, at) => [
    common,
    ...SCALE_TEXTS.map((__, place) => (place === Math.floor(at / 2) ? 1 : place === at ? noise : 0)),
  ]);

describe('the scale of a model’s cosines', () => {
  it('is that of the model that scores were fitted to, however alike its vectors are', () => {
    for (const common of [0, 1, 3]) {
      const { related, unrelated } = meansOf(vectors(common));
      const scale = scaleOf(vectors(common));
      expect([scale(related), scale(unrelated)]).toEqual([expect.closeTo(0.38, 5), expect.closeTo(0.09, 5)]);
    }
  });
  it('never exceeds 1', () => expect(scaleOf(vectors(0, 2))(1)).toBeLessThanOrEqual(1));
  it('is left alone if the model tells nothing apart', () => {
    const scale = scaleOf(SCALE_TEXTS.map(() => [1, 1]));
    expect(scale(0.7)).toBe(0.7);
  });
});
