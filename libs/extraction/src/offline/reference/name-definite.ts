import { withoutEnd } from '@turnkeeper/domain';
import { danglingIn } from '../facts/dangling.js';
import { GENERIC, phraseAt } from '../facts/definite.js';
import { TIME_NOUNS, textOf, type Token, tokensOf } from '../facts/tokens.js';
import { verbOf } from '../facts/verbs.js';
import { sentencesOf } from '../text/sentences.js';

/** Earlier sentences of the message that may name the thing; further back, the topic has changed. */
const REACH = 3;
const LONGEST_HEAD = 20;
const DETERMINER = '(?:a|an|the|my|our|your|some|this|another)';
const MODIFIER = String.raw`(?!${DETERMINER} )[\p{L}’'-]{1,20}`;
const CONTRASTS =
  /^(?:small|smaller|big|bigger|little|tiny|huge|other|old|older|new|newer|first|second|third|fourth|fifth|next|last|final|different|short|long|only|original|latest|recent|many|few|more)$/;
const NO_MODIFIER =
  /^(?:and|or|but|so|to|of|in|on|at|for|from|with|by|about|as|is|are|was|were|that|which|who|it|i|we|you|they|he|she|this|few|couple|lot|bit|kind)$/;

/**
 * Writes out "the recipe" if one of the speaker's sentences before, or the question, says which one: "the carrot soup
 * recipe". Returns null if none does, or if two of them differ; never guesses.
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
  const said = [...sentencesOf(before).slice(-REACH), ...(question === null ? [] : [{ text: question }])];
  const named =
    placeOf(
      head.key,
      said.map(({ text }) => text),
      phrase,
      tokens,
      at,
    ) ??
    namedIn(
      said.map(({ text }) => text),
      head,
      tokens,
      at + phrase.length,
    );
  return named === null || danglingIn(tokensOf(named)) !== null ? null : named;
};

const namedIn = (said: readonly string[], head: Token, tokens: readonly Token[], headAt: number): string | null => {
  const modifiers = [...new Set(said.flatMap((sentence) => modifiersOf(head.key, sentence)))];
  const [only] = modifiers;
  if (only === undefined || modifiers.length > 1) return null;
  return textOf(tokens.map((token, index) => (index === headAt ? { ...token, text: `${only} ${token.text}` } : token)));
};

/** "A great carrot soup recipe", "a recipe for carrot soup": the words that say which one. */
const modifiersOf = (head: string, sentence: string): string[] => {
  const noun = `${head.replace(/s$/, '')}s?`;
  const before = new RegExp(String.raw`\b${DETERMINER}((?: ${MODIFIER}){1,4}?) ${noun}\b`, 'giu');
  const behind = new RegExp(
    String.raw`\b${DETERMINER}(?: ${MODIFIER}){0,2}? ${noun} (?:for|of) (?:an? |some )?((?:[\p{L}-]{3,20} )?[\p{L}-]{3,20})(?=[,;.!?]|$)`,
    'giu',
  );
  return [...sentence.matchAll(before), ...sentence.matchAll(behind)].flatMap((match) => {
    const words = (match[1] ?? '')
      .trim()
      .split(' ')
      .filter((word) => !GENERIC.test(word.toLowerCase()));
    return words.every((word) => TIME_NOUNS.has(word.toLowerCase())) ||
      words.some((word) => !describes(word.toLowerCase()))
      ? []
      : [words.join(' ')];
  });
};

/** Not a verb: "a friend found recipes" describes none. */
const describes = (word: string): boolean => {
  const verb = verbOf(word);
  return !NO_MODIFIER.test(word) && (verb === null || verb.form === 'base' || verb.form === 'gerund');
};

/** What belongs to the town or country that is spoken of. */
const OF_A_PLACE =
  /^(?:subway|metro|tram|trams|scenery|skyline|sights|landmarks|nightlife|architecture|locals|cuisine|streets)$/;
const VISITED =
  /\b(?:to|in|visit|visited|visiting|around|explored|exploring|through|across) ((?:the )?\p{Lu}[\p{L}’'-]{2,20}(?: \p{Lu}[\p{L}’'-]{2,20})?)/gu;
const NO_PLACE =
  /^(?:January|February|March|April|May|June|July|August|September|October|November|December|Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday|Christmas|Easter|English|French|German|Spanish)\b/;

const placeOf = (
  head: string,
  said: readonly string[],
  phrase: readonly Token[],
  tokens: readonly Token[],
  at: number,
): string | null => {
  if (!OF_A_PLACE.test(head)) return null;
  const places = [
    ...new Set(said.flatMap((sentence) => [...sentence.matchAll(VISITED)].map((match) => match[1] ?? ''))),
  ];
  const [only] = places;
  if (only === undefined || places.length > 1 || NO_PLACE.test(only)) return null;
  return textOf(
    tokens.map((token, index) => {
      if (index !== at + phrase.length) return token;
      const word = withoutEnd(token.text, /[^\p{L}\p{N}]/u);
      return { ...token, text: `${word} in ${only}${token.text.slice(word.length)}` };
    }),
  );
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
] as const satisfies readonly (readonly [string, string, string | null, string | null])[];
