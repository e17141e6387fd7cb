import { type Day, MONTH_WORD } from './calendar.js';

const MONTH_NAME = `(?:${MONTH_WORD})`;
const DATE = String.raw`(?:\d{1,2}(?:st|nd|rd|th)?(?: of)? ${MONTH_NAME}|${MONTH_NAME} (?:the )?\d{1,2}(?:st|nd|rd|th)?)`;
const WHICH = '(last|this|next) year';
/** "In March last year" is a relative date like any other. A month alone may be a verb: "I may this year". */
const AFTER_DATE = new RegExp(
  String.raw`\b(${DATE}|(?<=\b(?:since|until|till|by|of|from|before|after|during|for|through) )${MONTH_NAME})(?:,? of|,)? ${WHICH}\b(?!['’])`,
  'gi',
);
const BEFORE_DATE = new RegExp(String.raw`\b${WHICH},? (on (?:the )?${DATE})\b`, 'gi');
const STEPS: Readonly<Record<string, number>> = { last: -1, this: 0, next: 1 };

/** "12 May last year" is a day of that year, not all of it: writes the number of the year. */
export const withNamedYear = (clause: string, { year }: Day): string => {
  const numbered = (which: string): string => String(year + (STEPS[which.toLowerCase()] ?? 0));
  return clause
    .replace(AFTER_DATE, (_, date: string, which: string) => `${date} ${numbered(which)}`)
    .replace(BEFORE_DATE, (phrase: string, which: string, date: string) =>
      /^\p{Lu}/u.test(phrase)
        ? `${date.charAt(0).toUpperCase()}${date.slice(1)} ${numbered(which)}`
        : `${date} ${numbered(which)}`,
    );
};
