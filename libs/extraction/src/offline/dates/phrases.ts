import {
  addDays,
  addMonths,
  type Day,
  dayLabel,
  lastOfMonth,
  mondayOf,
  monthLabel,
  monthNumber,
  weekdayNumber,
  weekdayOf,
  weekendLabel,
  weekLabel,
} from './calendar.js';

export type Tense = 'past' | 'future' | 'unknown';

/** The time that a phrase such as "last Friday" refers to. */
export interface Moment {
  /** `7 May 2023`, `the week of 1 May 2023`, `May 2023`, `2022`, `about 2020`. */
  readonly label: string;
  /** The preposition before the label at the start of a sentence. */
  readonly preposition: 'on' | 'in' | 'over';
  /** First and last day. */
  readonly from: Day;
  readonly to: Day;
}

interface Family {
  /** Pattern of the phrase; matched at word boundaries, case-insensitively. */
  readonly pattern: string;
  /** Returns null if the phrase is ambiguous. */
  readonly resolve: (groups: Readonly<Record<string, string>>, today: Day, tense: Tense) => Moment | null;
}

const NUMBERS: Readonly<Record<string, number>> = {
  a: 1,
  an: 1,
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
  eleven: 11,
  twelve: 12,
};
const COUNT = String.raw`(?<count>\d{1,2}|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|(?:a )?couple(?: of)?|(?:a )?few)`;
const WEEKDAY = String.raw`(?<weekday>(?:mon|tues?|wednes|thurs?|fri|satur|sun)day|mon|tues?|wed|thurs?|fri)`;
const MONTH_NAME =
  '(?:january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|apr|aug|sept?|oct|nov|dec)';
const MONTH = `(?<month>${MONTH_NAME})`;
const PART = String.raw`(?: (?:morning|afternoon|evening|night))?`;

const on = (day: Day): Moment => ({ label: dayLabel(day), preposition: 'on', from: day, to: day });
const inWeek = (day: Day): Moment => ({
  label: weekLabel(day),
  preposition: 'in',
  from: mondayOf(day),
  to: addDays(mondayOf(day), 6),
});
const overWeekend = (day: Day): Moment => ({
  label: weekendLabel(day),
  preposition: 'over',
  from: addDays(mondayOf(day), 5),
  to: addDays(mondayOf(day), 6),
});
const inMonth = (day: Day): Moment => ({
  label: monthLabel(day),
  preposition: 'in',
  from: { ...day, day: 1 },
  to: lastOfMonth(day),
});
const inYear = (year: number): Moment => ({
  label: String(year),
  preposition: 'in',
  from: { year, month: 1, day: 1 },
  to: { year, month: 12, day: 31 },
});
const about = (moment: Moment): Moment => ({ ...moment, label: `about ${moment.label}` });

/** `last` −1, `this` 0, `next` +1. */
const stepOf = (which: string | undefined): number =>
  /last|past|previous/.test(which ?? '') ? -1 : /next|coming/.test(which ?? '') ? 1 : 0;

const shift = (unit: string, count: number, vague: boolean, today: Day): Moment => {
  if (unit === 'day') return (vague ? about : same)(on(addDays(today, count)));
  if (unit === 'week') return inWeek(addDays(today, count * 7));
  if (unit === 'weekend') return overWeekend(addDays(today, count * 7));
  if (unit === 'month') return (vague ? about : same)(inMonth(addMonths(today, count)));
  return (Math.abs(count) > 1 ? about : same)(inYear(today.year + count));
};
const same = (moment: Moment): Moment => moment;

const counted = (words: string | undefined): { count: number; vague: boolean } => {
  const text = (words ?? '').toLowerCase();
  if (text.includes('couple')) return { count: 2, vague: true };
  if (text.includes('few')) return { count: 3, vague: true };
  return { count: NUMBERS[text] ?? Number(text), vague: false };
};

const season = (name: string, step: number, today: Day): Moment => {
  const first = { spring: 3, summer: 6, fall: 9, autumn: 9, winter: 12 }[name] ?? 6;
  const over = first === 12 ? 2 : first + 2;
  let year = today.year;
  if (step < 0) year = today.month > over && first !== 12 ? today.year : today.year - 1;
  if (step > 0) year = today.month < first ? today.year : today.year + 1;
  return {
    label: first === 12 ? `winter ${year}/${String(year + 1).slice(2)}` : `${name} ${year}`,
    preposition: 'in',
    from: { year, month: first, day: 1 },
    to: lastOfMonth({ year: first === 12 ? year + 1 : year, month: over, day: 1 }),
  };
};

