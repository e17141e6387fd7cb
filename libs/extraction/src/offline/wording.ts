import { withoutEnd } from '@turnkeeper/domain';
import { dayLabel, dayOf, MONTH_WORD } from './dates/calendar.js';
import { hasRelativeDate } from './dates/relative.js';
import { resolveDates } from './dates/resolve.js';
import type { Cast } from './person/cast.js';
import { inThirdPerson } from './person/third-person.js';

/** "On 3 May I sold it": with a comma, the subject is where it begins. */
const LEADING_DATE = new RegExp(
  String.raw`^((?:on|in|since) (?:(?:early|late|mid) )?(?:the )?(?:\d{1,2}(?:st|nd|rd|th)?(?: of)? )?(?:${MONTH_WORD}|(?=(?:19|20)\d\d))(?: \d{1,2}(?:st|nd|rd|th)?)?(?:,? ?(?:19|20)\d\d)?) (?=(?:I|we|my|our) )`,
  'i',
);

/**
 * Writes a fact as one third-person sentence: a statement about the speaker, or a report of what they said.
 *
 * @param at when it was said, ISO 8601
 */
export const writtenFact = (
  { kind, plain, before }: { readonly kind: 'own' | 'report'; readonly plain: string; readonly before: string },
  at: string,
  cast: Cast,
): string => {
  const titles: string[] = [];
  // Titles are not rewritten: "I Am Pilgrim" stays unchanged.
  const masked = sentenceOf(plain).replace(/["“][^"“”]{2,200}["”]/g, (title) => `Title${titles.push(title) - 1}x`);
  // "We even played chess" goes on from a sentence that the record does not have.
  const alone = masked.replace(/^((?:I|we)(?: have| had|['’]ve)?) even (?!if\b|though\b|when\b)/i, '$1 ');
  const text = inThirdPerson(resolveDates(alone, at).replace(LEADING_DATE, '$1, '), cast, before)
    .replace(/\bkinda\b/g, 'kind of')
    .replace(/\bTitle(\d+)x\b/g, (_, index: string) => titles[Number(index)] ?? '');
  return asSentence(kind === 'own' ? text : `${cast.speaker} said: ${text}`);
};

/**
 * A quotation as a record: `User said: "…"`. If it has a relative date, the day on which it was said follows.
 *
 * @param at when it was said, ISO 8601
 */
export const quotedFact = (quote: string, at: string, cast: Cast): string => {
  const day = hasRelativeDate(quote) ? dayOf(at) : null;
  // Double quotation marks inside would end the quotation.
  const said = `${cast.speaker} said: "${quote.replace(/["“”]/g, "'")}"`;
  return day === null ? said : `${said} (said on ${dayLabel(day)})`;
};
const END = /[\s,;:.!…–-]/u;
const EMOJI = /\p{Extended_Pictographic}|\uFE0F|\u200D/gu;

const sentenceOf = (text: string): string => withoutEnd(text.replace(EMOJI, '').trim(), END);

const asSentence = (text: string): string => {
  const bare = sentenceOf(text.replace(/\s+/g, ' '));
  return `${bare.charAt(0).toUpperCase()}${bare.slice(1)}.`;
};
