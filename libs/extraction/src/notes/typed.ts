import type { AttributeValue } from '@turnkeeper/domain';
import { asksForSecret } from '../secrets/secrets.js';
import { askedIn } from './asked.js';
import { type Asked, attribute, isBooking, knownAttribute, numberedBy, numberedIn } from './attribute-table.js';
import { startOfTime } from './dates.js';
import { wordsIn } from './languages/language.js';
import type { Lexicon } from './languages/lexicon.js';
import type { Span } from './sentences.js';
import { spokenIn } from './spoken.js';
import { emailIn, homeIn, movedToIn, phoneIn, toldAddressIn, toldNameIn, type Value, valueFor } from './values.js';

/** A typed value and the sentence that it stands in. */
export interface Typed extends Value {
  readonly attribute: AttributeValue;
  /** Whose it is, as quoted; null for the speaker's own. */
  readonly subject: string | null;
  /** Index of the sentence. `start` and `end` are places in it. */
  readonly sentence: number;
  readonly kind: Asked['kind'];
  /** It takes the place of the value before it, although several may stand side by side. */
  readonly corrects: boolean;
}

const SHORTEST_CODE = 3;
const DIGITS_OF_A_PHONE = 9;
const MOST_DIGITS_OF_A_PHONE = 12;
/** Fewer digits after "order" may be a count. */
const DIGITS_OF_A_CODE = 4;
/** How far before a code its name may stand. */
const BEFORE = 48;

/**
 * The typed values of a statement: what the questions before it ask for, and what the words before a value name.
 *
 * @param questions sentences of the other side that it answers
 */
