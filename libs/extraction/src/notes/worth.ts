import type { RecordCategory } from '@turnkeeper/domain';
import { wordsIn } from './languages/language.js';
import type { Lexicon } from './languages/lexicon.js';
import { remembered } from './remembered.js';
import { isQuestion } from './sentences.js';

/** Where a sentence stands, as far as its worth depends on it. */
export interface Setting {
  readonly lexicon: Lexicon;
  /** Said by the agent of a service, who speaks of the service and not of itself. */
  readonly isAgent: boolean;
  /** Both sides are people with names: a question is no request to an agent, and a feeling alone tells nothing. */
  readonly isChat: boolean;
  /** Words that say nothing here: the speakers' names, and feelings between friends. */
  readonly empty: ReadonlySet<string>;
  /** Nothing was said before, or the message also asks something: what it states is a greeting or an offer. */
  readonly isAsking: boolean;
}

const SPECIFIC = /[\p{N}@]/u;
const HAN_NUMBER = /[二三四五六七八九十百千]/u;
/** A capital inside a sentence; German nouns have one too, so it is no sign there. */
const NAME_INSIDE = /(?<=[\p{Ll}\p{N},:'’] )\p{Lu}\p{Ll}+/gu;
const CONTACT = /@|\p{N}{4}/u;
const [MIN_OF_SELF, MIN_OF_ANY] = [2, 4];
/** Han characters with content that make up as much as a word. */
const HAN_PER_WORD = 1.7;
const NOTHING: ReadonlySet<string> = new Set();

/** Words; in Chinese, characters. */
export const tokensOf = (text: string, { code }: Pick<Lexicon, 'code'>): readonly string[] =>
  code === 'zh' ? (text.match(/\p{Script=Han}|[\p{L}\p{N}]+/gu) ?? []) : wordsIn(text);

const contentWords = remembered((text: string, lexicon: Lexicon) =>
  tokensOf(text, lexicon).filter((word) => !lexicon.stop.has(word) && !lexicon.idle.has(word)),
);

/** Number of words with content. */
export const contentOf = (text: string, lexicon: Lexicon, empty = NOTHING): number => {
  const found = contentWords(text, lexicon);
  const count = empty.size === 0 ? found.length : found.filter((word) => !empty.has(word)).length;
  return lexicon.code === 'zh' ? count / HAN_PER_WORD : count;
};

/** Numbers, names or days: what a listener would write down. */
export const hasSpecifics = (text: string, lexicon: Lexicon, empty = NOTHING): boolean =>
  SPECIFIC.test(text) ||
  lexicon.relativeDay.test(text) ||
  (lexicon.code !== 'de' && (text.match(NAME_INSIDE) ?? []).some((name) => !empty.has(name.toLowerCase())));

/** A name or title inside a sentence: what a listener knows it by. Days and months tell only when. */
export const holdsName = (text: string, { code, stop }: Lexicon, empty = NOTHING): boolean =>
  code !== 'de' &&
  (text.replaceAll(DAY_OR_MONTH, ' ').match(NAME_INSIDE) ?? [])
    .map((name) => name.toLowerCase())
    .some((name) => !empty.has(name) && !stop.has(name));
const DAY_OR_MONTH =
  /(?<!\p{L})(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:jan|febr)uary|march|april|may|june|july|august|(?:sept|nov|dec)ember|october)(?!\p{L})/giu;

const hasNumbers = (text: string, { numbers, code }: Lexicon): boolean =>
  /\p{N}/u.test(text) ||
  (code === 'zh' ? HAN_NUMBER.test(text) : wordsIn(text).some((word) => (numbers.values.get(word) ?? 0) > 1));

/** What kind of record a sentence makes on its own; null if it is not worth one. */
export const worthOf = (text: string, setting: Setting): RecordCategory | null => {
  const { lexicon, isAgent, isChat, empty } = setting;
  const content = contentOf(text, lexicon, empty);
  const isContact = CONTACT.test(text);
  const isPreference = lexicon.prefers.test(text);
  if (isChat ? content < (isPreference ? 1 : MIN_OF_SELF) : content === 0 && !/\p{N}/u.test(text)) return null;
  const isSmallTalk = lexicon.smallTalk.test(text) && !isContact && !lexicon.corrects.test(text);
  if (isSmallTalk && (isAgent || content < MIN_OF_ANY)) return null;
  if (isAgent) return agentsWorth(text, content, setting);
  const isSpecific = hasSpecifics(text, lexicon, empty);
  const isWish = lexicon.wants.test(text);
  if (isQuestion(text)) return !isChat && isWish ? 'request' : null;
  if (!isChat && !isWish && !isSpecific && THANKS.test(text)) return null;
  const isOfSelf = lexicon.self.test(isChat ? text.replaceAll(OF_ALL, ' ') : text);
  if (isChat && !isSpecific && (!isOfSelf || lexicon.addresses.test(text))) return null;
  // A comment on the other side: "you did so well".
  if (!isOfSelf && !isWish && !isContact && lexicon.addresses.test(text) && !hasNumbers(text, lexicon)) return null;
  // "You have worked so hard for this, I'm proud."
  if (isChat && !isAbout(text, lexicon)) return null;
  if (isPreference) return 'preference';
  if (!isChat && isWish && (content > 1 || isSpecific)) return 'request';
  if (isOfSelf && content >= MIN_OF_SELF) return lexicon.plans.test(text) ? 'plan' : 'fact';
  return content >= MIN_OF_ANY || (content >= 1 && isSpecific) || hasNumbers(text, lexicon) ? 'fact' : null;
};
/** Of the speaker or of others, before of the other side. */
const isAbout = (text: string, { self, addresses }: Lexicon): boolean => {
  const other = addresses.exec(text)?.index;
  return other === undefined || text.slice(0, other).search(self) >= 0;
};
/** What brings "us" together, or "our" loved ones, is about everyone. */
const OF_ALL = /(?<!\p{L})(?:us|ours?|nos|nuestr[oa]s?|uns(?:ere?[mnrs]?)?|notre|noss[oa]s?)(?!\p{L})/giu;

/** Words of thanks, and little else. */
export const isThanks = (text: string, lexicon: Lexicon): boolean =>
  THANKS.test(text) && contentOf(text, lexicon) < MIN_OF_SELF;
const THANKS = /thank|\bthx\b|gracias|danke|merci|obrigad|cảm ơn|谢/iu;

/** What an agent did, promises, tells the caller to do, or states with numbers, names or days. */
const agentsWorth = (text: string, content: number, { lexicon, isAsking }: Setting): RecordCategory | null => {
  if (isQuestion(text)) return null;
  const hasValues = hasNumbers(text, lexicon) || SPECIFIC.test(text) || lexicon.relativeDay.test(text);
  if ((hasValues || hasSpecifics(text, lexicon)) && lexicon.commits.test(text)) return 'commitment';
  if (content < MIN_OF_SELF || isAsking || OFFER.test(text)) return null;
  return hasValues || (lexicon.instructs.test(text) && !lexicon.asks.test(text)) ? 'fact' : null;
};
/** What is only offered is quoted with the consent to it. "I have two tables" offers, "I have booked one" does not. */
export const OFFER =
  /(?<!\p{L})(?:(?:i|we) (?:can|could|see|found|have(?= (?:(?:an?|the|some|only|one|two|three)(?!\p{L})|\p{N})))|(?:i|we)['’]ve (?:found|got)|there(?: are|(?: is|['’]s) an?(?:other)?)|(?:how|what) about|[lt]e puedo|podemos|(?:ich|wir) (?:kann|können|hätten?)|je peux|nous pouvons|posso|em có thể)(?!\p{L})|可以(?:吗|给您)/iu;

/** What an agent could not do. */
export const FAILS =
  /(?<!\p{L})(?:unfortunately|(?:could|can|was|did)(?: not|n['’]t)|cannot|unable|failed|lamentablemente|no (?:pude|pudimos|puedo)|leider|nicht möglich|malheureusement|infelizmente|rất tiếc|không (?:thể|được))(?!\p{L})|抱歉|没有?办法|无法|没能/iu;

/** Whether an agent's sentence asks for something. Speech recognition writes no question marks. */
export const asksSomething = (text: string, lexicon: Lexicon): boolean =>
  isQuestion(text) || (!text.endsWith('!') && (lexicon.asks.test(text.slice(0, LEAD)) || SHORT_REQUEST.test(text)));
const SHORT_REQUEST =
  /^.{1,60}(?:please|por favor|bitte|s['’]il vous plaît)[.!?]?$|^[\s¿]*(?:(?:and|so|for|in|at|to|y|en|und|et|e) )?(?:what|which|who|whom|when|where|how|cuál|qué|cuándo|dónde|wie|was|wann|wo|quand|où|qual|quando|onde)(?!\p{L})/iu;
/** Where words that ask for something stand. */
const LEAD = 60;
