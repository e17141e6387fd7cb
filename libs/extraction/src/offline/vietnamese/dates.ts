import type { EventTime } from '@turnkeeper/domain';
import { addDays, addMonths, type Day, dayOf, isoDay, lastOfMonth, mondayOf, weekdayOf } from '../dates/calendar.js';

interface Moment {
  /** `ngày 13/5/2026`, `tuần từ 4/5/2026`, `tháng 4/2026`, `năm 2025`. */
  readonly label: string;
  readonly from: Day;
  readonly to: Day;
}

const NUMBERS: Readonly<Record<string, number>> = {
  một: 1,
  hai: 2,
  ba: 3,
  bốn: 4,
  tư: 4,
  năm: 5,
  sáu: 6,
  bảy: 7,
  tám: 8,
  chín: 9,
  mười: 10,
};
const COUNT = '(\\d{1,2}|một|hai|ba|bốn|năm|sáu|bảy|tám|chín|mười)';
const UNIT = '(ngày|tuần|tháng|năm)';
const PART = '(?:sáng|trưa|chiều|tối|đêm)';
const WEEKDAY = '(thứ (?:hai|ba|tư|năm|sáu|bảy|[2-7])|chủ nhật)';
const PAST = '(?:trước|rồi|vừa rồi|vừa qua|qua)';
const NEXT = '(?:sau|tới)';

const label = ({ day, month, year }: Day): string => `${day}/${month}/${year}`;
const onDay = (day: Day): Moment => ({ label: `ngày ${label(day)}`, from: day, to: day });
const inWeek = (day: Day): Moment => {
  const monday = mondayOf(day);
  return { label: `tuần từ ${label(monday)}`, from: monday, to: addDays(monday, 6) };
};
const inMonth = (day: Day): Moment => {
  const first = { ...day, day: 1 };
  return { label: `tháng ${day.month}/${day.year}`, from: first, to: lastOfMonth(first) };
};
const inYear = (year: number): Moment => ({
  label: `năm ${year}`,
  from: { year, month: 1, day: 1 },
  to: { year, month: 12, day: 31 },
});
const shifted = (unit: string, count: number, today: Day): Moment => {
  if (unit === 'ngày') return onDay(addDays(today, count));
  if (unit === 'tuần') return inWeek(addDays(today, count * 7));
  return unit === 'tháng' ? inMonth(addMonths(today, count)) : inYear(today.year + count);
};
const countOf = (word: string): number => NUMBERS[word] ?? Number(word);
/** Days after Monday. */
const placeInWeek = (weekday: string): number =>
  weekday === 'chủ nhật' ? 6 : countOf(weekday.replace('thứ ', '')) - 2;

type Family = readonly [pattern: string, resolve: (today: Day, ...groups: string[]) => Moment];
const weekdayOfWeek =
  (weeks: number) =>
  (today: Day, weekday = ''): Moment =>
    onDay(addDays(mondayOf(today), weeks * 7 + placeInWeek(weekday)));
const nearest = (today: Day, weekday: string, isAhead: boolean): Moment => {
  const days = (placeInWeek(weekday) - ((weekdayOf(today) + 6) % 7) + 7) % 7;
  return onDay(addDays(today, isAhead ? days || 7 : days - 7));
};

const weekend = (today: Day, weeks: number): Moment => {
  const saturday = addDays(mondayOf(today), weeks * 7 + 5);
  return { label: `cuối tuần ${label(saturday)}`, from: saturday, to: addDays(saturday, 1) };
};