/** Longer phrases first: the first matching family wins. */
export const FAMILIES: readonly Family[] = [
  { pattern: 'the day before yesterday', resolve: (_, today) => on(addDays(today, -2)) },
  { pattern: 'the day after tomorrow', resolve: (_, today) => on(addDays(today, 2)) },
  { pattern: `yesterday${PART}|last night`, resolve: (_, today) => on(addDays(today, -1)) },
  { pattern: `tomorrow${PART}`, resolve: (_, today) => on(addDays(today, 1)) },
  { pattern: 'tonight|today|this (?:morning|afternoon|evening)', resolve: (_, today) => on(today) },
  {
    pattern: String.raw`(?:about |around |over |just )?${COUNT} (?<unit>day|week|weekend|month|year)s? (?:ago|back)`,
    resolve: ({ count, unit = '' }, today) => {
      const { count: n, vague } = counted(count);
      return shift(unit.toLowerCase(), -n, vague, today);
    },
  },
  { pattern: String.raw`a fortnight (?:ago|back)`, resolve: (_, today) => shift('week', -2, false, today) },
  {
    pattern: 'in a fortnight',
    resolve: (_, today, tense) => (tense === 'future' ? shift('week', 2, false, today) : null),
  },
  {
    pattern: String.raw`in (?:about |around )?${COUNT} (?<unit>day|week|month|year)s?(?!['’]| of\b)`,
    resolve: ({ count, unit = '' }, today, tense) => {
      const { count: n, vague } = counted(count);
      // "learned it in two weeks" is a duration.
      return tense === 'future' ? shift(unit.toLowerCase(), n, vague, today) : null;
    },
  },
  {
    // "last year in November", "in November last year"
    pattern: String.raw`(?<which>last|this|next) year,? in ${MONTH}(?! \d|\w)|in (?<named>${MONTH_NAME}),? (?:of )?(?<whose>last|this|next) year`,
    resolve: ({ which, month, named, whose }, today) => {
      const number = monthNumber(month ?? named ?? '');
      const year = today.year + stepOf((which ?? whose ?? '').toLowerCase());
      return number === null ? null : inMonth({ year, month: number, day: 1 });
    },
  },
  {
    pattern: String.raw`(?<which>last|this past|past|this|next|this coming) (?<unit>weekend|week|month|year)`,
    resolve: ({ which, unit = '' }, today, tense) => {
      const step = stepOf(which?.toLowerCase());
      const name = unit.toLowerCase();
      if (name === 'weekend' && which?.toLowerCase() === 'this' && tense === 'past' && weekdayOf(today) < 6) {
        return weekdayOf(today) === 0 ? overWeekend(today) : shift(name, -1, false, today);
      }
      return shift(name, step, false, today);
    },
  },
  {
    // "I work at the weekend" is a habit.
    pattern: '(?:at|on) the weekend',
    resolve: (_, today, tense) =>
      tense === 'unknown'
        ? null
        : overWeekend(tense === 'future' || weekdayOf(today) === 0 ? today : addDays(today, -7)),
  },
  {
    pattern: 'over the weekend|during the weekend',
    resolve: (_, today, tense) =>
      overWeekend(tense === 'future' || weekdayOf(today) === 0 ? today : addDays(today, -7)),
  },
  {
    pattern: String.raw`(?<which>last|this past|this|next|this coming|on) ${WEEKDAY}${PART}(?!,? (?:\d{1,2}(?:$|[,.;!]|st|nd|rd|th|(?: of)? ${MONTH_NAME}\b| (?:I|we|he|she|they|my|our)\b)|the \d|${MONTH_NAME}\b))`,
    resolve: ({ which, weekday = '' }, today, tense) => {
      const target = weekdayNumber(weekday);
      if (target === null) return null;
      const ahead = (target - weekdayOf(today) + 7) % 7;
      const previous = on(addDays(today, ahead === 0 ? -7 : ahead - 7));
      const following = on(addDays(today, ahead === 0 ? 7 : ahead));
      const word = which?.toLowerCase() ?? '';
      if (word === 'last' || word === 'this past') return previous;
      if (word === 'next') {
        // Early in the week "next Friday" is ambiguous.
        const passed = (weekdayOf(today) + 6) % 7 >= (target + 6) % 7;
        return passed ? following : null;
      }
      if (tense === 'past') return previous;
      return tense === 'future' || word !== 'on' ? following : null;
    },
  },
  {
    // "on the 4th floor" is no date.
    pattern: String.raw`on the (?<day>\d{1,2})(?:st|nd|rd|th)(?=$|[,.;!?]| (?:after|before|with|and|at|in|for|to|because|when)\b)`,
    resolve: ({ day = '' }, today, tense) => {
      const number = Number(day);
      if (number < 1 || number > 28 || (tense !== 'past' && tense !== 'future')) return null;
      const thisMonth = { ...today, day: number };
      if (tense === 'past') return on(number <= today.day ? thisMonth : addMonths(thisMonth, -1));
      return on(number >= today.day ? thisMonth : addMonths(thisMonth, 1));
    },
  },
  {
    pattern: String.raw`(?<which>last|this past|this|next) (?<season>spring|summer|fall|autumn|winter)`,
    resolve: ({ which, season: name = '' }, today) => season(name.toLowerCase(), stepOf(which?.toLowerCase()), today),
  },
  {
    pattern: String.raw`(?:(?<which>last|this|next|in|(?<!\b(?:go|goes|went|gone|going|come|came|coming|move|moved|moving|get|got|fly|flew|flying) )back in|early|late)) ${MONTH}(?! \d|,? \d{4}|\w)`,
    resolve: ({ which, month = '' }, today, tense) => {
      const number = monthNumber(month);
      if (number === null) return null;
      const word = which?.toLowerCase() ?? '';
      const past = word === 'last' || word === 'back in' || (word !== 'next' && tense === 'past');
      if (!past && word !== 'next' && word !== 'this' && tense !== 'future') return null;
      const year = past
        ? number < today.month || (number === today.month && word !== 'last')
          ? today.year
          : today.year - 1
        : number > today.month || (number === today.month && word !== 'next')
          ? today.year
          : today.year + 1;
      return inMonth({ year, month: number, day: 1 });
    },
  },
];
