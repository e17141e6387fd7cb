import { ATTEMPTS } from './slots/attempts.js';
import { ATTITUDES } from './slots/attitudes.js';
import { eventOrWorkIn } from './slots/events-and-works.js';
import { DIET_AND_HEALTH } from './slots/diet-and-health.js';
import { HABITS } from './slots/habits.js';
import { HOME_AND_WORK, JOB_ENDED, NO_JOB, PLANNED_HOME_AND_WORK } from './slots/home-and-work.js';
import { changesCount, IDENTITY } from './slots/identity.js';
import { MEASURES } from './slots/measures.js';
import { OWN_BUSINESS, PLANS } from './slots/plans.js';
import { PLANNED_QUITS, QUITS } from './slots/quits.js';
import { RELATIONSHIPS } from './slots/relationships.js';
import { withoutEnd } from '../text/without-end.js';
import { firstIn, normal, type Slot, type SlotRule } from './slots/slot-text.js';
import { WISH_LIST } from './slots/wish-list.js';
import { VIETNAMESE } from './slots/vietnamese.js';
import { isAnother, isNamedAlike, whichOf, withoutYear, withYear, yearIn } from './slots/which.js';

export type { Slot } from './slots/slot-text.js';

/** Rules for third-person sentences, as the extractors write them. The first match wins. */
const ENGLISH: readonly SlotRule[] = [
  ...HABITS,
  ...PLANNED_HOME_AND_WORK,
  ...HOME_AND_WORK,
  ...RELATIONSHIPS,
  ...DIET_AND_HEALTH,
  ...QUITS,
  ...MEASURES,
  ...IDENTITY,
  ...OWN_BUSINESS,
  ...ATTITUDES,
  ...PLANS,
];

const WISHES_AND_ATTEMPTS: readonly SlotRule[] = [...WISH_LIST, ...ATTEMPTS];

/** Hearsay and wishes: such a statement cannot end another. */
const HEDGED = /\b(?:would have|might|may|thinks? about|used to|[Ii]f|said|says|asked)\b/;
const WISHED =
  /\b(?:wants? to|would|plans? to|hopes? to|is (?:considering|thinking|planning|hoping|looking|going|trying)|will)\b/i;
/** "On 4 May 2023, Ana …": a leading date does not change the subject. */
const LEAD =
  /^(?:(?:On|In|At|By|Over|Around|Since|During|After|Before) [^,]{1,40}|(?:Now|Lately|Recently|Finally|Actually|Today|Yesterday|Currently|Luckily|Eventually)), (?=\p{Lu})/u;
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
  const taking = firstIn(WISHES_AND_ATTEMPTS, sentence) ?? eventOrWorkIn(text, sentence);
  if (taking !== null) return dated(unlessOpenEnded(taking, sentence), text);
  const isVietnamese =
    /[ăđơưạảấầẩẫậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹ]/iu.test(sentence) &&
    /(?:sống|tên|làm|thích|ghét|yêu|tuổi|dị ứng|chuyển|hôn|gia đình|không|độc thân|lấy)/iu.test(sentence);
  const rules = isVietnamese ? VIETNAMESE : WISHED.test(sentence) ? PLANS_AND_NAMES : ENGLISH;
  const bare = isVietnamese ? sentence.replace(VIETNAMESE_SPAN, '') : sentence;
  return dated(unlessOpenEnded(firstIn(rules, bare), sentence), text);
};
/** "… từ tháng 4/2026": since when is not part of the value. */
const VIETNAMESE_SPAN = / (?:kể từ|từ|cho đến|cho tới) (?:ngày|tuần|tháng|năm) \d.*$/iu;

/** A fact dated by a year alone, "visited Oslo (2019)", may be long past: `isInTime` needs the year. */
const dated = (filled: Slot | null, text: string): Slot | null => {
  const date = /\(([^()]*\d{4})\)/.exec(text)?.[1];
  if (date !== undefined && filled !== null && (filled.value === NO_JOB || filled.value === JOB_ENDED))
    return { ...filled, value: `${NO_JOB} since ${normal(date)}` };
  const year = /\((\d{4})\)/.exec(text)?.[1];
  return filled !== null &&
    year !== undefined &&
    /\|(?:plan: |marital status)/.test(filled.key) &&
    /^(?!planned|begun)/.test(filled.value)
    ? { ...filled, value: withYear(filled.value, year) }
    : filled;
};

/**
 * "Find more sponsors" is not done with the next one: one act does not end such a plan. A stated reason ("because they
 * love to dance") stays true when the plan has come true.
 */
