import { ALSO_NOUNS, COMMON, EVENT, LIGHT, STATE, TASTE } from './verb-lists.js';

/**
 * The role of a verb in a fact.
 *
 * - `event`: past or planned event ("adopted a dog")
 * - `state`: lasting state ("own a boat")
 * - `taste`: like or dislike
 * - `light`: has little meaning by itself ("have", "make", "get"), so its object must state the fact
 */
export type VerbClass = 'event' | 'state' | 'taste' | 'light';

export interface VerbForm {
  readonly base: string;
  readonly kind: VerbClass;
  readonly form: 'base' | 'third' | 'past' | 'gerund';
  /** Not one of the listed verbs of facts: the rest of the clause must say more. */
  readonly needsMore?: true;
}

const parse = (words: string, kind: VerbClass): [string, VerbForm][] =>
  words.split(' ').flatMap((entry) => {
    const [base = '', past, participle] = entry.split('/');
    const pasts = past === undefined ? [regularPast(base)] : [past, participle ?? past];
    return [
      [base, { base, kind, form: 'base' }],
      [third(base), { base, kind, form: 'third' }],
      [gerund(base), { base, kind, form: 'gerund' }],
      ...pasts.map((text): [string, VerbForm] => [text, { base, kind, form: 'past' }]),
    ] as [string, VerbForm][];
  });

const needingMore = (forms: readonly [string, VerbForm][]): [string, VerbForm][] =>
  forms.map(([text, form]): [string, VerbForm] => [text, { ...form, needsMore: true }]).reverse();

const DOUBLED =
  /^(?:plan|stop|shop|snap|whip|wrap|chat|drop|step|commit|rob|run|swim|get|quit|win|put|set|cut|knit|jog|hit|sit|let|swap|drop|begin|refer|program|babysit|blog|squat|submit|admit|permit|regret|transfer|prefer|ship|skip|trim|scan|drum|strum|rap|pin|plug|slip|spot|tap|tip|trip|trap|flip|drag|grab|hug|jam|mop|nap|rub|tag|map|fit|log|top|zip|dig|spin|split|shut|vlog|scrap|rip|cut|bet|bid|sit|skim|stir|format|zigzag|cap|chip|clip|pot|bug)$/;
const doubled = (base: string): string => (DOUBLED.test(base) ? base + base.slice(-1) : base);

export const regularPast = (base: string): string =>
  base.endsWith('e') ? `${base}d` : /[^aeiou]y$/.test(base) ? `${base.slice(0, -1)}ied` : `${doubled(base)}ed`;
const third = (base: string): string =>
  base === 'have'
    ? 'has'
    : /(?:s|x|z|ch|sh|o)$/.test(base)
      ? `${base}es`
      : /[^aeiou]y$/.test(base)
        ? `${base.slice(0, -1)}ies`
        : `${base}s`;
const gerund = (base: string): string => (/[^eyo]e$/.test(base) ? `${base.slice(0, -1)}ing` : `${doubled(base)}ing`);

/** British spellings and other variants. */
const OTHER_FORMS: readonly (readonly [string, string, VerbForm['form']])[] = [
  ['cancelled', 'cancel', 'past'],
  ['cancelling', 'cancel', 'gerund'],
  ['travelled', 'travel', 'past'],
  ['travelling', 'travel', 'gerund'],
  ['practised', 'practise', 'past'],
  ['learnt', 'learn', 'past'],
  ['dreamt', 'dream', 'past'],
  ['gotten', 'get', 'past'],
  ['gone', 'go', 'past'],
  ['enrolled', 'enroll', 'past'],
  ['enrolling', 'enroll', 'gerund'],
  ['dying', 'die', 'gerund'],
  // Not "wait": "I can't wait to see my aunt".
  ['waiting', 'wait', 'gerund'],
];