/** Longer phrases first: the first matching family wins. "Năm" is both "five" and "year". */
const FAMILIES: readonly Family[] = [
  [`cuối tuần ${PAST}`, (today) => weekend(today, -1)],
  ['cuối tuần này', (today) => weekend(today, 0)],
  [`cuối tuần ${NEXT}`, (today) => weekend(today, 1)],
  [`${WEEKDAY} tuần ${PAST}`, weekdayOfWeek(-1)],
  [`${WEEKDAY} tuần này`, weekdayOfWeek(0)],
  [`${WEEKDAY} tuần ${NEXT}`, weekdayOfWeek(1)],
  [`${WEEKDAY} (?:rồi|vừa rồi|vừa qua)`, (today, weekday = '') => nearest(today, weekday, false)],
  [`${WEEKDAY} tới`, (today, weekday = '') => nearest(today, weekday, true)],
  [`cách đây ${COUNT} ${UNIT}`, (today, count = '', unit = '') => shifted(unit, -countOf(count), today)],
  [`${COUNT} ${UNIT} trước`, (today, count = '', unit = '') => shifted(unit, -countOf(count), today)],
  [`${COUNT} ${UNIT} nữa`, (today, count = '', unit = '') => shifted(unit, countOf(count), today)],
  [`${PART} (?:hôm )?qua|hôm qua`, (today) => onDay(addDays(today, -1))],
  ['hôm kia', (today) => onDay(addDays(today, -2))],
  [`${PART} nay|hôm nay`, (today) => onDay(today)],
  [`${PART} (?:ngày )?mai|ngày mai`, (today) => onDay(addDays(today, 1))],
  [`${PART} (?:ngày )?mốt|ngày (?:mốt|kia)`, (today) => onDay(addDays(today, 2))],
  [`(?:(?:đầu|giữa|cuối) )?(?:(tuần|tháng|năm) ${PAST}|năm ngoái)`, (today, unit = 'năm') => shifted(unit, -1, today)],
  ['(?:(?:đầu|giữa|cuối) )?(?:(tuần|tháng) này|năm nay)', (today, unit = 'năm') => shifted(unit, 0, today)],
  [`(?:(?:đầu|giữa|cuối) )?(?:(tuần|tháng|năm) ${NEXT}|sang năm)`, (today, unit = 'năm') => shifted(unit, 1, today)],
];
/** "Mai" is a name as well. */
const TOMORROW_I = /^mai (?=(?:tôi|mình|tui|tớ|chúng tôi|nhà mình) )/iu;
const ALL = FAMILIES.map(([pattern]) => pattern.replace(/\((?!\?)/g, '(?:')).join('|');
const SINGLE = FAMILIES.map(([pattern, resolve]) => ({ pattern: new RegExp(`^(?:${pattern})$`, 'iu'), resolve }));
/** After "before" or "every" the phrase says no day. */
const PHRASE = new RegExp(
  String.raw`(?<=^|[\s,(])(?<!(?:trước|sau|mỗi|hàng|hằng) )(?:vào )?(?<phrase>${ALL})(?=$|[\s,.!?;…)])`,
  'giu',
);
const SINCE = /(?:^|\s)(?:kể )?từ $/iu;
const UNTIL = /(?:^|\s)(?:(?:cho|kéo dài|nghỉ|nghỉ phép) (?:đến|tới)|(?:đến|tới) hết) $/iu;

const momentOf = (phrase: string, today: Day): Moment | null => {
  for (const { pattern, resolve } of SINGLE) {
    const match = pattern.exec(phrase);
    if (match !== null) return resolve(today, ...match.slice(1).map((group) => group?.toLowerCase()));
  }
  return null;
};

const ABSOLUTE =
  /(?<=^|[\s,(])(?:(?:ngày )?(?:(\d{1,2}) )?tháng (\d{1,2}) )?năm ((?:19|20)\d\d)(?=$|[\s,.!;…)])|(?<=^|\s)ngày (\d{1,2})[/.](\d{1,2})[/.](\d{4})(?!\d)/iu;
/** "Ngày 12 tháng 5 năm 1990", "tháng 5 năm 2019", "từ năm 2019", "ngày 12/5/1990". */
const absoluteTime = (text: string): EventTime | null => {
  const found = ABSOLUTE.exec(text);
  if (found === null) return null;
  const [day, month] = [Number(found[1] ?? found[4] ?? 0), Number(found[2] ?? found[5] ?? 0)];
  const year = Number(found[3] ?? found[6]);
  if (month > 12 || day > 31) return null;
  const moment =
    month === 0 ? inYear(year) : day === 0 ? inMonth({ year, month, day: 1 }) : onDay({ year, month, day });
  return { from: isoDay(moment.from), to: SINCE.test(text.slice(0, found.index)) ? null : isoDay(moment.to) };
};

/**
 * The days that a Vietnamese sentence refers to; its first relative date decides. Returns null if it names none.
 *
 * @param at when it was said, ISO 8601; days are at its own offset
 */
export const vietnameseTime = (sentence: string, at: string): EventTime | null => {
  const today = dayOf(at);
  const text = sentence.normalize('NFC').replace(TOMORROW_I, 'ngày mai ');
  const [match] = text.matchAll(PHRASE);
  if (match === undefined) return absoluteTime(text);
  const moment = today === null ? null : momentOf(match.groups?.['phrase'] ?? '', today);
  if (moment === null || today === null) return null;
  const before = text.slice(0, match.index);
  if (SINCE.test(before)) return { from: isoDay(moment.from), to: null };
  return { from: isoDay(UNTIL.test(before) ? today : moment.from), to: isoDay(moment.to) };
};

/** Replaces relative dates with calendar dates. One at the beginning moves to the end: "Ngày mai tôi bay" is "tôi bay (ngày 13/5/2026)". */
export const withVietnameseDates = (said: string, at: string): string => {
  const today = dayOf(at);
  if (today === null) return said;
  const sentence = said.replace(TOMORROW_I, 'ngày mai ');
  let leading = '';
  const dated = sentence.replace(PHRASE, (...args: unknown[]) => {
    const { phrase = '' } = args.at(-1) as { phrase?: string };
    const moment = momentOf(phrase, today);
    if (moment === null) return String(args[0]);
    const before = sentence.slice(0, Number(args.find((value) => typeof value === 'number')));
    if (before.trim() === '') {
      leading = ` (${moment.label})`;
      return '';
    }
    return SINCE.test(before) || UNTIL.test(before) || /(?:^|\s)(?:cho|của) $/iu.test(before)
      ? moment.label
      : `(${moment.label})`;
  });
  return dated.replace(/^[\s,]+/, '').replace(/^[^,]*/, (clause) => `${clause}${leading}`);
};

/** Said on Wednesday, 10 May 2023. */
export const examples = [
  ['ngày mai tôi bay ra Huế', 'tôi bay ra Huế (ngày 11/5/2023)', ['2023-05-11', '2023-05-11']],
  ['Ngày mai, tôi bay ra Huế', 'tôi bay ra Huế (ngày 11/5/2023)', ['2023-05-11', '2023-05-11']],
  ['tôi bay ra Huế sáng mai', 'tôi bay ra Huế (ngày 11/5/2023)', ['2023-05-11', '2023-05-11']],
  ['tôi bán xe tháng trước', 'tôi bán xe (tháng 4/2023)', ['2023-04-01', '2023-04-30']],
  ['tôi bán xe vào tháng trước', 'tôi bán xe (tháng 4/2023)', ['2023-04-01', '2023-04-30']],
  ['tối qua tôi mất ví', 'tôi mất ví (ngày 9/5/2023)', ['2023-05-09', '2023-05-09']],
  ['tôi mất ví hôm kia', 'tôi mất ví (ngày 8/5/2023)', ['2023-05-08', '2023-05-08']],
  ['tuần sau tôi đi Huế', 'tôi đi Huế (tuần từ 15/5/2023)', ['2023-05-15', '2023-05-21']],
  ['thứ sáu tuần này tôi thi', 'tôi thi (ngày 12/5/2023)', ['2023-05-12', '2023-05-12']],
  ['tôi thi chủ nhật tuần trước', 'tôi thi (ngày 7/5/2023)', ['2023-05-07', '2023-05-07']],
  ['tôi thi thứ 2 tới', 'tôi thi (ngày 15/5/2023)', ['2023-05-15', '2023-05-15']],
  ['năm ngoái tôi lấy vợ', 'tôi lấy vợ (năm 2022)', ['2022-01-01', '2022-12-31']],
  ['năm năm trước tôi lấy vợ', 'tôi lấy vợ (năm 2018)', ['2018-01-01', '2018-12-31']],
  ['tôi nghỉ việc cách đây hai tháng', 'tôi nghỉ việc (tháng 3/2023)', ['2023-03-01', '2023-03-31']],
  ['tôi bay ba ngày nữa', 'tôi bay (ngày 13/5/2023)', ['2023-05-13', '2023-05-13']],
  ['tôi nghỉ việc từ tháng trước', 'tôi nghỉ việc từ tháng 4/2023', ['2023-04-01', null]],
  ['tôi ở Huế cho đến tuần sau', 'tôi ở Huế cho đến tuần từ 15/5/2023', ['2023-05-10', '2023-05-21']],
  ['tôi đặt bàn cho ngày mai', 'tôi đặt bàn cho ngày 11/5/2023', ['2023-05-11', '2023-05-11']],
  ['tuần sau tôi thi, sợ lắm', 'tôi thi (tuần từ 15/5/2023), sợ lắm', ['2023-05-15', '2023-05-21']],
  ['tôi sinh ngày 12 tháng 5 năm 1990', 'tôi sinh ngày 12 tháng 5 năm 1990', ['1990-05-12', '1990-05-12']],
  ['tôi sinh ngày 12/5/1990', 'tôi sinh ngày 12/5/1990', ['1990-05-12', '1990-05-12']],
  ['tôi ăn chay từ năm 2019', 'tôi ăn chay từ năm 2019', ['2019-01-01', null]],
  ['tôi mua nhà tháng 5 năm 2019', 'tôi mua nhà tháng 5 năm 2019', ['2019-05-01', '2019-05-31']],
  ['tôi đi bơi mỗi tuần', 'tôi đi bơi mỗi tuần', null],
  ['tôi trả xe trước ngày mai', 'tôi trả xe trước ngày mai', null],
  ['Mai tôi bay ra Huế', 'tôi bay ra Huế (ngày 11/5/2023)', ['2023-05-11', '2023-05-11']],
  ['cuối tuần này tôi đi Huế', 'tôi đi Huế (cuối tuần 13/5/2023)', ['2023-05-13', '2023-05-14']],
  ['tôi bán xe cuối tháng trước', 'tôi bán xe (tháng 4/2023)', ['2023-04-01', '2023-04-30']],
  ['tôi gặp Mai', 'tôi gặp Mai', null],
  ['Mai thích bơi', 'Mai thích bơi', null],
] as const satisfies readonly (readonly [string, string, readonly [string, string | null] | null])[];