const OPEN_ENDED = /\b(?:(?<!\bone )more|(?:new |other )?ways to|because|(?<=['’])cause|cause (?:they|it))\b/i;
const unlessOpenEnded = (filled: Slot | null, sentence: string): Slot | null =>
  filled?.value.startsWith('planned') === true && PLAN.test(filled.key) && OPEN_ENDED.test(sentence) ? null : filled;

const PLANS_AND_NAMES: readonly SlotRule[] = [...IDENTITY, ...PLANNED_HOME_AND_WORK, ...PLANNED_QUITS, ...PLANS];

const PLAN = /\|plan: /;

/** Whether a statement ends a plan. A submitted work waits for an answer; an event can be moved to another month. */
const endsPlan = (older: string, newer: string): boolean => {
  const [was, is] = [whichOf(older), whichOf(newer)];
  // Looking into something, or intending to submit it, ends nothing.
  if (is.state === 'open' || is.state === 'ready' || isAnother(was, is)) return false;
  switch (was.state) {
    case 'open':
      return true;
    case 'ready':
      return is.state === 'sent' || is.state === 'answered';
    case 'sent':
      return is.state === 'answered';
    case 'begun':
      // While another novel is being written, "a novel" that was submitted may be the previous one.
      if (was.ordinal === 'another' && is.ordinal === null && /^(?:sent|answered)$/.test(is.state)) return false;
      return !/^(?:planned|begun)$/.test(is.state);
    case 'planned':
    case 'postponed':
      return is.state !== 'planned' || (is.isMoved && isNamedAlike(was, is));
    default:
      return false;
  }
};

const CURRENT = /\|current /;

/** Prefix of the values for a planned home or job. */
const PLANNED = 'planned ';
/** A search for a job ends with a new one. A temporary or a second job does not end it, unless it was searched for. */
const isOutcome = (planned: string, value: string): boolean =>
  planned === value ||
  (/\bjob$/.test(planned) && value === 'new job') ||
  (planned === 'job' && value === 'full time job');

const SIDE_JOB = /^(?:part time|second|summer|temp|temporary) job$/;
const STOPGAP = /^(?:temp|temporary) job$/;
/** A side job continues beside the main one. A stopgap ends with the new job that it was to bridge the time to. */
const endsSideJob = (older: string, newer: string): boolean =>
  newer === `not ${older}` || (STOPGAP.test(older) && /^(?:new|full time) job$/.test(newer));

/** Whether the newer of two statements of one slot ends the older one. */
export const contradicts = (older: Slot, newer: Slot): boolean => {
  if (older.key.endsWith('|marital status'))
    // Married in 2005 stays true, whatever came after.
    return yearIn(older.value) === null && endsStatus(older.value, withoutYear(newer.value));
  if (older.value === newer.value) return false;
  // A completed action stays true; a plan ends with its outcome.
  if (PLAN.test(older.key)) return endsPlan(older.value, newer.value);
  if (older.value.startsWith(`${NO_JOB} since `)) return false;
  // A second job does not end the first; it does end unemployment.
  if (SIDE_JOB.test(older.value)) return endsSideJob(older.value, newer.value);
  if (SIDE_JOB.test(newer.value) && older.value !== NO_JOB && !older.value.startsWith(PLANNED)) return false;
  if (older.key.includes('|number of ')) return changesCount(older.value, newer.value);
  const denied = newer.value.startsWith('not ') ? newer.value.slice(4) : null;
  // A finished book ends "a novel called Waves"; reading it again does not undo that.
  if (CURRENT.test(older.key))
    return (
      !older.value.startsWith('not ') &&
      (denied === null || /(?:^|^\S+ )called (.+)$/.exec(older.value)?.[1] === denied)
    );
  // "Is moving to Hue" ends with living there, and changes nothing before that.
  if (newer.value.startsWith(PLANNED)) return false;
  if (older.value.startsWith(PLANNED)) return isOutcome(older.value.slice(PLANNED.length), newer.value);
  return differs(older.value, newer.value);
};

const differs = (older: string, newer: string): boolean => {
  if (newer.startsWith('not ')) return older === newer.slice(4);
  return older !== newer && (!older.startsWith('not ') || older.slice(4) === newer);
};

/** Who is dating or single again may still be divorced. */
const endsStatus = (older: string, newer: string): boolean => {
  if (newer === 'partnered' && older !== 'single') return false;
  if (newer === 'single' && /^(?:divorced|widowed|separated)$/.test(older)) return false;
  return differs(older, newer);
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
