import type { AttributeValue } from '@turnkeeper/domain';
import { asksForSecret } from '../secrets/secrets.js';
import {
  ADDRESS,
  type Asked,
  askedIn,
  EMAIL,
  HOME,
  isBooking,
  NAME,
  numberedBy,
  numberedIn,
  PHONE,
} from './attribute-table.js';
import { startOfTime } from './dates.js';
import { wordsIn } from './languages/language.js';
import type { Lexicon } from './languages/lexicon.js';
import type { Span } from './sentences.js';
import { spokenIn } from './spoken.js';
import { addressIn, emailIn, homeIn, phoneIn, toldNameIn, type Value, valueFor } from './values.js';

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
const MAX_DIGITS_OF_A_PHONE = 12;
/** Fewer digits after "order" may be a count. */
const DIGITS_OF_A_CODE = 4;
/** How far before a code its name may stand. */
const BEFORE = 48;
const MAX_VALUE = 120;

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
  const asked = questions.filter((question) => !asksForSecret(question)).flatMap(askedIn);
  const allAsked = questions.join(' ');
  // "Any other?"
  const asksForAnother = asked.length === 0 && lexicon.another.test(allAsked);
  const add = (one: Asked, value: Value | null, sentence: number, about: string): void => {
    const typed = value === null ? null : typedOf(one, value, sentence, sentences, about, lexicon, asksForAnother);
    if (typed === null) return;
    const same = found.findIndex(({ attribute }) => attribute.name === one.name);
    if (same >= 0 && (found[same]?.sentence ?? 0) < sentence && lexicon.corrects.test(sentences[sentence]?.text ?? ''))
      found.splice(same, 1);
    const isTaken = found.some(
      (other) =>
        other.attribute.name === one.name ||
        (other.sentence === sentence && other.start < typed.end && typed.start < other.end),
    );
    if (!isTaken) found.push(typed);
  };
  const restOf = (index: number, text: string): string =>
    found
      .filter(({ sentence }) => sentence === index)
      .reduce((rest, { start, end }) => rest.slice(0, start) + ' '.repeat(end - start) + rest.slice(end), text);

  for (const [index, { text }] of sentences.entries()) {
    const before = sentences[index - 1]?.text ?? '';
    // A bare value is that of the question, or of the sentence before it.
    for (const [one, value] of told(text, before, lexicon))
      add(one, value, index, isLead(text.slice(0, value?.start ?? 0), lexicon) ? `${allAsked} ${before}` : '');
  }
  // Values with a form of their own first. Friends ask for much that is no attribute.
  const formed = asked.filter(({ kind }) => kind !== 'text' && kind !== 'name');
  const free = isChat ? [] : asked.filter(({ kind }) => kind === 'name' || (kind === 'text' && questions.length === 1));
  const isProposal = spokenIn(allAsked, lexicon).length > 0;
  for (const one of [...formed, ...(free.length === 1 ? free : [])]) {
    for (const [index, { text }] of sentences.entries()) {
      // "A table for two at 11?" – "Make it 12." is no number of people.
      const isNamed =
        askedIn(text).some(({ name }) => name === one.name) || lexicon.denies.test(text) || lexicon.corrects.test(text);
      if (one.kind === 'count' && isProposal && !isNamed) continue;
      const value = valueFor(one, restOf(index, text), at, lexicon, allAsked);
      const isCode = one.kind === 'code' && value !== null;
      add(one, isCode ? withLetters(value, text, lexicon) : value, index, allAsked);
      // "Two adults and one child. She's six."
      if (value === null && one.kind === 'count' && spokenIn(text, lexicon).length > 0) break;
    }
  }
  if (!asked.some(({ kind }) => kind === 'code'))
    for (const [index, { text }] of sentences.entries())
      add(PHONE, writtenPhoneIn(restOf(index, text), lexicon), index, allAsked);
  return found.toSorted((one, other) => one.sentence - other.sentence || one.start - other.start);
};

