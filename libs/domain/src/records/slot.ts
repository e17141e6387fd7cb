/**
 * The one thing about somebody that a fact fills in, where only one can be true at a time: where they live, what they
 * are called, whether they like something. Two facts of one slot with different values contradict each other.
 */
export interface Slot {
  /** Whose and which, e.g. `user|home`. */
  readonly key: string;
  readonly value: string;
}

/** Attributes of which a person has one at a time. Whatever is not listed may have several values side by side. */
const SINGLE_ATTRIBUTES: ReadonlySet<string> = new Set([
  'name',
  'full name',
  'first name',
  'last name',
  'nickname',
  'age',
  'birthday',
  'address',
  'home address',
  'delivery address',
  'email',
  'email address',
  'phone number',
  'job',
  'job title',
  'employer',
  'hometown',
  'home town',
  'time zone',
  'timezone',
  'native language',
]);

type Rule = readonly [pattern: RegExp, slot: (subject: string, ...groups: string[]) => Slot | null];

const slot = (subject: string, attribute: string, value: string): Slot | null => {
  const key = `${normal(subject)}|${attribute}`;
  const normalValue = normal(firstClause(value));
  return normalValue === '' || normal(subject) === '' ? null : { key, value: normalValue };
};

/** English sentences in the third person, as the extractors write them. The first rule that fits decides. */
const RULES: readonly Rule[] = [
  [
    /^(.+?)(?:'s|’s|s') (.+?) (?:is|was changed to|changed to) (?:now )?(.+)$/i,
    (who, what, value) => attributeSlot(who, what, value),
  ],
  [
    /^(.+?) (?:now |currently )?(?:lives?|resides?|is living|is based) (?:now )?in (.+)$/i,
    (who, where) => slot(who, 'home', where),
  ],
  [
    /^(.+?) (?:has |have |just |recently )*(?:moved|relocated)(?: away)?(?: from .+?)? to (.+)$/i,
    (who, where) => slot(who, 'home', where),
  ],
  [/^(.+?) is called (.+)$/i, (who, name) => slot(who, 'name', name)],
  [/^(.+?) (?:is|turned) (\d{1,3})(?: years? old)?$/i, (who, age) => slot(who, 'age', age)],
  [/^(.+?) (?:now |currently )?works? (?:for|at) (.+)$/i, (who, where) => slot(who, 'employer', where)],
  [
    /^(.+?) (?:got |is |was )?(?:now |recently )?(single|married|engaged|divorced|widowed)\b.*$/i,
    (who, state) => slot(who, 'marital status', state),
  ],
  [
    /^(.+?) (?:does not|doesn't|do not|don't|no longer|not) (?:really )?(?:like|love|enjoy|prefer|want)s? (.+?)(?: any ?more)?$/i,
    (who, what) => slot(who, `attitude to ${normal(what)}`, 'dislikes'),
  ],
  [
    /^(.+?) (?:dislikes?|hates?|cannot stand|can't stand) (.+)$/i,
    (who, what) => slot(who, `attitude to ${normal(what)}`, 'dislikes'),
  ],
  [
    /^(.+?) (?:really |still )?(?:likes?|loves?|enjoys?) (.+)$/i,
    (who, what) => slot(who, `attitude to ${normal(what)}`, 'likes'),
  ],
];

const attributeSlot = (who: string, what: string, value: string): Slot | null => {
  const attribute = normal(what);
  const isSingle = SINGLE_ATTRIBUTES.has(attribute) || /^favou?rite /.test(attribute);
  return isSingle ? slot(who, attribute.replace('favourite', 'favorite'), value) : null;
};

/** What follows a comma or a conjunction tells more, but is no part of the value. */
const firstClause = (text: string): string =>
  text.split(/[,;]| (?:so|because|but|which|where|when|since|and) /i)[0] ?? '';

/** Case, punctuation and articles make no other value; nor does the date that an extractor puts in brackets. */
const normal = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/\([^)]*\)/g, ' ')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .replace(/\b(?:the|a|an|now|currently|again)\b/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();

/** Verbs of hearsay and wishes: what follows is no statement that could end another. */
const HEDGED = /\b(?:wants? to|would|might|may|plans? to|hopes? to|thinks? about|is considering|used to|if)\b/i;

/** The patterns take time with the square of a text's length, and a fact that fills a slot is a short sentence. */
const LONGEST_SENTENCE = 300;

/**
 * The slot a fact fills, or null where several facts of its kind can be true together. A longer text than a sentence
 * fills none.
 */
export const slotOf = (text: string): Slot | null => {
  if (text.length > LONGEST_SENTENCE) return null;
  const sentence = text
    .replace(/\([^)]*\)/g, ' ')
    .replace(/\s+/g, ' ')
    .replace(/[\s.!]+$/, '')
    .trim();
  if (HEDGED.test(sentence)) return null;
  for (const [pattern, make] of RULES) {
    const match = pattern.exec(sentence);
    if (match !== null) return make(...(match.slice(1) as [string, ...string[]]));
  }
  return null;
};

const WORDS_BY_ATTRIBUTE: Readonly<Record<string, string>> = {
  home: 'home live lives city town address move moved',
  name: 'name called',
  age: 'age old',
  employer: 'employer company job work works',
  'marital status': 'marital status relationship partner spouse',
};

/**
 * Words that people ask for a slot with, though the fact that fills it need not hold them ("Which city does she live
 * in?" for "moved to Hue"). Indexed beside the fact's own words.
 */
export const slotWords = (filled: Slot | null): string => {
  const attribute = filled?.key.slice(filled.key.indexOf('|') + 1) ?? '';
  return WORDS_BY_ATTRIBUTE[attribute] ?? '';
};
