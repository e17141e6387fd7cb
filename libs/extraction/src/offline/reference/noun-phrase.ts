import { withoutEnd } from '@turnkeeper/domain';
import {
  breaksAfter,
  EMPTY,
  hasContent,
  isName,
  PERSON_NOUNS,
  TIME_NOUNS,
  textOf,
  type Token,
  tokensOf,
} from '../facts/tokens.js';
import { aOrAn } from '../text/article.js';
import { verbOf } from '../facts/verbs.js';

const DETERMINER = /^(?:a|an|the|my|our|your|his|her|their|some|this)$/;
const MAX_WORDS = 4;

/** A thing or person named in a sentence, worded for use in another sentence of the same speaker. */
export interface NounPhrase {
  readonly text: string;
  readonly kind: 'thing' | 'person' | 'plural';
  /** As in "at the harbour". */
  readonly isBehindPreposition: boolean;
}

/** The noun phrases with a determiner and the quoted titles of a sentence, in order. */
export const nounPhrasesIn = (sentence: string, isOther: boolean): NounPhrase[] => {
  const found: NounPhrase[] = [...sentence.matchAll(/["“]([^"“”]{2,60})["”]/g)].map(([text]) => ({
    text,
    kind: 'thing',
    isBehindPreposition: false,
  }));
  const tokens = tokensOf(sentence);
  for (let index = 0; index < tokens.length; index += 1) {
    const { key } = tokens[index] as Token;
    if (!DETERMINER.test(key) && !(isOther && key === 'that' && index === 0)) continue;
    const words: Token[] = [];
    for (let at = index + 1; at < tokens.length && words.length < MAX_WORDS; at += 1) {
      const token = tokens[at] as Token;
      if (
        // "a learning experience" is no learning
        (EMPTY.has(token.key) &&
          !(words.length === 1 && isGerundAsNoun(words[0], token)) &&
          !/^(?:new|old|small|big|little|own|first|best)$/.test(token.key)) ||
        (words.length > 0 &&
          (verbOf(token.key)?.form === 'past' ||
            /^(?:last|next|yesterday|today|yet|already|anymore|lately|either)$/.test(token.key))) ||
        // "my sister Ana works in Hue"
        (verbOf(token.key)?.form === 'third' && words.some((word) => PERSON_NOUNS.has(word.key))) ||
        // "let the kids run around"
        (verbOf(token.key)?.form === 'base' && PERSON_NOUNS.has(words.at(-1)?.key ?? ''))
      )
        break;
      if (/^(?:called|named)$/.test(token.key)) break;
      words.push(token);
      if (breaksAfter(token) || /[.!?]$/.test(token.text)) break;
    }
    const head = words.findLast((word) => hasContent(word));
    if (
      head === undefined ||
      TIME_NOUNS.has(head.key) ||
      /^(?:ton|tons|lot|loss|encouragement|bod(?:y|ies)|minds?|hearts?|souls?)$/.test(head.key)
    )
      continue;
    const bare = withoutEnd(words.map(({ text }) => text).join(' '), /[^\p{L}\p{N}]/u);
    const person = words.some((word) => PERSON_NOUNS.has(word.key));
    const noun = words.findLast((word) => PERSON_NOUNS.has(word.key)) ?? head;
    const plural =
      (/[^s]s$/.test(noun.key) && !/^\p{Lu}/u.test(noun.text)) || /^(?:kids|children|people|parents)$/.test(noun.key);
    // "I adopted a puppy named Toby": from then on it is "my puppy Toby".
    const isMine = !isOther && person && /^an?$/.test(key) && isAcquired(tokens, index);
    const owned = withoutEnd(textOf(words.slice(0, words.indexOf(noun) + 1)), /[^\p{L}\p{N}]/u);
    const shown = words.some((word) => isName(word, 1)) ? 'the' : aOrAn(bare);
    const owner = /^(?:this|that)$/.test(key) ? shown : isOther ? swapped(key) : key;
    found.push({
      text: isMine ? `my ${owned}${nameBehind(tokens, index + 1 + words.length)}` : `${owner} ${bare}`,
      kind: person && !plural ? 'person' : plural ? 'plural' : 'thing',
      isBehindPreposition: /^(?:in|on|at|from|with|for|to|of|about|near|by|after|before|during|into|around|as)$/.test(
        tokens[index - 1]?.key ?? '',
      ),
    });
    index += words.length;
  }
  return found;
};

const isGerundAsNoun = (word: Token | undefined, next: Token): boolean =>
  /ing$/.test(word?.key ?? '') && /^(?:experience|process|session|event|project|class|group|course)$/.test(next.key);

const isAcquired = (tokens: readonly Token[], at: number): boolean =>
  /^(?:have|got|adopted|bought|rescued|own|fostered|hired)$/.test(tokens[at - 1]?.key ?? '') &&
  tokens.slice(0, at).some(({ key }) => /^(?:i|we)$/.test(key));

/** " Toby" in "a puppy named Toby". */
const nameBehind = (tokens: readonly Token[], at: number): string => {
  const [called, named] = [tokens[at], tokens[at + 1]];
  return /^(?:called|named)$/.test(called?.key ?? '') && named !== undefined && isName(named, 1)
    ? ` ${withoutEnd(named.text, /[^\p{L}\p{N}]/u)}`
    : '';
};

/** "your painting" in a question is "my painting" in the answer. */
const swapped = (determiner: string): string =>
  /^your$/.test(determiner) ? 'my' : /^(?:my|our)$/.test(determiner) ? 'your' : determiner;
