import { sentencesOf } from '../text/sentences.js';
import { nounPhrasesIn } from './noun-phrase.js';

/** What people say they will do with what was recommended to them. */
const WILL_KNOW =
  /^(?:(?:I|we) (?:(?:will|am|are|have|need|want|would|love|like|going|really|definitely|also|totally|just|certainly|to|try) ){1,6}(?:add|put|check|watch|read|give|see) )(it|that one|that)(?= (?:to|on) my (?:\p{L}+ )?list\b| out\b| a (?:try|go|watch|read)\b|[.!,]*$| (?:soon|sometime|tonight|this|next)\b)/iu;
const TITLE = /["“]([^"“”]{2,60})["”]/g;

/**
 * "I will add it to my list" after the other speaker recommended `"Waves"`: writes out the title. Returns null if the
 * message before has no title or more than one, or if something was named in between.
 *
 * @param said the other speaker's message before
 * @param before the part of the message before the clause
 */
export const nameRecommended = (clause: string, said: string, before: string): string | null => {
  const match = WILL_KNOW.exec(clause);
  const titles = new Set([...said.matchAll(TITLE)].map(([, title = '']) => title));
  const [only] = titles;
  if (match === null || only === undefined || titles.size > 1 || /["“?]|\b(?:my|your|our)\b/i.test(before)) return null;
  const at = match[0].length - (match[1] ?? '').length;
  // A nickname is no title, and something named after the title may be meant instead.
  const behind = said.slice(said.lastIndexOf(only) + only.length);
  const [, ...later] = sentencesOf(behind);
  const others = later.filter(({ text }) => !ABOUT_IT.test(text.trim()));
  if (!/^[\p{Lu}\p{N}]/u.test(only) || others.some(({ text }) => namesAnother(text))) return null;
  return `${clause.slice(0, at)}"${only}"${clause.slice(match[0].length)}`;
};

/** "It is about a lake.", "Really a good one!" */
const ABOUT_IT =
  /^(?:it|you|that|this|such|so|highly|definitely|totally|really|an?|the (?:story|plot|acting|music|ending))\b/i;
const namesAnother = (text: string): boolean => nounPhrasesIn(text, false).some(({ kind }) => kind === 'thing');

export const examples = [
  [
    'I will definitely add it to my list',
    'I watched "Moss" and loved it.',
    '',
    'I will definitely add "Moss" to my list',
  ],
  ['I am going to check it out', 'You should read "Moss".', 'Sounds great! ', 'I am going to check "Moss" out'],
  ['I will add it to my list', 'I watched "Moss" and "Tides".', '', null],
  ['I will add it to my list', 'I watched a film about moss.', '', null],
  ['I will check it out', 'I watched "Moss".', 'My sister opened a bar. ', null],
  ['I will check it out', 'They played "Moss" in a bar. The bar is lovely.', '', null],
  ['I will give it a try', 'He called me "honey". Come to yoga!', '', null],
  [
    'I will check it out',
    'I watched "Moss" and it was fun. It is a story about a lake. Really a good one!',
    '',
    'I will check "Moss" out',
  ],
  ['I will sell it', 'I watched "Moss".', '', null],
] as const satisfies readonly (readonly [string, string, string, string | null])[];
