import { unitVector } from '@turnkeeper/search';
import { timeSlices } from '../time-slices.js';
import { dotProducts, LANES, vectorsAtOnce } from './dot-products.js';

/** A record and how alike its meaning is to a question's: the cosine. */
export interface LikeRecord {
  readonly recordId: string;
  readonly likeness: number;
}

/** The newest vectors of one scope, in one block of memory. */
export class HeldVectors {
  private readonly ids: string[] = [];
  private readonly rows = new Map<string, number>();
  private vectors = new Int8Array(0);
  private lengths = new Float32Array(0);
  /** Where the next one is written once there are `most`. */
  private oldest = 0;

  /** Bytes from one vector to the next. */
  private readonly stride: number;

  constructor(
    dimensions: number,
    private readonly most: number,
  ) {
    this.stride = LANES * Math.ceil(dimensions / LANES);
  }

  get size(): number {
    return this.ids.length;
  }

  get bytes(): number {
    return this.vectors.byteLength + this.lengths.byteLength + 100 * this.ids.length;
  }

  set(recordId: string, vector: Int8Array): void {
    const row = this.rows.get(recordId) ?? this.newRow(recordId);
    this.vectors.set(vector, row * this.stride);
    this.lengths[row] = Math.sqrt(vector.reduce((sum, part) => sum + part * part, 0)) || 1;
  }

  private newRow(recordId: string): number {
    const row = this.ids.length < this.most ? this.ids.length : this.oldest;
    if (row < this.ids.length) {
      this.rows.delete(this.ids[row] as string);
      this.oldest = (row + 1) % this.most;
    } else if (row * this.stride >= this.vectors.length) {
      this.grow();
    }
    this.ids[row] = recordId;
    this.rows.set(recordId, row);
    return row;
  }

  private grow(): void {
    const room = Math.min(this.most, Math.max(16, 2 * this.ids.length));
    const [vectors, lengths] = [this.vectors, this.lengths];
    this.vectors = new Int8Array(room * this.stride);
    this.vectors.set(vectors);
    this.lengths = new Float32Array(room);
    this.lengths.set(lengths);
  }

  /** The most alike, best first. */
  async nearest(question: readonly number[], most: number, among: ReadonlySet<string> | null): Promise<LikeRecord[]> {
    const asked = new Int16Array(this.stride);
    asked.set(scaled(question));
    const best: { readonly row: number; readonly likeness: number }[] = [];
    const work = timeSlices.begin();
    const [count, atOnce] = [this.ids.length, vectorsAtOnce(this.stride)];
    for (let from = 0; from < count; from += atOnce) {
      if (work.isDue) await work.pause();
      const to = Math.min(count, from + atOnce);
      const products = dotProducts(asked, this.vectors.subarray(from * this.stride, to * this.stride));
      for (let row = from; row < to; row += 1) {
        const likeness = (products[row - from] as number) / (SCALE * (this.lengths[row] as number));
        const isBetter = best.length < most || likeness > (best.at(-1)?.likeness ?? Infinity);
        if (!isBetter || among?.has(this.ids[row] as string) === false) continue;
        best.splice(best.findLastIndex((other) => other.likeness >= likeness) + 1, 0, { row, likeness });
        if (best.length > most) best.pop();
      }
    }
    return best.map(({ row, likeness }) => ({ recordId: this.ids[row] as string, likeness }));
  }
}

/** Length of a question's vector. A sum of products with one that has 127 in each of 16,384 dimensions fits into 32 bits. */
const SCALE = 30_000;

const scaled = (question: readonly number[]): Int16Array =>
  Int16Array.from(unitVector(question), (part) => Math.round(SCALE * part));
