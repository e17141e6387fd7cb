import { type Asked, attribute, countedAttribute, isBareNumber, knownAttribute } from './attribute-table.js';
import type { Lexicon } from './languages/lexicon.js';

/** The attribute of a noun phrase such as "policy number" or "size of the pizza"; null if it names none. */
const attributeOf = (phrase: string): Asked | null => {
  const whole = phrase.trim().toLowerCase();
  const exact = knownAttribute(whole);
  if (exact !== null) return exact;
  const counted = COUNT_OF.exec(whole)?.[1];
  if (counted !== undefined) return countOf(counted);
  const [, aspect, thing] = ASPECT_OF.exec(whole.replace(ARTICLE, '')) ?? [];
  const noun = aspect === undefined || thing === undefined ? headOf(whole) : `${headOf(thing)} ${aspect}`;
  if (noun === '') return null;
  const known = knownAttribute(noun);
  if (known !== null) return known;
  // A number that nothing else is said of is one to call.
  if (isBareNumber(noun)) return attribute('phone_number', 'phone', true);
  const name = slug(noun);
  return name === '' ? null : attribute(name, 'text', false);
};

const COUNT_OF = /^(?:total )?(?:number|número|numero|anzahl|nombre) (?:of|de|der|von) (.+)$/iu;
const ASPECT_OF =
  /^(type|kind|size|style|brand|colou?r|model|(?:(?:full|first|last|given|family) )?name|surname) of (.+)$/iu;
const LONGEST_SLUG = 40;
const MOST_WORDS = 4;
/** Where a noun phrase of a question ends. */
const TAIL =
  /(?<=.)\s(?:please|for|of|on|in|at|with|that|which|to|and|or|so|you|do|does|are|is|was|were|would|will|should|can|could|have|has|if|when|where|from|by|as|bitte|für|por|para|pour|ạ|nhé|của|associated|again|today|now|first|out|also)(?![\p{L}\p{N}]).*$/iu;
const NO_WORD = /[^\p{L}\p{N}\s'’/-]/u;
const ARTICLE = /^(?:the|your|a|an|my|his|her|their|exact|preferred|current|desired)\s/iu;
/** Phrases that ask for nothing that could be a value. */
const NO_SLOT =
  /^(?:problem|matter|issue|question|reason|else|kind|kinds|type|types|sort|thing|things|help|way|one|ones|about|more|information|details?|detail|following|minute|moment|idea|best|name of|difference|weather|happened?|it|that|this|us|me|know|look|favou?r|plan|plans|think|mean|you|up|wrong|new|next|latest|story|deal|point|made|makes|happening|going|inspired|do|did|has|your)\b/iu;

/** A noun phrase without articles and without what follows it. */
const headOf = (noun: string): string => {
  let phrase = (noun.split(NO_WORD, 1)[0] ?? '').replace(TAIL, '');
  while (ARTICLE.test(phrase)) phrase = phrase.replace(ARTICLE, '');
  return phrase.trim();
};

const slug = (noun: string): string => {
  const phrase = headOf(noun);
  if (NO_SLOT.test(phrase)) return '';
  const parts = phrase.replace(/['’]s\b/gu, '').match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  if (parts.length === 0 || parts.length > MOST_WORDS) return '';
  const name = parts.join('_').replace(/_no$/, '_number');
  return (name.length < 2 && !/\p{Script=Han}/u.test(name)) || name.length > LONGEST_SLUG ? '' : name;
};

const WHEN = /^(?:and )?(?:when|for when|cuándo|wann|quand|quando|khi nào|什么时候)/iu;

/** The attributes that a question asks for, in order; empty if it asks for no value. */
export const askedIn = (question: string, lexicon: Lexicon): Asked[] => {
  const found: { readonly at: number; readonly asked: Asked }[] = [];
  for (const pattern of lexicon.asksFor) {
    const match = pattern.exec(question);
    const phrase = match?.[1];
    if (match === null || phrase === undefined || found.some(({ at }) => at === match.index)) continue;
    const counts = COUNTS.test(match[0]);
    const asked = counts ? countOf(phrase) : attributeOf(phrase);
    if (asked !== null && !found.some(({ asked: { name } }) => name === asked.name))
      found.push({ at: match.index, asked });
  }
  if (found.length > 0)
    return found
      .toSorted((one, other) => one.at - other.at)
      .slice(0, 1)
      .map(({ asked }) => asked);
  if (WHEN.test(question.trim())) return [attribute('date', 'date', false)];
  if (lexicon.asksWhereTo.test(question)) return [ADDRESS];
  // "Is your phone still …?"
  const known = knownAttribute(question.toLowerCase());
  return known !== null && /^(?:phone|email|code)$/.test(known.kind) ? [known] : [];
};

const ADDRESS = attribute('address', 'text', true);
const COUNTS = /how many|cuánt[oa]s|wie viele|combien de|quant[oa]s|mấy|bao nhiêu|几|多少/iu;

const countOf = (phrase: string): Asked | null => {
  const known = countedAttribute(phrase);
  if (known !== null) return known;
  const name = slug(phrase);
  return name === '' ? null : attribute(`number_of_${name}`, 'count', false);
};
