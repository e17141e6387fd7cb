import { parse } from 'lossless-json';

/** A text without a run this long holds no integer that a number would round: the built-in parser is exact for it. */
const LONG_DIGITS = /\d{16}/;

const INTEGER = /^-?\d+$/;

/** Keeps the digits of an integer that a number would round. */
const exactNumber = (literal: string): number | string => {
  const value = Number(literal);
  return INTEGER.test(literal) && !Number.isSafeInteger(value) ? literal : value;
};

/**
 * Parses a vendor's JSON without rounding its ids: an integer beyond 2^53 becomes text, every other value is what
 * `JSON.parse` makes of it.
 *
 * @throws SyntaxError for what is not JSON
 */
export const parseExactJson = (text: string): unknown =>
  LONG_DIGITS.test(text)
    ? parse(text, undefined, { parseNumber: exactNumber, onDuplicateKey: ({ newValue }) => newValue })
    : JSON.parse(text);
