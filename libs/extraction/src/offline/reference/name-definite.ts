import { MONTH_NAMES, withoutEnd } from '@turnkeeper/domain';
import { danglingIn } from '../facts/dangling.js';
import { GENERIC, phraseAt } from '../facts/definite.js';
import { breaksAfter, TIME_NOUNS, textOf, type Token, tokensOf } from '../facts/tokens.js';
import { verbOf } from '../facts/verbs.js';
import { sentencesOf } from '../text/sentences.js';
import { isAboutListener, isOwnMention } from './own-mention.js';

/** Earlier sentences of the message that may name the thing; further back, the topic has changed. */
const REACH = 3;
const LONGEST_HEAD = 20;
const CONTRASTS =
  /^(?:small|smaller|big|bigger|little|tiny|huge|other|old|older|new|newer|first|second|third|fourth|fifth|next|last|final|different|short|long|only|original|latest|recent|many|few|more)$/;
const NO_MODIFIER =
  /^(?:and|or|but|so|to|of|in|on|at|for|from|with|by|about|as|is|are|was|were|that|which|who|it|i|we|you|they|he|she|this|few|couple|lot|bit|kind)$/;

/** "a carrot soup recipe", "my recipe": other determiners say whose or how many, not which one. */
const NAMES = /^(?:a|an|the|my|our|your|some|this)$/;
/** "The recipe" refers to one that was spoken of before. */
const REFERS = /^(?:the|this|that)$/;
/** "the recipe for plum cake", "the recipe my aunt sent": another one, perhaps. */
const SPECIFIES = /^(?:for|of|from|by|with|about|in|that|which|i|we|you|he|she|they|my|our|your|his|her|their)$/;
const MOST_MODIFIERS = 5;

/**
 * Writes out "the recipe" if one of the speaker's sentences about themselves before, or the question, says which one:
 * "the carrot soup recipe". Returns null if none does, or if another one may be meant; never guesses.
 *
 * @param before the part of the message before the clause
 * @param question the question that the message answers; its "your" is the speaker's
 */
export const nameDefinite = (clause: string, before: string, question: string | null): string | null => {
  const tokens = tokensOf(clause);
  const at = danglingIn(tokens);
  if (at === null || tokens[at]?.key !== 'the') return null;
  const phrase = phraseAt(tokens, at);
  const head = phrase.at(-1);
  if (head === undefined || head.key.length > LONGEST_HEAD || !/^\p{L}{3,}$/u.test(head.key)) return null;
  // "The small boat" may be another one than "a wooden boat".
  if (phrase.slice(0, -1).some(({ key }) => CONTRASTS.test(key))) return null;
  const said: Said[] = [
    ...(question === null ? [] : [questionOf(question)]),
    ...sentencesOf(before)
      .slice(-REACH)
      .map(({ text }) => ({ text, isOwn: isOwnMention })),
  ];
  const named = placeOf(head.key, said, phrase, tokens, at) ?? namedIn(said, head, tokens, at + phrase.length);
  return named === null || danglingIn(tokensOf(named)) !== null ? null : named;
};

interface Said {
  readonly text: string;
  readonly isOwn: (tokens: readonly Token[], at: number) => boolean;
}

const questionOf = (text: string): Said => {
  const isOwn = isAboutListener(tokensOf(text));
  return { text, isOwn: () => isOwn };
};

const namedIn = (said: readonly Said[], head: Token, tokens: readonly Token[], headAt: number): string | null => {
  const candidates = new Set<string | null>();
  for (const sentence of said) {
    for (const mention of mentionsOf(head.key, sentence)) {
      if (mention.refers && candidates.size > 0) continue;
      candidates.add(mention.words);
    }
  }
  const [only = null] = candidates;
  if (only === null || candidates.size > 1) return null;
  return textOf(tokens.map((token, index) => (index === headAt ? { ...token, text: `${only} ${token.text}` } : token)));
};

interface Mention {
  /** What says which one, as in "carrot soup" recipe; null if nothing does, or it is not the speaker's. */
  readonly words: string | null;
  /** It refers to one that was spoken of before. */
  readonly refers: boolean;
}