export const typedIn = (
  sentences: readonly Span[],
  questions: readonly string[],
  at: string,
  lexicon: Lexicon,
  isChat: boolean,
): Typed[] => {
  const found: Typed[] = [];
  const add = (asked: Asked, value: Value | null, sentence: number, about: string): boolean => {
    if (value === null || value.value.length > MOST_VALUE) return false;
    const text = sentences[sentence]?.text ?? '';
    const same = found.findIndex((one) => one.attribute.name === asked.name);
    const isCorrected = same >= 0 && (found[same]?.sentence ?? 0) < sentence && lexicon.corrects.test(text);
    if (isCorrected) found.splice(same, 1);
    const isTaken = found.some(
      (one) =>
        one.attribute.name === asked.name ||
        (one.sentence === sentence && one.start < value.end && value.start < one.end),
    );
    if (isTaken) return false;
    const before = text.slice(Math.max(0, value.start - BEFORE), value.start);
    const other = lexicon.ofOther.exec(`${about} ${before}`)?.[0] ?? null;
    const subject =
      other !== null && /\s|\p{Script=Han}/u.test(other.trim())
        ? other
            .trim()
            .replace(/['’]s$/u, '')
            .toLowerCase()
            .replace(/^your /, 'my ')
        : null;
    const isFurther =
      isBesideAnother(text, value, lexicon) ||
      lexicon.former.test(clauseBefore(text, value.start)) ||
      asksForAnother ||
      (other !== null && subject === null);
    const corrects = !asked.single && lexicon.corrects.test(`${about} ${text.slice(0, value.start)}`);
    found.push({
      ...value,
      attribute: { name: asked.name, value: value.value, single: asked.single ? !isFurther : corrects },
      subject,
      sentence,
      kind: asked.kind,
      corrects,
    });
    return true;
  };
  const asked = questions
    .filter((question) => !asksForSecret(question))
    .map((question) => ({
      question,
      wanted: askedIn(question, lexicon),
    }));
  const wanted = asked.flatMap(({ question, wanted: list }) => list.map((one) => ({ question, one })));
  // "Any other?"
  const asksForAnother = wanted.length === 0 && questions.some((question) => lexicon.another.test(question));
  const allAsked = questions.join(' ');
  for (const [index, { text }] of sentences.entries()) {
    const before = sentences[index - 1]?.text ?? '';
    // A bare value is that of the question, or of the sentence before it.
    for (const [name, value] of told(text, before, lexicon))
      add(name, value, index, isLead(text.slice(0, value?.start ?? 0), lexicon) ? `${allAsked} ${before}` : '');
  }
  const asksForCode = wanted.some(({ one }) => one.kind === 'code');
  // Values with a form of their own first: what they leave over may answer the rest.
  const formed = wanted.filter(({ one }) => one.kind !== 'text' && one.kind !== 'name');
  // Friends ask for much that is no attribute.
  const free = isChat
    ? []
    : wanted.filter(({ one }) => one.kind === 'name' || (one.kind === 'text' && questions.length === 1));
  for (const { one } of [...formed, ...(free.length === 1 ? free : [])]) {
    let said: { readonly value: Value; readonly index: number } | null = null;
    for (const [index, { text }] of sentences.entries()) {
      const taken = found.filter(({ sentence }) => sentence === index);
      const rest = taken.length === 0 ? text : blanked(text, taken);
      const value = valueFor(one, rest, at, lexicon, allAsked);
      if (said === null) {
        // "Two adults and one child. She's six."
        if (value === null && COUNTED.test(one.kind) && spokenIn(rest, lexicon).length > 0) break;
        if (value !== null) said = { value, index };
      } else if (value !== null && (lexicon.corrects.test(text) || isFuller(value, said.value))) {
        said = one.kind === 'text' ? null : { value, index };
        if (said === null) break;
      }
    }
    if (said !== null) add(one, said.value, said.index, allAsked);
  }
  if (!asksForCode) {
    for (const [index, { text }] of sentences.entries()) {
      const taken = found.filter(({ sentence }) => sentence === index);
      const phone = writtenPhoneIn(taken.length === 0 ? text : blanked(text, taken), lexicon);
      if (phone !== null) add(PHONE, phone, index, allAsked);
    }
  }
  return found.toSorted((one, other) => one.sentence - other.sentence || one.start - other.start);
};

/** Whether the words around a value say that it is one more. */
const isBesideAnother = (text: string, { start, end }: Value, { another }: Lexicon): boolean =>
  another.test(`${text.slice(0, start)} ${firstClause(text.slice(end))}`);

const COUNTED = /^(?:code|count|phone)$/;
/** "Ann. Ann Lee." */
const isFuller = ({ value }: Value, said: Value): boolean =>
  value.length > said.value.length && value.split(' ').includes(said.value);

/**
 * The value that a statement puts in the place of one that was said before, without its name: "Actually, make it seven."
 *
 * @param questions sentences of the other side that it answers
 * @param before the value that the same speaker gave last
 */
export const correctedIn = (
  sentences: readonly Span[],
  questions: readonly string[],
  before: Typed,
  at: string,
  lexicon: Lexicon,
): Typed | null => {
  const { kind, subject, attribute: earlier } = before;
  if (kind === 'text' || kind === 'name') return null;
  const asksForOther = questions.some((question) =>
    askedIn(question, lexicon).some(({ name }) => name !== earlier.name),
  );
  if (asksForOther) return null;
  for (const [sentence, { text }] of sentences.entries()) {
    const value = valueFor({ ...earlier, kind }, text, at, lexicon, '');
    if (value === null || value.value === earlier.value || isBesideAnother(text, value, lexicon)) continue;
    if (kind !== 'code' || Math.abs(value.value.length - earlier.value.length) <= MOST_LONGER)
      return {
        ...value,
        attribute: { ...earlier, value: value.value },
        subject,
        sentence,
        kind,
        corrects: !earlier.single,
      };
  }
  return null;
};

/** Characters by which a corrected code may be longer or shorter. */
const MOST_LONGER = 2;

/** The appointment or reservation that an agent has made or moved; its value is the day and time as it was said. */
export const bookedBy = (sentences: readonly Span[], at: string, lexicon: Lexicon): Typed | null => {
  for (const [sentence, { text }] of sentences.entries()) {
    const start = isBooking(text) && lexicon.commits.test(text) ? startOfTime(text, at, lexicon) : null;
    const value = start === null ? undefined : /^[^,;!?，；！？。]+/u.exec(text.slice(start, start + MOST_VALUE))?.[0];
    if (start === null || value === undefined) continue;
    const said = value.replace(/\.$/, '').trim();
    return {
      ...{ value: said, start, end: start + said.length, sentence, subject: null, kind: 'text' },
      attribute: { name: 'appointment', value: said, single: false },
      corrects: lexicon.corrects.test(text),
    };
  }
  return null;
};

/** The words that directly follow a value, also after a comma if they speak of it. */
const firstClause = (text: string): string => {
  const [own = '', next = ''] = text.split(/[,.;:!?，。；！？]/u);
  return ABOUT_IT.test(next) ? `${own} ${next}` : own;
};
const ABOUT_IT =
  /^\s*(?:that|it|this|but|and|das|ist|aber|und|es|ese|pero|y|c['’]|mais|et|é|mas|e|đó|nhưng|và|这|那|也|但)/iu;

/** The words of the clause before a place. */
const clauseBefore = (text: string, at: number): string =>
  text
    .slice(0, at)
    .split(/[,.;:!?，。；！？]/u)
    .at(-1) ?? '';

/** A number that looks or sounds like one of a phone, whatever it is called, and that no code's name precedes. */
const writtenPhoneIn = (text: string, lexicon: Lexicon): Value | null => {
  const phone = phoneIn(text, lexicon);
  if (phone === null) return null;
  const before = text.slice(Math.max(0, phone.start - BEFORE), phone.start).toLowerCase();
  const named = knownAttribute(before) ?? numberedBy(before);
  if (named !== null && named.kind !== 'phone') return null;
  const said = text.slice(phone.start, phone.end);
  const isPhone =
    phone.value.startsWith('+') ||
    /^\d{3}[ .-]\d{4}$/.test(said) ||
    (phone.value.length >= DIGITS_OF_A_PHONE &&
      phone.value.length <= MOST_DIGITS_OF_A_PHONE &&
      (/^0/.test(phone.value) || /^\(?\d{2,5}\)?(?:[ .-]\d{2,5}){2,4}$/.test(said) || !/\d/.test(said)));
  return isPhone ? phone : null;
};

/** "number lko 789" is `LKO789`. */
const LETTERS_BEFORE =
  /(?:number|no|code|id|is|número|código|es|nummer|numéro|est|é|số|mã|là|:|#)\s+(\p{L}{2,4})\s+$/iu;
const withLetters = (code: Value, text: string, { stop, idle }: Lexicon): Value => {
  const match = LETTERS_BEFORE.exec(text.slice(Math.max(0, code.start - BEFORE), code.start));
  const letters = match?.[1];
  if (letters === undefined || stop.has(letters.toLowerCase()) || idle.has(letters.toLowerCase())) return code;
  return { ...code, value: letters.toUpperCase() + code.value };
};

const MOST_VALUE = 120;

/** The text with white space in place of the values that are already read. */
const blanked = (text: string, taken: readonly Value[]): string =>
  taken.reduce((rest, { start, end }) => rest.slice(0, start) + ' '.repeat(end - start) + rest.slice(end), text);

/** "It's", "so it is now": nothing that names a value. */
const isLead = (text: string, { stop, idle }: Lexicon): boolean =>
  wordsIn(text).every((word) => stop.has(word) || idle.has(word));

const NAME: Asked = attribute('name', 'name', true);
const EMAIL: Asked = attribute('email', 'email', true);
const PHONE: Asked = attribute('phone_number', 'phone', true);
const ADDRESS: Asked = attribute('address', 'text', true);
const HOME: Asked = attribute('home', 'text', true);

/** Values that a sentence names itself: "my policy number is …". */
const told = (text: string, previous: string, lexicon: Lexicon): [Asked, Value | null][] => {
  const values: [Asked, Value | null][] = [
    [EMAIL, emailIn(text, lexicon)],
    [NAME, toldNameIn(text, lexicon)],
    [ADDRESS, movedToIn(text, lexicon) ?? toldAddressIn(text, lexicon)],
    [HOME, homeIn(text, lexicon)],
  ];
  const codes = spokenIn(text, lexicon).filter(({ value, digits }) => digits > 0 && value.length >= SHORTEST_CODE);
  for (const [index, code] of codes.entries()) {
    const before = text.slice(Math.max(codes[index - 1]?.end ?? 0, code.start - BEFORE), code.start).toLowerCase();
    const isLong = code.digits >= DIGITS_OF_A_CODE || /\p{L}/u.test(code.value);
    const named =
      knownAttribute(before) ??
      (isLong ? numberedBy(before) : null) ??
      // "My flight has changed. It's …"
      (isLong && isLead(before, lexicon) && lexicon.corrects.test(previous) ? numberedIn(previous) : null);
    if (named?.kind === 'phone') values.push([named, phoneIn(text.slice(0, code.end), lexicon)]);
    else if (named?.kind === 'code') values.push([named, withLetters(code, text, lexicon)]);
    else if (code.digits >= DIGITS_OF_A_PHONE) {
      const phone = phoneIn(text.slice(0, code.end), lexicon);
      if (phone?.value.startsWith('+') === true) values.push([PHONE, phone]);
    }
  }
  return values;
};