const typedOf = (
  { name, kind, single }: Asked,
  value: Value,
  sentence: number,
  sentences: readonly Span[],
  about: string,
  lexicon: Lexicon,
  asksForAnother: boolean,
): Typed | null => {
  if (value.value.length > MAX_VALUE) return null;
  const text = sentences[sentence]?.text ?? '';
  const before = text.slice(0, value.start);
  const other = lexicon.ofOther.exec(`${about} ${before.slice(-BEFORE)}`)?.[0].trim() ?? null;
  // "His number is …": without a name, it is unknown whose it is.
  if (other !== null && !/\s|\p{Script=Han}/u.test(other)) return null;
  const isFurther = isBesideAnother(text, value, lexicon) || asksForAnother || (kind === 'code' && AND.test(text));
  const corrects = !single && lexicon.corrects.test(`${about} ${before}`);
  return {
    ...value,
    attribute: { name, value: value.value, single: single ? !isFurther : corrects },
    subject:
      other
        ?.replace(/['’]s$/u, '')
        .toLowerCase()
        .replace(/^your /, 'my ') ?? null,
    ...{ sentence, kind, corrects },
  };
};

/** Whether the words around a value say that it is one more. */
const isBesideAnother = (text: string, { start, end }: Value, { another }: Lexicon): boolean => {
  const [own = '', next = ''] = text.slice(end).split(CLAUSE_END);
  const clause = text.slice(0, start).split(CLAUSE_END).at(-1) ?? '';
  return another.test(`${clause} ${own} ${ABOUT_IT.test(next) ? next : ''}`);
};
/** "And my home policy number is …" */
const AND = /^(?:and|und|y|et|e|và)(?!\p{L})/iu;
const CLAUSE_END = /[,.;:!?，。；！？]/u;
/** A clause that goes on about the value before it. */
const ABOUT_IT =
  /^\s*(?:that|it|this|but|and|das|ist|aber|und|es|ese|pero|y|c['’]|mais|et|é|mas|e|đó|nhưng|và|这|那|也|但)/iu;

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
  const asksForOther = questions.some((question) => askedIn(question).some(({ name }) => name !== earlier.name));
  if (kind === 'text' || kind === 'name' || asksForOther) return null;
  for (const [sentence, { text }] of sentences.entries()) {
    const value = valueFor({ ...earlier, kind }, text, at, lexicon, '');
    if (value === null || value.value === earlier.value || isBesideAnother(text, value, lexicon)) continue;
    if (kind === 'code' && Math.abs(value.value.length - earlier.value.length) > MAX_LONGER) continue;
    const attribute = { ...earlier, value: value.value };
    return { ...value, attribute, subject, sentence, kind, corrects: !earlier.single };
  }
  return null;
};

/** Characters by which a corrected code may be longer or shorter. */
const MAX_LONGER = 2;

/** The appointment or reservation that an agent has made or moved; its value is the day and time as it was said. */
export const bookedBy = (sentences: readonly Span[], at: string, lexicon: Lexicon): Typed | null => {
  for (const [sentence, { text }] of sentences.entries()) {
    const start = isBooking(text) && lexicon.commits.test(text) ? startOfTime(text, at, lexicon) : null;
    const value = start === null ? undefined : /^[^,;!?，；！？。]+/u.exec(text.slice(start, start + MAX_VALUE))?.[0];
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

/** A number that looks or sounds like one of a phone, whatever it is called, and that no code's name precedes. */
const writtenPhoneIn = (text: string, lexicon: Lexicon): Value | null => {
  const phone = phoneIn(text, lexicon);
  if (phone === null) return null;
  const before = text.slice(Math.max(0, phone.start - BEFORE), phone.start);
  const named = askedIn(before).at(-1) ?? numberedBy(before);
  if (named !== null && named.kind !== 'phone') return null;
  const said = text.slice(phone.start, phone.end);
  const { length } = phone.value;
  const hasForm = /^0/.test(phone.value) || /^\(?\d{2,5}\)?(?:[ .-]\d{2,5}){2,4}$/.test(said) || !/\d/.test(said);
  const isPhone = hasForm && length >= DIGITS_OF_A_PHONE && length <= MAX_DIGITS_OF_A_PHONE;
  return isPhone || phone.value.startsWith('+') || /^\d{3}[ .-]\d{4}$/.test(said) ? phone : null;
};

/** "number lko 789" and "lko 789" are `LKO789`. */
const LETTERS_BEFORE =
  /(?:^|(?:number|no|code|id|is|número|código|es|nummer|numéro|est|é|số|mã|là|:|#)\s+)(\p{L}{2,3})\s+$/iu;
const withLetters = (code: Value, text: string, { stop, idle }: Lexicon): Value => {
  const letters = LETTERS_BEFORE.exec(text.slice(Math.max(0, code.start - BEFORE), code.start))?.[1];
  const isWord = letters === undefined || stop.has(letters.toLowerCase()) || idle.has(letters.toLowerCase());
  return isWord ? code : { ...code, value: letters.toUpperCase() + code.value };
};

/** "It's", "so it is now": nothing that names a value. */
const isLead = (text: string, { stop, idle }: Lexicon): boolean =>
  wordsIn(text).every((word) => stop.has(word) || idle.has(word));

/** Values that a sentence names itself: "my policy number is …". */
const told = (text: string, previous: string, lexicon: Lexicon): [Asked, Value | null][] => {
  const values: [Asked, Value | null][] = [
    [EMAIL, emailIn(text, lexicon)],
    [NAME, toldNameIn(text, lexicon)],
    [ADDRESS, addressIn(text, lexicon)],
    [HOME, homeIn(text, lexicon)],
  ];
  const codes = spokenIn(text, lexicon).filter(({ value, digits }) => digits > 0 && value.length >= SHORTEST_CODE);
  for (const [index, code] of codes.entries()) {
    const before = text.slice(Math.max(codes[index - 1]?.end ?? 0, code.start - BEFORE), code.start).toLowerCase();
    const isLong = code.digits >= DIGITS_OF_A_CODE || /\p{L}/u.test(code.value);
    const named =
      askedIn(before).findLast(({ kind }) => kind === 'phone' || kind === 'code') ??
      (isLong ? numberedBy(before) : null) ??
      // "My flight has changed. It's …"
      (isLong && isLead(before, lexicon) && lexicon.corrects.test(previous) ? numberedIn(previous) : null);
    if (named?.kind === 'code') values.push([named, withLetters(code, text, lexicon)]);
    else if (named !== null) values.push([named, phoneIn(text.slice(0, code.end), lexicon)]);
  }
  return values;
};
