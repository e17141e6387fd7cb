import type { RecordCategory } from '@turnkeeper/domain';
import { wordsIn } from './languages/language.js';
import type { Lexicon } from './languages/lexicon.js';
import { isQuestion } from './sentences.js';

/** Where a sentence stands, as far as its worth depends on it. */
export interface Setting {
  readonly lexicon: Lexicon;
  /** Said by the agent of a service, who speaks of the service and not of itself. */
  readonly isAgent: boolean;
  /** Both sides are people with names: a question is no request to an agent. */
  readonly isChat: boolean;
  /** Lower-case words that only address a speaker. */
  readonly names: ReadonlySet<string>;
  /** Nothing was said before, or the message also asks something: what it states is a greeting or an offer. */
  readonly isAsking: boolean;
}

const NUMBER = /\p{N}/u;
const SPECIFIC = /[\p{N}@]/u;
const HAN_NUMBER = /[二三四五六七八九十百千]/u;
/** A capital inside a sentence; German nouns have one too, so it is no sign there. */
const NAME_INSIDE = /(?<=[\p{Ll}\p{N},:'’] )\p{Lu}\p{Ll}+/gu;
const CONTACT = /@|\p{N}{4}/u;
const [FEWEST_OF_SELF, FEWEST_OF_ANY] = [2, 4];
/** Between friends, a shorter sentence that is not about the speaker is a comment. */
const FEWEST_IN_CHAT = 8;
/** Han characters with content that make up as much as a word. */
const HAN_PER_WORD = 1.7;

/** Number of words with content. */
export const contentOf = (
  text: string,
  { code, stop, idle }: Lexicon,
  names: { has(word: string): boolean } = NO_NAMES,
): number => {
  if (code === 'zh') {
    const signs = text.match(/\p{Script=Han}|[\p{L}\p{N}]+/gu) ?? [];
    return signs.filter((sign) => !stop.has(sign) && !idle.has(sign)).length / HAN_PER_WORD;
  }
  return wordsIn(text).filter((word) => !stop.has(word) && !idle.has(word) && !names.has(word)).length;
};
const NO_NAMES: ReadonlySet<string> = new Set();

/** Numbers, names or days: what a listener would write down. */
export const hasSpecifics = (text: string, lexicon: Lexicon, names: ReadonlySet<string> = NO_NAMES): boolean =>
  SPECIFIC.test(text) ||
  lexicon.relativeDay.test(text) ||
  (lexicon.code !== 'de' && (text.match(NAME_INSIDE) ?? []).some((name) => !names.has(name.toLowerCase())));

/** A name or title inside a sentence: what a listener knows it by. Days and months tell only when. */
export const holdsName = (text: string, { code, stop }: Lexicon, names: ReadonlySet<string> = NO_NAMES): boolean =>
  code !== 'de' &&
  (text.replaceAll(NO_TOPIC, ' ').match(NAME_INSIDE) ?? [])
    .map((name) => name.toLowerCase())
    .some((name) => !names.has(name) && !stop.has(name));
/** Days, months and units have capitals in English. */
const NO_TOPIC =
  /(?<!\p{L})(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:jan|febr)uary|march|april|may|june|july|august|(?:sept|nov|dec)ember|october|celsius|fahrenheit)(?!\p{L})/giu;

/** Numbers or names, and enough words beside them: what a caller asks an agent for. */
export const tellsDetails = (text: string, lexicon: Lexicon): boolean =>
  (hasNumbers(text, lexicon) || hasSpecifics(text, lexicon)) && contentOf(text, lexicon) >= FEWEST_OF_SELF;

const hasNumbers = (text: string, { numbers, code }: Lexicon): boolean =>
  NUMBER.test(text) ||
  (code === 'zh' ? HAN_NUMBER.test(text) : wordsIn(text).some((word) => (numbers.values.get(word) ?? 0) > 1));

/** What kind of record a sentence makes on its own; null if it is not worth one. */
export const worthOf = (text: string, setting: Setting): RecordCategory | null => {
  const { lexicon, isAgent, isChat, names } = setting;
  const content = contentOf(text, lexicon, names);
  if (content === 0 && (isChat || !NUMBER.test(text))) return null;
  if (lexicon.offersHelp.test(text) && !CONTACT.test(text)) return null;
  if (isAgent) return agentsWorth(text, content, setting);
  if (lexicon.code !== 'zh' && content <= 1 && !NUMBER.test(text) && isGreeting(text)) return null;
  const isPassing = lexicon.passing.test(text) && !CONTACT.test(text) && !lexicon.corrects.test(text);
  if (isPassing && content < FEWEST_OF_ANY) return null;
  if (isQuestion(text) || QUESTION_WORD.test(text)) {
    if (isChat) return null;
    return lexicon.wants.test(text) ||
      (content >= FEWEST_OF_ANY && !isQuestion(text)) ||
      (hasSpecifics(text, lexicon, names) && content > 1)
      ? 'request'
      : null;
  }
  const self = isChat ? isOfSelf(text, lexicon) : lexicon.self.test(text);
  if (isChat && !self && !hasSpecifics(text, lexicon, names) && content < FEWEST_IN_CHAT) return null;
  // A comment on the other side: "you did so well".
  if (
    (!self || (isChat && content <= FEWEST_OF_ANY && !hasSpecifics(text, lexicon, names))) &&
    lexicon.addresses.test(text) &&
    !lexicon.wants.test(text) &&
    !hasNumbers(text, lexicon) &&
    !CONTACT.test(text)
  )
    return null;
  if (lexicon.prefers.test(text)) return 'preference';
  if (!isChat && lexicon.wants.test(text) && (content > 1 || hasSpecifics(text, lexicon))) return 'request';
  if (self && content >= FEWEST_OF_SELF) return lexicon.plans.test(text) ? 'plan' : 'fact';
  if (content >= FEWEST_OF_ANY || (content >= 1 && hasSpecifics(text, lexicon, names)) || hasNumbers(text, lexicon))
    return 'fact';
  return null;
};

/** "Hello Casey", "thanks Ana". */
export const isGreeting = (text: string): boolean => wordsIn(text).length <= LONGEST_GREETING && GREETING.test(text);
const LONGEST_GREETING = 4;
const GREETING =
  /^[¡\s]*(?:hi|hello|hey|hai|good|thank|thanks|bye|dear|hola|gracias|buen|hallo|guten|danke|bonjour|merci|salut|olá|oi|obrigad|chào|cảm ơn)/iu;

/** Words of thanks, and little else. */
export const isThanks = (text: string, lexicon: Lexicon): boolean =>
  THANKS.test(text) && contentOf(text, lexicon) < FEWEST_OF_SELF;
const THANKS = /thank|\bthx\b|gracias|danke|merci|obrigad|cảm ơn|谢/iu;

/** Whether it is about the speaker: what brings "us" together, or "our" loved ones, is about everyone. */
const isOfSelf = (text: string, { self }: Lexicon): boolean => self.test(text.replaceAll(OF_ALL, ' '));
const OF_ALL = /(?<!\p{L})(?:us|ours?|nos|nuestr[oa]s?|uns(?:ere?[mnrs]?)?|notre|noss[oa]s?)(?!\p{L})/giu;

/** Whether a message between friends tells something: about the speaker at some length, or with details. */
export const isTelling = (text: string, { lexicon, names }: Setting): boolean =>
  hasSpecifics(text, lexicon, names) ||
  lexicon.prefers.test(text) ||
  (isOfSelf(text, lexicon) && contentOf(text, lexicon, names) >= FEWEST_OF_ANY);

/** What an agent did, promises, tells the caller to do, or states with numbers, names or days. */
const agentsWorth = (text: string, content: number, { lexicon, isAsking }: Setting): RecordCategory | null => {
  if (isQuestion(text)) return null;
  const hasValues = hasNumbers(text, lexicon) || SPECIFIC.test(text) || lexicon.relativeDay.test(text);
  if ((hasValues || hasSpecifics(text, lexicon)) && lexicon.commits.test(text)) return 'commitment';
  if (content < FEWEST_OF_SELF || isAsking || lexicon.passing.test(text) || OFFER.test(text)) return null;
  return hasValues || (lexicon.instructs.test(text) && !lexicon.asks.test(text)) ? 'fact' : null;
};
/** What is only offered is quoted with the consent to it. */
const OFFER =
  /(?<!\p{L})(?:(?:i|we) (?:can|could|have)|(?:how|what) about|[lt]e puedo|podemos|(?:ich|wir) (?:kann|können|hätten?)|je peux|nous pouvons|posso|em có thể)(?!\p{L})|可以(?:吗|给您)/iu;

/** Whether an agent's sentence asks for something. */
export const asksSomething = (text: string, lexicon: Lexicon): boolean =>
  isQuestion(text) ||
  (!text.endsWith('!') &&
    (lexicon.asks.test(text.slice(0, LEAD)) || QUESTION_WORD.test(text) || SHORT_REQUEST.test(text)));

/** "And the postcode please": speech recognition writes no question marks. */
const SHORT_REQUEST = /^.{1,60}(?:please|por favor|bitte|s['’]il vous plaît)[.!?]?$/iu;
/** Where words that ask for something stand. */
const LEAD = 60;
const QUESTION_WORD =
  /^[\s¿]*(?:(?:and|so|for|in|at|to|y|en|und|et|e) )?(?:what|which|who|whom|when|where|how|cuál|cuáles|qué|cuándo|dónde|cuánt[oa]s?|wie|was|welche[rsn]?|wann|wo|quel(?:le)?s?|quand|combien|où|qual|quais|quando|onde|quant[oa]s)(?![\p{L}])/iu;
