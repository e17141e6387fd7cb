import { parse, stringify } from 'lossless-json';

/** Integers beyond 2^53, which a number would round, are bigints. */
const numberOf = (literal) => {
  const value = Number(literal);
  return /^-?\d+$/.test(literal) && !Number.isSafeInteger(value) ? BigInt(literal) : value;
};

/** `JSON` with integers of any length. */
export const exactJson = {
  /** @param {string} text @returns {any} */
  parse: (text) => parse(text, undefined, { parseNumber: numberOf, onDuplicateKey: ({ newValue }) => newValue }),
  /** @param {unknown} value */
  stringify: (value) => stringify(value) ?? '',
};
