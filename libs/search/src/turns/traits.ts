import { isPlain } from '../text/languages.js';
import { plainWordsOf, type PlainWord } from '../text/plain-words.js';

const MONTHS = 'january february march april june july august september october november december';
const WEEKDAYS = 'monday tuesday wednesday thursday friday saturday sunday';
/** `may` is more often a verb than a month. */
const TIME_WORDS = new RegExp(
  `\\b(?:yesterday|today|tonight|tomorrow|last|next|ago|weekends?|weeks?|months?|years?|day before|other day|recently|just|` +
    `since|soon|finally|first time|this (?:morning|summer|winter|spring|fall|past)|` +
    `${`${MONTHS} ${WEEKDAYS}`.split(' ').join('|')}|20\\d\\d)\\b`,
  'iu',
);
const VIETNAMESE_TIMES =
  /(?:hôm qua|hôm nay|ngày mai|hôm kia|tuần (?:trước|này|sau)|tháng (?:trước|này|sau|\d)|năm (?:ngoái|nay|sau|20\d\d)|ngày \d|vừa|mới|sắp|thứ (?:hai|ba|tư|năm|sáu|bảy)|chủ nhật)/iu;
/** What each of them begins with, as a whole word or at the end of one: most texts have none of these. */
const BEGINS_TIME = new RegExp(
  `\\b(?:yesterday|today|tonight|tomorrow|last|next|ago|weekends?|weeks?|months?|years?|day|other|recently|just|since|soon|` +
    `finally|first|this|${`${MONTHS} ${WEEKDAYS}`.split(' ').join('|')}|20\\d\\d)\\b|(?:hom|ngay|tuan|thang|nam)$`,
);
const UNACCENTED_TIMES = /(?:hom (?:qua|nay)|ngay mai|tuan truoc|thang truoc|nam ngoai)/i;
const CHINESE_TIMES =
  /(?:昨天|今天|明天|前天|后天|上周|下周|这周|上个?月|下个?月|去年|今年|明年|最近|刚刚?|周[一二三四五六日天]|星期[一二三四五六日天]|\d月|\d日|\d号|20\d\d年|以前|之前|周末)/u;

/** A capitalised word that does not start a sentence. */
const PROPER_NOUN = /(?<=[\p{L}\p{N},;:'’)-] )\p{Lu}[\p{L}'’]+/gu;
const PLAIN_PROPER_NOUN = /[A-Z](?<=[a-zA-Z0-9,;:')-] [A-Z])[a-zA-Z']+/g;
/** White space other than single spaces. */
const UNEVEN = /[^\S ]| {2}/;
const QUOTED = /["“”]/gu;
const MAX_NAMES = 3;
/** Only this many characters are examined, which is enough. */
const LOOK_AT = 20_000;
const FIRST_PERSON = /^I(?:['’]\p{L}+)?$/u;

/** Surface features of a text, independent of its words' meaning. Pure, in linear time. */
export const traitsOf = (
  whole: string,
): { endsWithQuestion: boolean; hasQuestion: boolean; hasTimeWord: boolean; names: number } => {
  const head = whole.slice(0, LOOK_AT);
  const text = (UNEVEN.test(head) ? head.replace(/\s+/gu, ' ') : head).trim();
  const plain = isPlain(text);
  return {
    endsWithQuestion: text.endsWith('?') || text.endsWith('？'),
    hasQuestion: /[?？]/u.test(text),
    hasTimeWord: plain
      ? plainWordsOf(text).some(mayBeginTime) && (TIME_WORDS.test(text) || UNACCENTED_TIMES.test(text))
      : [TIME_WORDS, UNACCENTED_TIMES, VIETNAMESE_TIMES, CHINESE_TIMES].some((times) => times.test(text)),
    names: namesIn(text, plain ? PLAIN_PROPER_NOUN : PROPER_NOUN),
  };
};

const mayBeginTime = (word: PlainWord): boolean => (word.beginsTime ??= BEGINS_TIME.test(word.spelling));

const namesIn = (text: string, properNoun: RegExp): number => {
  let found = text.match(QUOTED)?.length ?? 0;
  for (const word of text.match(properNoun) ?? []) {
    if (!FIRST_PERSON.test(word)) found += 1;
    if (found >= MAX_NAMES) break;
  }
  return Math.min(found, MAX_NAMES) / MAX_NAMES;
};