const mentionsOf = (head: string, { text, isOwn }: Said): Mention[] => {
  const tokens = tokensOf(text);
  const forms = new Set([head, `${head}s`, `${head}es`, head.replace(/e?s$/, ''), head.replace(/s$/, '')]);
  forms.add(head.replace(/y$/, 'ies')).add(head.replace(/ies$/, 'y'));
  return tokens.flatMap(({ key, text: word }, at): Mention[] => {
    if (!forms.has(key)) return [];
    const from = determinerOf(tokens, at);
    const determiner = tokens[from]?.key ?? '';
    const words = tokens.slice(from + 1, at);
    const refers =
      from >= 0 &&
      REFERS.test(determiner) &&
      (/[,;.!?]$/.test(word) || !SPECIFIES.test(tokens[at + 1]?.key ?? '')) &&
      words.every((modifier) => GENERIC.test(modifier.key) && !CONTRASTS.test(modifier.key));
    const isNamed = key === head && from >= 0 && NAMES.test(determiner) && isOwn(tokens, from);
    return [{ words: isNamed ? telling(words, tokens.slice(at)) : null, refers }];
  });
};

/** Index of the article or possessive of the noun at `at`, or -1. */
const determinerOf = (tokens: readonly Token[], at: number): number => {
  for (let index = at - 1; index >= Math.max(0, at - MOST_MODIFIERS); index -= 1) {
    const token = tokens[index] as Token;
    if (breaksAfter(token)) return -1;
    if (NAMES.test(token.key) || REFERS.test(token.key)) return index;
    if (NO_MODIFIER.test(token.key)) return -1;
  }
  return -1;
};

/** "A great carrot soup recipe", "a recipe for carrot soup": the words that say which one. */
const telling = (modifiers: readonly Token[], behind: readonly Token[]): string | null => {
  const specific = modifiers.filter(({ key }) => !GENERIC.test(key));
  if (specific.some(({ text }) => !describes(text.toLowerCase()))) return null;
  if (specific.some(({ key }) => !TIME_NOUNS.has(key))) return textOf(specific);
  return BEHIND.exec(textOf(behind))?.[1] ?? null;
};
const BEHIND =
  /^\p{L}+ (?:for|of) (?:an? |some )?((?:(?!(?:the|this|that|his|her|our|your|their) )[\p{L}-]{3,20} )?[\p{L}-]{3,20})(?=[,;.!?]|$)/iu;

/** Not a verb, and no owner: "a friend found recipes", "my aunt's recipe". */
const describes = (word: string): boolean => {
  const verb = verbOf(word);
  return (
    /^[\p{L}-]{1,20}$/u.test(word) &&
    !NO_MODIFIER.test(word) &&
    (verb === null || verb.form === 'base' || verb.form === 'gerund')
  );
};

/** What belongs to the town or country that is spoken of. */
const OF_A_PLACE =
  /^(?:subway|metro|tram|trams|scenery|skyline|sights|landmarks|nightlife|architecture|locals|cuisine|streets)$/;
const VISITED =
  /\b(?:to|in|visit|visited|visiting|around|explored|exploring|through|across) ((?:the )?\p{Lu}[\p{L}’'-]{2,20}(?: \p{Lu}[\p{L}’'-]{2,20})?)/gu;
const NO_PLACE = new RegExp(
  String.raw`^(?:${MONTH_NAMES.join('|')}|Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday|Christmas|Easter|English|French|German|Spanish)\b`,
);

/** "I hope to visit Prague" */
const NOT_YET =
  /\b(?:want|wish|hope|hoping|plan|planning|dream|dreaming|[Ww]ill|[Ww]ould|may|might|[Ii]f|going to|[Nn]ext (?:week|weekend|month|year|spring|summer|autumn|winter))\b/;

