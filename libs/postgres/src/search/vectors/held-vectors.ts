import { unitVector } from '@turnkeeper/search';
import { timeSlices } from '../time-slices.js';

/** A record and how alike its meaning is to a question's: the cosine. */
export interface LikeRecord {
  readonly recordId: string;
  readonly likeness: number;
}

/** Vectors compared before looking at the clock. */
const AT_ONCE = 1_000;

/** The newest vectors of one scope, in one block of memory. */
export class HeldVectors {
  private readonly ids: string[] = [];
  private readonly rows = new Map<string, number>();
  private vectors = new Int8Array(0);
  private lengths = new Float32Array(0);
  /** Where the next one is written once there are `most`. */
  private oldest = 0;

  constructor(
    private readonly dimensions: number,
    private readonly most: number,
  ) {}

  get size(): number {
    return this.ids.length;
  }

  get bytes(): number {
    return this.vectors.byteLength + this.lengths.byteLength + 100 * this.ids.length;
  }

  set(recordId: string, vector: Int8Array): void {
    const row = this.rows.get(recordId) ?? this.newRow(recordId);
    this.vectors.set(vector, row * this.dimensions);
    this.lengths[row] = Math.sqrt(vector.reduce((sum, part) => sum + part * part, 0)) || 1;
  }

  private newRow(recordId: string): number {
    const row = this.ids.length < this.most ? this.ids.length : this.oldest;
    if (row < this.ids.length) {
      this.rows.delete(this.ids[row] as string);
      this.oldest = (row + 1) % this.most;
    } else if (row * this.dimensions >= this.vectors.length) {
      this.grow();
    }
    this.ids[row] = recordId;
    this.rows.set(recordId, row);
    return row;
  }

  private grow(): void {
    const room = Math.min(this.most, Math.max(16, 2 * this.ids.length));
    const [vectors, lengths] = [this.vectors, this.lengths];
    this.vectors = new Int8Array(room * this.dimensions);
    this.vectors.set(vectors);
    this.lengths = new Float32Array(room);
    this.lengths.set(lengths);
  }

  /** The most alike, best first. */
  async nearest(question: readonly number[], most: number, among: ReadonlySet<string> | null): Promise<LikeRecord[]> {
    const asked = scaled(question);
    const count = this.ids.length;
    const likeness = new Float32Array(count);
    const work = timeSlices.begin();
    for (let from = 0; from < count; from += AT_ONCE) {
      if (work.isDue) await work.pause();
      for (let row = from; row < Math.min(count, from + AT_ONCE); row += 1) {
        const isWanted = among === null || among.has(this.ids[row] as string);
        likeness[row] = isWanted ? this.likeness(row, asked) : -Infinity;
      }
    }
    const least = count <= most ? -Infinity : (likeness.slice().sort()[count - most] ?? -Infinity);
    const found: LikeRecord[] = [];
    for (let row = 0; row < count; row += 1) {
      const like = likeness[row] ?? 0;
      if (like >= least && like > -Infinity) found.push({ recordId: this.ids[row] as string, likeness: like });
    }
    return found.sort((a, b) => b.likeness - a.likeness).slice(0, most);
  }

  /** In whole numbers, and in two sums that do not wait for each other: this runs for every dimension of every vector. */
  private likeness(row: number, asked: Int16Array): number {
    const { vectors, dimensions } = this;
    const from = row * dimensions;
    let even = 0;
    let odd = 0;
    let at = 0;
    for (; at + 1 < dimensions; at += 2) {
      even = (even + Math.imul(vectors[from + at] as number, asked[at] as number)) | 0;
      odd = (odd + Math.imul(vectors[from + at + 1] as number, asked[at + 1] as number)) | 0;
    }
    if (at < dimensions) even += Math.imul(vectors[from + at] as number, asked[at] as number);
    return (even + odd) / (SCALE * (this.lengths[row] ?? 1));
  }
}

/** Length of a question's vector. A sum of products with one that has 127 in each of 16,384 dimensions fits into 32 bits. */
const SCALE = 30_000;

const scaled = (question: readonly number[]): Int16Array =>
  Int16Array.from(unitVector(question), (part) => Math.round(SCALE * part));
