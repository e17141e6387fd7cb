/** The numbers in a text, in digits, whatever words they were said in. */
export interface NumbersInText {
  /** In the order of the text, without separators: "1,200" gives `1200`, "eighty one" `81`, "double four" `44`. */
  readonly numbers: readonly string[];
  /** Further numbers that the words may mean: `16` for "four o'clock". */
  readonly also: readonly string[];
  /** Days that the text speaks of (YYYY-MM-DD). */
  readonly days: readonly string[];
  /** The words that name these days and times of day. */
  readonly dates: readonly string[];
  /** Whether its language writes every noun with a capital, so that a capital does not show a name. Default false. */
  readonly nounsHaveCapitals?: boolean;
}

/**
 * Reads the numbers in a text.
 *
 * @param at when it was said (ISO 8601), for "tomorrow"
 */
export type NumberReader = (text: string, at: string) => NumbersInText;

const ASCII = /^[\0-\x7F]*$/;
const ISO_DAY = /\b\d{4}-\d{2}-\d{2}\b/g;
/** A separator of thousands: "1,200", "1.200", "1'200"; also a space that does not break the line. */
const THOUSANDS = /(?<=(?<!\d)\d{1,3})[,.'’\u00A0\u202F](?=\d{3}(?!\d))/g;

/** Digits as they are written, whatever the language. */
export const readDigits: NumberReader = (text) => {
  const latin = ASCII.test(text) ? text : text.replaceAll(/(?![0-9])\p{Nd}/gu, latinDigit);
  const days = latin.match(ISO_DAY) ?? [];
  return {
    numbers: latin.replaceAll(THOUSANDS, '').match(/\d+/g) ?? [],
    also: latin.match(/\d+/g) ?? [],
    days,
    dates: days,
  };
};

/** Every script has its ten digits in a row; a row starts at a code point that is no digit's successor. */
const latinDigit = (digit: string): string => {
  const code = digit.codePointAt(0) ?? 0;
  let zero = code;
  while (code - zero < 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1;
  return String(code - zero);
};

/** Reads each text once. */
export const readOnce = (read: NumberReader): NumberReader => {
  const known = new Map<string, NumbersInText>();
  return (text, at) => {
    const key = `${at}\n${text}`;
    const found = known.get(key) ?? read(text, at);
    known.set(key, found);
    return found;
  };
};
