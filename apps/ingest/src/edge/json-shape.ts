/** Limits of a JSON text, checked before it is parsed. */
export interface JsonLimits {
  /** Deepest nesting of objects and arrays. */
  readonly depth: number;
  /** Maximum number of values: object members, array items, and the containers themselves. */
  readonly values: number;
}

/** Above any valid body: a full batch of events has 16,000 values, and metadata 16 levels. */
export const JSON_LIMITS: JsonLimits = { depth: 64, values: 50_000 };
const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const ZERO = 0x30;
const NINE = 0x39;
/** An integer with fewer digits is exact as a number. */
const LONG_DIGITS = 16;

/**
 * Finds out while a JSON text arrives which limit it exceeds, so that the rest of it need not be read. Scans each byte
 * once. Validity is left to the parser: for a text within the limits, the parser never builds more than they allow.
 */
export class JsonShape {
  private depth = 0;
  private counted = 1;
  private colons = 0;
  private digits = 0;
  private exact = true;
  private inString = false;
  /** Whether the next character of the string is escaped by the end of the previous chunk. */
  private escaped = false;

  constructor(private readonly limits: JsonLimits) {}

  /** Values so far, at least half of what the parser would build. */
  get values(): number {
    return this.counted;
  }

  /** Object members so far, repeated keys included. */
  get members(): number {
    return this.colons;
  }

  /**
   * Whether `JSON.parse` reads it without loss: it has no long integer, and no string that begins with an escaped character,
   * as one that looks like a marked integer would (`markLongIntegers`).
   */
  get isExact(): boolean {
    return this.exact;
  }

  /** Scans the next chunk. Returns the limit that the text exceeds, or null. */
  add(chunk: Uint8Array): keyof JsonLimits | null {
    const { limits } = this;
    for (let at = this.inString ? this.endOfString(chunk, 0) + 1 : 0; at < chunk.length; at += 1) {
      const byte = chunk[at] as number;
      this.digits = byte >= ZERO && byte <= NINE ? this.digits + 1 : 0;
      if (this.digits === LONG_DIGITS) this.exact = false;
      switch (byte) {
        case QUOTE:
          // Beyond the end of the chunk it is not known.
          if ((chunk[at + 1] ?? BACKSLASH) === BACKSLASH) this.exact = false;
          at = this.endOfString(chunk, at + 1);
          break;
        case COLON:
          this.colons += 1;
          break;
        case COMMA:
          this.counted += 1;
          if (this.counted > limits.values) return 'values';
          break;
        case OPEN_ARRAY:
        case OPEN_OBJECT:
          this.depth += 1;
          this.counted += 1;
          if (this.depth > limits.depth) return 'depth';
          if (this.counted > limits.values) return 'values';
          break;
        case CLOSE_ARRAY:
        case CLOSE_OBJECT:
          this.depth -= 1;
          break;
        default:
      }
    }
    return null;
  }

  /** Position of the quote that closes the string continued at `start`; the chunk's end if it is not in this chunk. */
  private endOfString(chunk: Uint8Array, start: number): number {
    const escapes = (end: number): boolean => {
      let backslashes = 0;
      while (end - backslashes > start && chunk[end - 1 - backslashes] === BACKSLASH) backslashes += 1;
      return (backslashes % 2 === 1) !== (this.escaped && end - backslashes === start);
    };
    let end = chunk.indexOf(QUOTE, start);
    while (end !== -1 && escapes(end)) end = chunk.indexOf(QUOTE, end + 1);
    this.inString = end === -1;
    this.escaped = end === -1 && escapes(chunk.length);
    return end === -1 ? chunk.length : end;
  }
}

/** Returns the limit that a whole JSON text exceeds, or null. */
export const jsonBeyond = (json: Uint8Array, limits: JsonLimits): keyof JsonLimits | null =>
  new JsonShape(limits).add(json);
