const MONTH =
  '(?:january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)';
/** Dates as extractors write them. A month on its own is treated as an ordinary word. */
const DATE = new RegExp(
  [
    String.raw`\b\d{4}-\d{2}(?:-\d{2})?\b`,
    String.raw`\b\d{1,2}[/.]\d{1,2}(?:[/.]\d{2,4})?\b`,
    String.raw`\b\d{1,2}(?:st|nd|rd|th)? (?:of )?${MONTH}\b(?:,? \d{4}\b)?`,
    String.raw`\b${MONTH} \d{1,2}(?:st|nd|rd|th)?\b(?:,? \d{4}\b)?`,
    String.raw`\b${MONTH},? \d{4}\b`,
    String.raw`\b(?:19|20)\d\d(?:/\d\d)?\b`,
    String.raw`(?:ngày|tháng|năm) \d{1,4}(?:[/.]\d{1,4}){0,2}`,
  ].join('|'),
  'giu',
);
const YEAR = /(?:19|20)\d\d/;

/** Words that imply a date relative to the day on which they were said. */
const TELLS_TIME =
  /\b(?:yesterday|today|tonight|tomorrow|ago|last|next|past|this|since|until|till|weekend|fortnight|week|month|year|recently|now|just|spring|summer|autumn|fall|winter|christmas|birthday|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\b|hôm|ngày|tuần|tháng|năm|thứ|mai|sáng|chiều|tối/iu;
/** … and that may refer to more than a year ago. */
const TELLS_YEARS =
  /\b(?:years?|decades?|kid|child|childhood|young|school|college|born|since)\b|năm|\b(?:19|20)?\d\ds?\b/iu;
const ENGLISH = /\b(?:the|i|a|to|my|and|is|was|we|it|in)\b/i;

/** The text with its dates removed. */
export const withoutDates = (text: string): string => text.replace(DATE, ' ');

/** What a message's words say about dates. */
export interface DateWords {
  /** The day on which it was said, ISO 8601. */
  readonly at: string;
  readonly tellsTime: boolean;
  readonly tellsYears: boolean;
}

/** In languages whose time words are unknown here, every message may imply a date. */
export const dateWordsOf = (content: string, at: string): DateWords => ({
  at,
  tellsTime: TELLS_TIME.test(content) || !ENGLISH.test(content),
  tellsYears: TELLS_YEARS.test(content),
});

/**
 * Whether the messages support the dates in a fact. A date must be stated, or follow from the day of the message and a
 * word such as "yesterday".
 */
export const datesFollow = (text: string, said: readonly DateWords[], numbers: ReadonlySet<string>): boolean =>
  [...text.matchAll(DATE)].every(([date]) => {
    const year = YEAR.exec(date)?.[0];
    const digits = date.match(/\d+/g) ?? [];
    if (digits.length > 0 && digits.every((digit) => numbers.has(String(Number(digit))))) return true;
    return said.some(({ at, tellsTime, tellsYears }) => {
      const near = year === undefined || Math.abs(Number(year) - Number(at.slice(0, 4))) <= 1;
      return near ? tellsTime || saysDay(digits, at) : tellsYears;
    });
  });

/** "(said on 10 May 2023)": the date of the message itself needs no supporting words. */
const saysDay = (digits: readonly string[], at: string): boolean => {
  const day = at.slice(0, 10).split('-').map(Number);
  return digits.length > 0 && digits.every((digit) => day.includes(Number(digit)));
};
