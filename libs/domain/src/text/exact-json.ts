/**
 * JSON without loss of long integers. JavaScript rounds integers beyond 2^53, so `parseJson` gives them as text behind a
 * NUL character, and `writeJson` writes such a text as the number it was. Validation refuses NUL in every other text, and
 * `parseJson` never gives a client's own text this form. Fractions and exponents are doubles, as in `JSON.parse`.
 */

/** A long integer after a colon, comma or bracket, or as the whole text. Most texts have none. */
const HAS_LONG_INTEGER = /(?:^|[:[,])\s*-?\d{16}/;
/** An integer of 16 digits or more, which is neither a part of another number nor a key. */
const LONG_INTEGER = /(?<![\d.eE+-])-?[1-9]\d{15,}(?![\d.eE]|\s*:)/g;
/** A text of a client that begins like a marked integer. NUL has only one spelling in JSON. */
const FORGED = /(?<!\\)"\\u0000(?=[-\d])/g;
const MARKED = /(?<!\\)"\\u0000(-?[1-9]\d{15,})"/g;
const MARKED_VALUE = /^\0-?[1-9]\d{15,}$/;

/** Whether a value of parsed JSON is an integer beyond 2^53. */
export const isLongInteger = (value: unknown): boolean =>
  typeof value === 'string' && value.charCodeAt(0) === 0 && MARKED_VALUE.test(value);

/** The digits of a long integer, where text is wanted; any other text unchanged. */
export const plainText = (value: string): string => (isLongInteger(value) ? value.slice(1) : value);

/**
 * Like `JSON.parse`, with long integers marked for `writeJson`.
 *
 * @throws SyntaxError if the text is not JSON
 */
export const parseJson = (json: string): unknown => JSON.parse(markLongIntegers(json));

/** Like `JSON.stringify` without spaces; long integers are numbers again. Expects a JSON value, not undefined. */
export const writeJson = (value: unknown): string => withLongIntegers(JSON.stringify(value));

/** Turns the marked integers of a text that `JSON.stringify` wrote into numbers. */
export const withLongIntegers = (json: string): string =>
  json.includes('"\\u0000') ? json.replace(MARKED, '$1') : json;

/** The JSON text with every integer beyond 2^53 marked. Everything else is unchanged. Linear in the length of the text. */
export const markLongIntegers = (json: string): string => {
  const text = json.includes('"\\u0000') ? json.replace(FORGED, '"\\u0000\\u0000') : json;
  return quoteLongIntegers(text, '\\u0000');
};

/** The JSON text with every integer beyond 2^53 as text, behind a prefix. Invalid JSON stays invalid. */
export const quoteLongIntegers = (json: string, prefix = ''): string => {
  if (!HAS_LONG_INTEGER.test(json)) return json;
  const parts: string[] = [];
  for (let at = 0; at < json.length;) {
    const quote = json.indexOf('"', at);
    const outside = quote === -1 ? json.slice(at) : json.slice(at, quote);
    parts.push(
      outside.replace(LONG_INTEGER, (digits) =>
        Number.isSafeInteger(Number(digits)) ? digits : `"${prefix}${digits}"`,
      ),
    );
    if (quote === -1) break;
    const end = endOfString(json, quote + 1);
    parts.push(json.slice(quote, end));
    at = end;
  }
  return parts.join('');
};

/** End of the string that begins before `at`; the end of the text if it is unterminated. */
export const endOfString = (json: string, at: number): number => {
  for (let quote = json.indexOf('"', at); quote !== -1; quote = json.indexOf('"', quote + 1)) {
    let backslashes = 0;
    while (json[quote - 1 - backslashes] === '\\') backslashes += 1;
    if (backslashes % 2 === 0) return quote + 1;
  }
  return json.length;
};
