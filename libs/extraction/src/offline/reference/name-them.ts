import { lastSentencesOf } from '../text/sentences.js';
import { nounPhrasesIn } from './noun-phrase.js';

/** "It was so good": says something about the thing before and names nothing itself. */
const COMMENT =
  /^(?:it|that|this)(?:['’]s| (?:is|was)) (?:so |such |really |very |super |pretty |just )*\p{L}+(?: and [\p{L} ]{3,30})?[.!]*$/iu;

/** What a book or a film is about, as a plural without an article. */
const TOPIC =
  /\b(?:book|novel|article|story|film|movie|documentary|video|show|series|podcast|talk|lecture|exhibition|exhibit|museum) (?:about|on) ((?!the |my |our )(?:[\p{Ll}-]+ )?\p{Ll}{3,}s(?: (?:in|of|from) (?:the )?\p{Lu}[\p{L}-]*)?)(?=[.!,;]|$)/u;
/** Wishes go on from what was read; other clauses may mean anything. */
const THEM = /(?<=\b(?:dream|dreaming|want|hope|hoping|love|like|plan|planning|going)\b.{1,30}\b)them\b/i;

/**
 * "I saw a film about mills in Hue. It was so good! I want to visit them": "them" skips the comment, which names
 * nothing. "It" may mean the book or what was good.
 */
export const nameThem = (clause: string, before: string): string | null => {
  if (!THEM.test(clause)) return null;
  const [last, comment] = lastSentencesOf(before, 2);
  if (last === undefined || comment === undefined || !COMMENT.test(comment)) return null;
  const topic = TOPIC.exec(last)?.[1];
  const hasOther = nounPhrasesIn(last, false).some(({ kind }) => kind === 'plural');
  return topic === undefined || hasOther ? null : clause.replace(THEM, topic);
};

export const examples = [
  ['I want to visit them', 'I saw a film about mills in Hue. It was so good!', 'I want to visit mills in Hue'],
  ['I want to visit them', 'I read a book about mills to my kids. It was so good!', null],
  ['I want to visit them', 'I read about mills. My sister loves the mills.', null],
  ['I am scared of them', 'I saw a film about mills in Hue. It was so good!', null],
  ['I want to visit it', 'I read a book about the old mill. It was so good!', null],
] as const satisfies readonly (readonly [string, string, string | null])[];