/** Every form of every verb that can state a fact. Earlier lists take precedence. */
const FORMS: ReadonlyMap<string, VerbForm> = new Map([
  ...needingMore(parse(COMMON, 'event')),
  ...parse(LIGHT, 'light').reverse(),
  ...parse(EVENT, 'event').reverse(),
  ...parse(STATE, 'state').reverse(),
  ...parse(TASTE, 'taste').reverse(),
  ...OTHER_FORMS.map(([text, base, form]) => [text, { base, kind: 'event', form }] as [string, VerbForm]),
]);

const ONLY_WHERE_EXPECTED: ReadonlyMap<string, VerbForm> = new Map(
  needingMore(parse(ALSO_NOUNS, 'event')).filter(([text]) => !FORMS.has(text)),
);

/** Words that look like a past event verb or follow "be" without describing an event. */
const NO_EVENT =
  /^(?:agre|appreciat|wonder|seem|guess|believ|trust|notic|mention|promis|imagin|expect|deserv|realiz|realis|lov|bless|amaz|excit|interest|inspir|challeng|will|encourag|thrill|stok|pump|motivat|determin|relax|reward|overwhelm|stress|exhaust|tir|scar|worri|surpris|impress|touch|mov|satisfy|satisfi|pleas|delight|disappoint|frustrat|embarrass|confus|fascinat|honor|honour|shock|bor|depress|encourag|talent|gift|skill|inde|ne|wait|joke|kidd|mean|see|hop|wish|go|be|do|say|think|feel|look|tell|mak|hav|com|try|tak|giv|keep|bet|bring|thank|hugg|bump|swamp|hook|concern)(?:ed|ing)$/;

/**
 * Recognises an event verb that is not listed by its ending: "-ed", or "-ing" after "be". Less reliable than a listed
 * verb, so the rest of the clause must have more content.
 */
export const guessedVerb = (word: string, isBehindBe: boolean): VerbForm | null => {
  if (word.length < 6 || NO_EVENT.test(word)) return null;
  if (word.endsWith('ed')) return { base: word, kind: 'event', form: 'past', needsMore: true };
  return isBehindBe && word.endsWith('ing') ? { base: word, kind: 'event', form: 'gerund', needsMore: true } : null;
};

export const verbOf = (word: string): VerbForm | null => FORMS.get(word.toLowerCase()) ?? null;

/** A verb where one must stand: after "I", an auxiliary or "to". */
export const expectedVerb = (word: string): VerbForm | null =>
  verbOf(word) ?? ONLY_WHERE_EXPECTED.get(word.toLowerCase()) ?? null;

/** "is", "had", "will", "works", "worked". */
export const isFinite = (word: string): boolean =>
  /^(?:is|was|has|had|used|will|cut|put|set|hit|let|shut|quit|read|beat|bet|cast|split|spread|burst|hurt|knit|upset)$/.test(
    word,
  ) || /^(?:third|past)$/.test(verbOf(word)?.form ?? '');
const BE_OR_HAVE = /^(?:is|was|are|were|isn['’]t|wasn['’]t|has|had)$/i;
/** Whether one of the words states something: in "my name is Bob" and "my sister married Karl", not in "my friend Ana". */
export const hasFiniteVerb = (words: readonly string[]): boolean =>
  words.some((word) => BE_OR_HAVE.test(word) || /^(?:third|past)$/.test(verbOf(word)?.form ?? ''));

const IRREGULAR = [ALSO_NOUNS, COMMON, EVENT, STATE, LIGHT]
  .flatMap((list) => list.split(' '))
  .map((entry) => entry.split('/'))
  .filter(({ length }) => length > 1);
const PASTS: ReadonlyMap<string, string> = new Map(IRREGULAR.map(([base = '', past = '']) => [base, past]));
const PARTICIPLES: ReadonlyMap<string, string> = new Map(
  IRREGULAR.map(([base = '', past = '', participle = past]) => [base, participle]),
);
/** "move" → "moved", "go" → "went". */
export const pastOf = (base: string): string => PASTS.get(base) ?? regularPast(base);
/** "move" → "moved", "go" → "gone". */
export const participleOf = (base: string): string => PARTICIPLES.get(base) ?? regularPast(base);
