/**
 * The attribute of a person that a fact gives a value to, if only one value can be true at a time: where they live,
 * their name, whether they like something. Two facts of one slot with different values contradict each other.
 */
export interface Slot {
  /** Person and attribute, e.g. `user|home`. */
  readonly key: string;
  /** `not …` denies a value without stating another. */
  readonly value: string;
}

/** Matches a third-person sentence without its date and full stop, and builds a slot from the groups. */
export type SlotRule = readonly [pattern: RegExp, slot: (...groups: string[]) => Slot | null];

/** The slot that the first matching rule makes. */
export const firstIn = (rules: readonly SlotRule[], sentence: string): Slot | null => {
  for (const [pattern, make] of rules) {
    const match = pattern.exec(sentence);
    const filled = match === null ? null : make(...match.slice(1));
    if (filled !== null) return filled;
  }
  return null;
};

/** Ignores case, punctuation, articles and the date that an extractor puts in brackets. */
export const normal = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/\([^()]*\)/g, ' ')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .replace(/\b(?:the|a|an|now|currently|again)\b/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();

/** Text after a comma or a conjunction is detail, not part of the value. */
export const firstClause = (text: string): string =>
  text.split(
    /[,;]| (?:so|because|but|which|where|when|since|'?cause|and|for|with|after|before|until|these days|at the moment|any ?more|anymore|lately|too|as well)\b ?/i,
  )[0] ?? '';

const MAX_SUBJECT_WORDS = 5;
const MAX_VALUE_WORDS = 6;

/** Words that cannot end a person's name, as in "Ana hasn't" or "Ana likes". */
const NOT_DONE = /(?:n['’]t|\b(?:never|not|likes?|loves?|hates?|enjoys?|wants?|to|and))$/i;

/** Returns null if the subject is not a short name or the value is empty. */
export const slot = (subject: string, attribute: string, value: string): Slot | null => {
  // "User and their wife moved" states where the user lives.
  const who = normal(subject.split(/ and /i)[0] ?? '').replace(
    /(?: (?:also|just|really|still|always|recently|finally|has|have|is|both|only|even|actually|already|currently|successfully|eventually|does)){1,4}$/,
    '',
  );
  const what = normal(firstClause(value));
  if (who === '' || what === '' || /[:"“]/.test(subject) || NOT_DONE.test(subject)) return null;
  if (who.split(' ').length > MAX_SUBJECT_WORDS || what.split(' ').length > MAX_VALUE_WORDS) return null;
  return { key: `${who}|${attribute}`, value: what };
};

export const denied = (subject: string, attribute: string, value: string): Slot | null => {
  const filled = slot(subject, attribute, value);
  return filled === null ? null : { ...filled, value: `not ${filled.value}` };
};

/** The slot with further words in its value. */
export const valued = (filled: Slot | null, ...parts: readonly string[]): Slot | null =>
  filled === null ? null : { ...filled, value: [filled.value, ...parts].filter((part) => part !== '').join(' ') };
