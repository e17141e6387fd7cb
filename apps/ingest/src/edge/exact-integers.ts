/** An integer of 16 digits or more, outside fractions and exponents. */
const LONG_INTEGER = /(?<![\d.eE+-])-?\d{16,}(?![\d.eE])/g;
const HAS_LONG_INTEGER = /[:[,]\s*-?\d{16}/;

/**
 * Returns the JSON text with every integer beyond JavaScript's safe range quoted as a string, so that 64-bit ids are
 * not rounded. Everything else is unchanged. Linear in the length of the text.
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

/** End of the string that begins before `at`; the end of the text if it is unterminated. */
export const endOfString = (json: string, at: number): number => {
  for (let quote = json.indexOf('"', at); quote !== -1; quote = json.indexOf('"', quote + 1)) {
    let backslashes = 0;
    while (json[quote - 1 - backslashes] === '\\') backslashes += 1;
    if (backslashes % 2 === 0) return quote + 1;
  }
  return json.length;
};
