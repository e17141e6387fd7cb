import { ATTEMPTS } from './slots/attempts.js';
import { ATTITUDES } from './slots/attitudes.js';
import { eventOrWorkIn } from './slots/events-and-works.js';
import { DIET_AND_HEALTH } from './slots/diet-and-health.js';
import { HABITS } from './slots/habits.js';
import { HOME_AND_WORK } from './slots/home-and-work.js';
import { IDENTITY } from './slots/identity.js';
import { PLANS } from './slots/plans.js';
import { RELATIONSHIPS } from './slots/relationships.js';
import { withoutEnd } from '../text/without-end.js';
import { firstIn, type Slot, type SlotRule } from './slots/slot-text.js';
import { VIETNAMESE } from './slots/vietnamese.js';

export type { Slot } from './slots/slot-text.js';

/** Rules for third-person sentences, as the extractors write them. The first match wins. */
const ENGLISH: readonly SlotRule[] = [
  ...HABITS,
  ...HOME_AND_WORK,
  ...RELATIONSHIPS,
  ...DIET_AND_HEALTH,
  ...IDENTITY,
  ...ATTITUDES,
  ...PLANS,
];

/** Hearsay and wishes: such a statement cannot end another. */
const HEDGED = /\b(?:would have|might|may|thinks? about|used to|[Ii]f|said|says|asked)\b/;
const WISHED =
  /\b(?:wants? to|would|plans? to|hopes? to|is (?:considering|thinking|planning|hoping|looking|going|trying)|will)\b/i;
/** "On 4 May 2023, Ana …": a leading date does not change the subject. */
const LEAD =
  /^(?:(?:On|In|At|By|Since|During|After|Before) [^,]{1,40}|(?:Now|Lately|Recently|Finally|Actually|Today|Yesterday|Currently|Luckily|Eventually)), (?=\p{Lu})/u;
/** The patterns are quadratic in the length of the text, and a fact that fills a slot is a short sentence. */
const LONGEST_SENTENCE = 300;

/**
 * The slot that a fact fills. Returns null if several facts of its kind can be true together, or if the text is longer
 * than a sentence.
 */
export const slotOf = (text: string): Slot | null => {
  if (text.length > LONGEST_SENTENCE) return null;
  const plain = text
    .replace(/\([^()]*\)/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  const sentence = withoutEnd(plain, /[.!]/).trim().replace(LEAD, '');
  if (HEDGED.test(sentence)) return null;
  const taking = firstIn(ATTEMPTS, sentence) ?? eventOrWorkIn(text, sentence);
  if (taking !== null) return unlessOpenEnded(taking, sentence);
  const isVietnamese =
    /[ăđơưạảấầẩẫậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹ]/iu.test(sentence) &&
    /(?:sống|tên|làm|thích|ghét|yêu|tuổi|dị ứng|chuyển|hôn|gia đình|không|độc thân|lấy)/iu.test(sentence);
  const rules = isVietnamese ? VIETNAMESE : WISHED.test(sentence) ? PLANS_AND_NAMES : ENGLISH;
  return unlessOpenEnded(firstIn(rules, sentence), sentence);
};

/** "Find more sponsors" is not done with the next one: one act does not end such a plan. */
const OPEN_ENDED = /\b(?:(?<!\bone )more|(?:new |other )?ways to)\b/i;
const unlessOpenEnded = (filled: Slot | null, sentence: string): Slot | null =>
  filled?.value.startsWith('planned') === true && PLAN.test(filled.key) && OPEN_ENDED.test(sentence) ? null : filled;

const PLANS_AND_NAMES: readonly SlotRule[] = [...IDENTITY, ...PLANS];

const PLAN = /\|plan: /;

/** Whether the newer of two statements of one slot ends the older one. */
export const contradicts = (older: Slot, newer: Slot): boolean => {
  if (older.value === newer.value) return false;
  // A completed action stays true; a plan ends with its outcome.
  if (PLAN.test(older.key)) return /^(?:planned|postponed)/.test(older.value) && !newer.value.startsWith('planned');
  if (newer.value.startsWith('not ')) return older.value === newer.value.slice(4);
  return !older.value.startsWith('not ') || older.value.slice(4) === newer.value;
};

/**
 * Whether two statements with the same slot and value are the same fact. Trips are an exception: there may be several
 * to one place.
 */
export const saysTheSame = (one: Slot, other: Slot): boolean =>
  one.key === other.key && one.value === other.value && !PLAN.test(one.key);

/** Attribute of the slot that all records of one session fill, so that only the newest is current. */
export const EPISODE = 'episode';

/**
 * The slot of a session's episode.
 *
 * @param session identifies the session; must contain no `|`
 * @param version identifies the text
 */
export const episodeSlot = (session: string, version: string): Slot => ({
  key: `${session}|${EPISODE}`,
  value: version,
});

const WORDS_BY_ATTRIBUTE: Readonly<Record<string, string>> = {
  home: 'home live lives city town address move moved',
  name: 'name called',
  nickname: 'name called nickname',
  age: 'age old',
  employer: 'employer company job work works',
  job: 'job work profession occupation works',
  'marital status': 'marital status relationship partner spouse married single',
  diet: 'diet food eat eats',
  [EPISODE]: 'session conversation call chat happened',
  smoking: 'smoke smokes smoking cigarettes',
};

/**
 * Search terms for a slot that the fact itself may not contain ("Which city does she live in?" for "moved to Hue").
 * Indexed together with the fact's own words.
 */
export const slotWords = (filled: Slot | null): string => {
  const attribute = filled?.key.slice(filled.key.indexOf('|') + 1) ?? '';
  return WORDS_BY_ATTRIBUTE[attribute] ?? '';
};
