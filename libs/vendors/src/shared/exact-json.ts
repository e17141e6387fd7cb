import { parse } from 'lossless-json';

/** Without a run of this many digits, no integer can be rounded, and the built-in parser is exact. */
const LONG_DIGITS = /\d{16}/;

const INTEGER = /^-?\d+$/;

/** Returns an integer as text if a number would round it. */
const exactNumber = (literal: string): number | string => {
  const value = Number(literal);
  return INTEGER.test(literal) && !Number.isSafeInteger(value) ? literal : value;
};

/**
 * Parses a vendor's JSON without rounding ids: an integer beyond 2^53 becomes text; everything else is parsed as by
 * `JSON.parse`.
 *
 * @throws SyntaxError if the text is not JSON
 */
export const parseExactJson = (text: string): unknown =>
  LONG_DIGITS.test(text)
    ? parse(text, undefined, { parseNumber: exactNumber, onDuplicateKey: ({ newValue }) => newValue })
    : JSON.parse(text);

/** The same; undefined if the text is not JSON. */
export const jsonOrUndefined = (text: string): unknown => {
  try {
    return parseExactJson(text);
  } catch {
    return undefined;
  }
};
