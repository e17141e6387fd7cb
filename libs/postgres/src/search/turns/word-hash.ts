/**
 * Hashes words as Postgres' `hashtextextended` does (its lower 32 bits), so that indexes made in SQL and here are the same.
 * The seed differs by memory: a word has unrelated hashes in two of them.
 */
export class WordHash {
  private readonly known = new Map<string, number>();

  private constructor(
    private readonly high: number,
    private readonly low: number,
  ) {}

  static ofMemory(tenantId: string, memoryId: string): WordHash {
    const key = `${tenantId} ${memoryId}`;
    const known = remembered.get(key);
    if (known !== undefined) return known;
    hash(tenantId, 0, 0);
    hash(memoryId, b, c);
    const made = new WordHash(b, c);
    if (remembered.size >= MAX_MEMORIES) remembered.clear();
    remembered.set(key, made);
    return made;
  }

  /** A signed 32-bit integer. */
  of(word: string): number {
    const known = this.known.get(word);
    if (known !== undefined) return known;
    hash(word, this.high, this.low);
    if (this.known.size >= MAX_WORDS) this.known.clear();
    this.known.set(word, c);
    return c;
  }

  /** Of a whole text, as `question_term` in the migrations: no word has a question mark. */
  ofText(text: string): number {
    hash(`?${text}`, this.high, this.low);
    return c;
  }
}

/** Hashing a word takes ten times as long as finding it here, and most words are frequent. Together up to 20 MB. */
const remembered = new Map<string, WordHash>();
const MAX_MEMORIES = 64;
const MAX_WORDS = 5_000;

let bytes = Buffer.alloc(256);
/** The state of a hash. Variables of the module: an object or a closure for each word would cost more than its hash. */
let [a, b, c] = [0, 0, 0];

/** Bob Jenkins' lookup3, as in `hash_bytes_extended` of Postgres on little-endian machines: the state is the result. */
const hash = (text: string, seedHigh: number, seedLow: number): void => {
  // A UTF-16 unit takes at most three bytes.
  if (bytes.length < 3 * text.length + 12) bytes = Buffer.alloc(6 * text.length + 12);
  const length = bytes.write(text);
  // The last block is read whole.
  bytes.fill(0, length, length + 12);
  a = b = c = (0x9e3779b9 + length + 3923095) | 0;
  if (seedHigh !== 0 || seedLow !== 0) {
    a = (a + seedHigh) | 0;
    b = (b + seedLow) | 0;
    mix();
  }
  let at = 0;
  for (; length - at >= 12; at += 12) {
    a = (a + int(at)) | 0;
    b = (b + int(at + 4)) | 0;
    c = (c + int(at + 8)) | 0;
    mix();
  }
  a = (a + int(at)) | 0;
  b = (b + int(at + 4)) | 0;
  // The lowest byte is that of the length.
  c = (c + (int(at + 8) << 8)) | 0;
  c = ((c ^ b) - rotated(b, 14)) | 0;
  a = ((a ^ c) - rotated(c, 11)) | 0;
  b = ((b ^ a) - rotated(a, 25)) | 0;
  c = ((c ^ b) - rotated(b, 16)) | 0;
  a = ((a ^ c) - rotated(c, 4)) | 0;
  b = ((b ^ a) - rotated(a, 14)) | 0;
  c = ((c ^ b) - rotated(b, 24)) | 0;
};

const mix = (): void => {
  a = ((a - c) | 0) ^ rotated(c, 4);
  c = (c + b) | 0;
  b = ((b - a) | 0) ^ rotated(a, 6);
  a = (a + c) | 0;
  c = ((c - b) | 0) ^ rotated(b, 8);
  b = (b + a) | 0;
  a = ((a - c) | 0) ^ rotated(c, 16);
  c = (c + b) | 0;
  b = ((b - a) | 0) ^ rotated(a, 19);
  a = (a + c) | 0;
  c = ((c - b) | 0) ^ rotated(b, 4);
  b = (b + a) | 0;
};

const int = (at: number): number => bytes.readInt32LE(at);

const rotated = (value: number, by: number): number => (value << by) | (value >>> (32 - by));