const placeOf = (
  head: string,
  said: readonly Said[],
  phrase: readonly Token[],
  tokens: readonly Token[],
  at: number,
): string | null => {
  if (!OF_A_PLACE.test(head)) return null;
  const visits = said.flatMap((sentence) =>
    [...sentence.text.matchAll(VISITED)].map((match) => ({ place: match[1] ?? '', isOwn: isVisit(sentence, match) })),
  );
  const places = [...new Set(visits.map(({ place }) => place))];
  const [only] = places;
  if (!visits.every(({ isOwn }) => isOwn)) return null;
  if (only === undefined || places.length > 1 || NO_PLACE.test(only)) return null;
  return textOf(
    tokens.map((token, index) => {
      if (index !== at + phrase.length) return token;
      const word = withoutEnd(token.text, /[^\p{L}\p{N}]/u);
      return { ...token, text: `${word} in ${only}${token.text.slice(word.length)}` };
    }),
  );
};

const isVisit = ({ text, isOwn }: Said, { index }: RegExpExecArray): boolean => {
  const tokens = tokensOf(text);
  return isOwn(tokens, tokensOf(text.slice(0, index)).length) && !NOT_YET.test(text);
};

export const examples = [
  [
    'I made the recipe yesterday',
    'I found a great carrot soup recipe online.',
    null,
    'I made the carrot soup recipe yesterday',
  ],
  ['I made the recipe yesterday', 'I found a recipe for carrot soup.', null, 'I made the carrot soup recipe yesterday'],
  ['I made the recipe yesterday', '', 'Did you try the pumpkin pie recipe?', 'I made the pumpkin pie recipe yesterday'],
  ['I made the recipe', 'I found a carrot soup recipe and a plum cake recipe.', null, null],
  ['I made the recipe', 'A friend found a great recipe.', null, null],
  ['I stuck to the routine', 'I have a new evening yoga routine!', null, 'I stuck to the evening yoga routine'],
  ['I got lost on the subway', 'We took a trip to Prague.', null, 'I got lost on the subway in Prague'],
  ['I got lost on the subway', 'We went from Rome to Prague and to Brno.', null, null],
  ['I made the recipe', '', null, null],
  ['I sold the small boat', 'I built a wooden boat.', null, null],
  // A mention that does not say which one may be another one.
  ['I made the recipe', 'I found a carrot soup recipe last week. Then my aunt sent me another recipe.', null, null],
  ['I made the recipe', 'I found a carrot soup recipe. I also kept an old recipe.', null, null],
  ['I made the recipe', 'I found a carrot soup recipe. I tried my aunt’s recipe too.', null, null],
  ['I made the recipe', 'I found a carrot soup recipe.', 'How is your recipe coming along?', null],
  ['I made the recipe', 'I found a carrot soup recipe.', 'Did you make the recipe?', null],
  ['I made the recipes', 'I found a carrot soup recipe.', null, null],
  ['I made the recipe', 'I found a carrot soup recipe. The recipe was easy.', null, 'I made the carrot soup recipe'],
  ['I made the recipe', 'I found a carrot soup recipe. I tried the recipe for plum cake too.', null, null],
  ['I made the recipe', 'I found a carrot soup recipe. I tried the recipe my aunt sent.', null, null],
  // Other people's things are not the speaker's, nor are things that the speaker does not have.
  ['I sold the boat in May', 'My brother built a wooden boat. I bought a boat too.', null, null],
  ['I finished the book', 'My wife is writing a cookery book.', null, null],
  ['I finished the book', 'I helped my wife with a cookery book.', null, null],
  ['I finished the book', 'I heard Anders wrote a cookery book.', null, null],
  ['I finished the book', '', 'Is your wife still writing a cookery book?', null],
  ['I sold the boat', 'I never had a wooden boat.', null, null],
  ['I sold the boat', 'My brother and I built a wooden boat.', null, 'I sold the wooden boat'],
  ['I sold the boat', 'I talked to my brother and bought a wooden boat.', null, 'I sold the wooden boat'],
  ['I got lost on the subway', 'My sister moved to Prague.', null, null],
  ['I got lost on the subway', 'We visited Brno. My sister moved to Prague.', null, null],
  ['I got lost on the subway', 'I hope to visit Prague.', null, null],
  ['I got lost on the subway', 'Last May we visited Prague.', null, 'I got lost on the subway in Prague'],
  ['I got lost on the subway', '', 'How was your trip to Prague?', 'I got lost on the subway in Prague'],
] as const satisfies readonly (readonly [string, string, string | null, string | null])[];
