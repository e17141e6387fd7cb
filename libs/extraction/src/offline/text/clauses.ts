import { hasFiniteVerb } from '../facts/verbs.js';
import { cutSpan, type Span } from './spans.js';

/** Starts a clause that can be a fact about the speaker on its own. */
const OWN_SUBJECT = String.raw`(?:i|i['’](?:m|ve|ll|d)|we|we['’](?:re|ve|ll|d)|my|our|let['’]?s)\b`;
/** "…; last week I …" */
const TIME_LEAD = String.raw`(?:(?:yesterday|recently|last (?:week|month|year|night|weekend|\w+day)),?\s)?`;
const BREAK = new RegExp(
  String.raw`(?:;|\s?[-–]\s|\s?(?:(?<!-)--+|—)\s?)(?=\s*(?:and |but |so )?${TIME_LEAD}${OWN_SUBJECT})|,\sso\s(?=let['’]?s\b)|,?\s(?=(?:and|but|plus)\s(?:then\s|now\s)?${TIME_LEAD}${OWN_SUBJECT})`,
  'giu',
);
const MIN_WORDS = 3;
/** "My friend Ana and I opened a shop" is one clause. */
const isCompany = (before: string, behind: string): boolean =>
  /^and i\b/i.test(behind) &&
  /^(?:my|our) (?:\p{Ll}{2,20} ){1,2}\p{Lu}\p{Ll}{1,20}\s?$/u.test(decapitalised(before.trimStart())) &&
  !hasFiniteVerb(before.trim().split(' ').slice(2));
const decapitalised = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);

/**
 * Splits a sentence where a new clause about the speaker starts, if both parts are long enough to be a fact. `so`,
 * `because` and `when` do not split, because the reason belongs to the fact.
 */
export const clausesOf = (sentence: Span): Span[] => {
  const cuts: number[] = [];
  let last = 0;
  for (const match of sentence.text.matchAll(BREAK)) {
    const end = match.index + match[0].length;
    if (
      wordCount(sentence.text.slice(last, match.index)) < MIN_WORDS ||
      wordCount(sentence.text.slice(end)) < MIN_WORDS ||
      isCompany(sentence.text.slice(last, match.index), sentence.text.slice(end))
    ) {
      continue;
    }
    cuts.push(match.index, end);
    last = end;
  }
  return cutSpan(sentence, cuts).filter((part) => /[\p{L}\p{N}]/u.test(part.text));
};

export const wordCount = (text: string): number => text.match(/[\p{L}\p{N}][\p{L}\p{N}'’-]*/gu)?.length ?? 0;
