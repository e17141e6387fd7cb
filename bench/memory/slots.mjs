// Whether a record holds a value, in any of its spellings.
import { MONTHS } from '@turnkeeper/domain';

/** Words and numbers of a text: "$1,280.50" is `1280.50`, "7PM" and "7 pm" are the same. */
const tokensOf = (text) =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/(?<=\d),(?=\d{3})/g, '')
    .replace(/(?<=\d)(?=\p{L})|(?<=\p{L})(?=\d)/gu, ' ')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((token) => token !== '')
    .join(' ');

const spaceless = (text) => tokensOf(text).replaceAll(' ', '');
/** Shorter values occur in other words. */
const SHORTEST_SPACELESS = 6;

/** The spellings of a value; a day is written in many ways. */
const spellingsOf = (values) =>
  values.flatMap((value) => {
    const [, month, day] = /^\d{4}-(\d\d)-(\d\d)$/.exec(value) ?? [];
    if (month === undefined) return [value];
    const [name, number] = [MONTHS[Number(month) - 1], Number(day)];
    const ends = ['', 'st', 'nd', 'rd', 'th'];
    return [
      value,
      ...[name, name.slice(0, 3)].flatMap((word) =>
        ends.flatMap((end) => [`${word} ${number}${end}`, `${number}${end} ${word}`, `${number}${end} of ${word}`]),
      ),
      ...ends.slice(1).map((end) => `the ${number}${end}`),
    ];
  });

/** @param {readonly { text: string, attribute?: { value: string } | null }[]} records */
export const holdsSlot = (records, { values }) => {
  const texts = records.flatMap(({ text, attribute }) => [text, ...(attribute ? [attribute.value] : [])]);
  const padded = texts.map((text) => ` ${tokensOf(text)} `);
  const joined = texts.map(spaceless);
  return spellingsOf(values.map(String)).some((spelling) => {
    const wanted = tokensOf(spelling);
    if (wanted === '') return false;
    if (padded.some((text) => text.includes(` ${wanted} `))) return true;
    const short = wanted.replaceAll(' ', '');
    return short.length >= SHORTEST_SPACELESS && joined.some((text) => text.includes(short));
  });
};

/** Slots whose values must not be remembered. */
export const isSecretSlot = ({ slot }) => /ssn|password|passcode|pin$|cvv|card/i.test(slot);
