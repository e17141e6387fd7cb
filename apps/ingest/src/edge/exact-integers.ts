/** A whole number of 16 digits or more, outside of fractions and exponents. */
const LONG_INTEGER = /(?<![\d.eE+-])-?\d{16,}(?![\d.eE])/g;
const HAS_LONG_INTEGER = /[:[,]\s*-?\d{16}/;

/**
 * A JSON text in which every integer that a JavaScript number cannot hold is a string of its digits, so that ids of 64
 * bits are not rounded to those of their neighbours. Anything else is unchanged. Linear in the length of the text.
 */
export const withExactIntegers = (json: string): string => {
  if (!HAS_LONG_INTEGER.test(json)) return json;
  const parts: string[] = [];
  for (let at = 0; at < json.length;) {
    const quote = json.indexOf('"', at);
    const outside = quote === -1 ? json.slice(at) : json.slice(at, quote);
    parts.push(
      outside.replace(LONG_INTEGER, (digits) => (Number.isSafeInteger(Number(digits)) ? digits : `"${digits}"`)),
    );
    if (quote === -1) break;
    const end = endOfString(json, quote + 1);
    parts.push(json.slice(quote, end));
    at = end;
  }
  return parts.join('');
};

/** Where the string that begins before `at` has ended; the end of the text when it is not closed. */
const endOfString = (json: string, at: number): number => {
  for (let quote = json.indexOf('"', at); quote !== -1; quote = json.indexOf('"', quote + 1)) {
    let backslashes = 0;
    while (json[quote - 1 - backslashes] === '\\') backslashes += 1;
    if (backslashes % 2 === 0) return quote + 1;
  }
  return json.length;
};
