import type { Word } from '../text/words.js';

const IRREGULAR: Readonly<Record<string, string>> = {
  am: 'is',
  are: 'is',
  have: 'has',
  do: 'does',
  go: 'goes',
  "don't": "doesn't",
  "haven't": "hasn't",
  "aren't": "isn't",
  "ain't": "isn't",
  were: 'was',
  "weren't": "wasn't",
};
const UNCHANGED = new Set([
  'was',
  'had',
  'did',
  'is',
  'has',
  'does',
  "wasn't",
  "hadn't",
  "didn't",
  "doesn't",
  "isn't",
  "hasn't",
  'will',
  'would',
  'can',
  'could',
  'should',
  'shall',
  'may',
  'might',
  'must',
  "won't",
  "wouldn't",
  "can't",
  "couldn't",
  "shouldn't",
  'cannot',
  'used',
  'ought',
  "'d",
  "'ll",
]);
/** Same form in present and past; read as past, which is more common in reports. */
const SAME_IN_PAST = new Set([
  'read',
  'put',
  'hit',
  'cut',
  'set',
  'let',
  'quit',
  'spread',
  'cost',
  'hurt',
  'shut',
  'split',
  'bet',
  'beat',
]);

/** The third-person singular form: "have" → "has", "love" → "loves", "went" → "went". */
export const singular = (verb: string): string => {
  const lower = verb.toLowerCase();
  const irregular = IRREGULAR[lower];
  if (irregular !== undefined) return irregular;
  if (UNCHANGED.has(lower)) return verb;
  if (/(?:s|x|z|ch|sh|o)$/.test(lower)) return `${verb}es`;
  return /[^aeiou]y$/.test(lower) ? `${verb.slice(0, -1)}ies` : `${verb}s`;
};

/** The verb after "they": "am" → "are", "was" → "were". */
export const plural = (verb: string): string =>
  ({ am: 'are', was: 'were', "wasn't": "weren't" })[verb.toLowerCase()] ?? verb;

export const isAdverb = (word: Word): boolean =>
  (word.tags.has('Adverb') && !word.tags.has('Verb')) ||
  /^(?:just|really|also|always|never|usually|often|sometimes|still|even|only|actually|recently|totally|definitely|absolutely|truly|finally|currently|already|both|all|kinda|sorta|honestly|probably|mostly|rarely|especially|now|then|normally|generally|personally|strongly|typically|generally)$/.test(
    word.lower,
  );

/** "Bring" and "king" are none: they have no vowel before the ending. */
const isGerund = (word: string): boolean => word.endsWith('ing') && /[aeiouy]/.test(word.slice(0, -'ing'.length));

export const isAuxiliary = (word: Word): boolean => UNCHANGED.has(word.lower) || word.lower in IRREGULAR;

/** Whether this verb changes when the "I" or "you" before it is replaced by a name. */
export const isPresent = (word: Word): boolean => {
  if (UNCHANGED.has(word.lower)) return false;
  if (word.lower in IRREGULAR) return true;
  if (SAME_IN_PAST.has(word.lower)) return false;
  if (word.lower === 'need') return true; // tagged as a modal
  if (word.tags.has('PastTense') || word.tags.has('Modal') || word.tags.has('Gerund')) return false;
  if (isGerund(word.lower) || /^(?:and|or|,)$/.test(word.lower)) return false;
  if (word.tags.has('Participle') || /(?:[a-z]{2}ed)$/.test(word.lower)) return false;
  if (IRREGULAR_PAST.has(word.lower)) return false;
  return /^[\p{L}'-]+$/u.test(word.text);
};

const IRREGULAR_PAST = new Set(
  (
    'went got took made met saw came found gave told said bought won lost began felt ran ate left grew knew thought taught ' +
    'brought caught chose drove drank fell flew forgot heard held kept led lent meant paid rode rose sang sat sent shot showed ' +
    'slept sold spent spoke stood stole struck stuck swam threw understood woke wore wrote became built broke drew dealt dug fought ' +
    'hung hid laid lay lit rang shook sought shone shrank sprang swore swung tore wept wound'
  ).split(' '),
);
