import { resolveDates } from './dates/resolve.js';
import type { Cast } from './person/cast.js';
import { inThirdPerson } from './person/third-person.js';

/** What a fact is made of. */
export interface Said {
  /** Clauses of one message in their order; all but the first lean on the one before. */
  readonly clauses: readonly string[];
  /** What the message says before them. */
  readonly before: string;
  /** When it was said, ISO 8601. */
  readonly at: string;
}

/** One sentence in the third person: what the speaker tells of themself. */
export const ownFact = ({ clauses, before, at }: Said, cast: Cast): string => {
  const [first = '', ...rest] = clauses.map(withoutEnd);
  const joined = [first, ...rest.map(lowerFirst)].join('; ');
  return asSentence(inThirdPerson(resolveDates(joined, at), cast, before));
};

/** One sentence that names who said it: what the speaker tells of the world. */
export const reportedFact = ({ clauses, before, at }: Said, cast: Cast): string =>
  asSentence(`${cast.speaker} said: ${inThirdPerson(resolveDates(clauses.join(' '), at), cast, before)}`);

/** One sentence for a bare answer, which means nothing without its question. */
export const answeredFact = (question: string, answer: string, at: string, cast: Cast): string =>
  asSentence(`Asked "${question.trim()}", ${cast.speaker} answered "${withoutEnd(resolveDates(answer, at))}"`);

const END = /[\s,;:.!…–-]+$/u;
const EMOJI = /\p{Extended_Pictographic}|\uFE0F|\u200D/gu;

const withoutEnd = (text: string): string => text.replace(EMOJI, '').trim().replace(END, '');

const asSentence = (text: string): string => {
  const bare = withoutEnd(text.replace(/\s+/g, ' '));
  return `${bare.charAt(0).toUpperCase()}${bare.slice(1)}.`;
};

/** "It" → "it"; a name or "I" keeps its capital. */
const lowerFirst = (text: string): string =>
  /^(?:It|That|This|They|Those|These|Their|He|She|There|Which|His|Her|Its|Reminds?|Makes?|Made|Really|Also|Feels?|Felt|Helps?|Helped|Means?|Meant|Turns?|Been|Shows?|Showed|Gives?|Gave|Since|Because|When|Until|If|Though|Although|Such|Like)\b/.test(
    text,
  )
    ? text.charAt(0).toLowerCase() + text.slice(1)
    : text;
