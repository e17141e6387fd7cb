const isHigh = (unit: number): boolean => unit >= 0xd800 && unit < 0xdc00;
const isLow = (unit: number): boolean => unit >= 0xdc00 && unit < 0xe000;

/**
 * The text without the characters at its end that match. Linear in the length of the text, where replacing `[…]+$` is
 * quadratic.
 *
 * @param part pattern of one character, without the flag `g`
 */
export const withoutEnd = (text: string, part: RegExp): string => {
  let end = text.length;
  while (end > 0) {
    const isPair = end > 1 && isLow(text.charCodeAt(end - 1)) && isHigh(text.charCodeAt(end - 2));
    const start = end - (isPair ? 2 : 1);
    if (!part.test(text.slice(start, end))) break;
    end = start;
  }
  return text.slice(0, end);
};
