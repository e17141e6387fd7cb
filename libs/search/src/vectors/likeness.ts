import { add, dot, unitVector, type PackedVector } from './vector.js';

/** A turn's vector and its position. */
export interface PlacedVector {
  readonly session: number;
  readonly place: number;
  readonly vector: PackedVector;
}

/**
 * Semantic similarity of turns to a question: the cosine between the question and each turn pooled with its neighbours.
 * The average of all turns in scope (`mean`) is subtracted first, because it hides the differences between them.
 *
 * @param question the question's vector from the model
 * @param turns the turns to compare, and their neighbours
 * @param mean the average vector of the scope's turns; null subtracts nothing
 * @param neighbours weights by distance, starting with the farthest turn before; the middle one is the turn's own
 * @returns a function from session and position to 0–1; 0 for a turn without a vector
 */
export const likenessOf = (
  question: readonly number[],
  turns: readonly PlacedVector[],
  mean: Float32Array | null,
  neighbours: readonly number[],
): ((session: number, place: number) => number) => {
  const asked = unitVector(question);
  const reach = (neighbours.length - 1) / 2;
  const centred = new Map<string, Float32Array>();
  for (const { session, place, vector } of turns) centred.set(`${session} ${place}`, centre(vector, mean));
  return (session, place) => {
    if (!centred.has(`${session} ${place}`)) return 0;
    const pooled = new Float32Array(asked.length);
    neighbours.forEach((weight, offset) => {
      const near = centred.get(`${session} ${place - reach + offset}`);
      if (near !== undefined) add(pooled, near, weight);
    });
    return Math.max(0, dot(unitVector(pooled), asked));
  };
};

const centre = (vector: PackedVector, mean: Float32Array | null): Float32Array => {
  const unit = unitVector(vector);
  if (mean !== null) add(unit, mean, -1);
  return unitVector(unit);
};
