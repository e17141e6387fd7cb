/** Limits of a JSON text, checked before it is parsed. */
export interface JsonLimits {
  /** Deepest nesting of objects and arrays. */
  readonly depth: number;
  /** Maximum number of values: object members, array items, and the containers themselves. */
  readonly values: number;
}

/** Above any valid body: a full batch of events has 16,000 values, and metadata 16 levels. */
export const JSON_LIMITS: JsonLimits = { depth: 64, values: 200_000 };
const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/**
 * Scans a JSON text once and returns the limit it exceeds, or null. Validity is left to the parser: for a text within
 * the limits, the parser never builds more than they allow.
 */
export const jsonBeyond = (json: Uint8Array, limits: JsonLimits): keyof JsonLimits | null => {
  let depth = 0;
  let values = 1;
  for (let at = 0; at < json.length; at += 1) {
    switch (json[at] as number) {
      case QUOTE:
        at = endOfString(json, at);
        break;
      case COMMA:
        values += 1;
        if (values > limits.values) return 'values';
        break;
      case OPEN_ARRAY:
      case OPEN_OBJECT:
        depth += 1;
        values += 1;
        if (depth > limits.depth) return 'depth';
        if (values > limits.values) return 'values';
        break;
      case CLOSE_ARRAY:
      case CLOSE_OBJECT:
        depth -= 1;
        break;
      default:
    }
  }
  return null;
};

/** Position of the quote that closes the string at `start`; the end of the text if there is none. */
const endOfString = (json: Uint8Array, start: number): number => {
  let end = start;
  for (;;) {
    end = json.indexOf(QUOTE, end + 1);
    if (end === -1) return json.length;
    let backslashes = 0;
    while (json[end - 1 - backslashes] === BACKSLASH) backslashes += 1;
    if (backslashes % 2 === 0) return end;
  }
};
