import { nounPhrasesIn } from './noun-phrase.js';

const WORK = 'screenplay|script|novel|book|manuscript|thesis|dissertation|essay|poem|memoir|portfolio|documentary';
/** What one does with a work alone. */
const SENDS = /\b(?:submit|submitted|submitting|pitch|pitched|pitching|publish|published|publishing) (it)\b/i;
const OWN_WORK = new RegExp(String.raw`\bmy (?:[\p{L}-]+ ){0,3}?(?:${WORK})\b`, 'giu');

/**
 * "I am going to submit it to a festival": writes out the work if the speaker's facts just before name exactly one of
 * theirs. Returns null otherwise.
 *
 * @param facts the speaker's last facts in the first person
 * @param before the part of the message before the clause
 */
export const nameWork = (clause: string, facts: readonly string[], before = ''): string | null => {
  const match = SENDS.exec(clause);
  if (match === null) return null;
  const works = new Set(facts.flatMap((fact) => fact.match(OWN_WORK) ?? []));
  const [only] = works;
  if (only === undefined || works.size > 1) return null;
  const since = facts.slice(facts.findLastIndex((fact) => fact.includes(only)) + 1);
  if ([...since, before].some((said) => namesAnother(said, only))) return null;
  const end = match.index + match[0].length;
  return `${clause.slice(0, end - (match[1] ?? '').length)}${only}${clause.slice(end)}`;
};

/** A song written after the novel may be what was submitted. */
const namesAnother = (said: string, work: string): boolean =>
  MADE.test(said) &&
  nounPhrasesIn(said, false).some(
    ({ kind, text, isBehindPreposition }) => kind === 'thing' && !isBehindPreposition && !sameThing(text, work),
  );
const MADE =
  /\b(?:wrote|written|took|made|painted|drew|recorded|shot|filmed|composed|built|baked|designed|created|prepared|carved|sewed|sewn|knitted) (?:an?|another|my|our|the|some)\b/i;
const sameThing = (one: string, other: string): boolean =>
  one.split(' ').at(-1)?.toLowerCase() === other.split(' ').at(-1)?.toLowerCase();

export const examples = [
  [
    'I am going to submit it to a festival',
    ['I finished my first short novel'],
    'I am going to submit my first short novel to a festival',
    '',
  ],
  [
    'I am going to submit it to a festival',
    ['I finished my short novel'],
    'I am going to submit my short novel to a festival',
    'I have a mix of feelings about this project. ',
  ],
  ['I pitched it to a label', ['I finished my novel', 'I wrote my memoir'], null, ''],
  ['I submitted it to a contest', ['I read a novel'], null, ''],
  ['I sold it to a friend', ['I finished my novel'], null, ''],
  ['I submitted it to a contest', [], null, ''],
  ['I submitted it to a contest', ['I finished my novel', 'I wrote a song'], null, ''],
  ['I submitted it to a contest', ['I finished my novel'], null, 'I finished my novel. I took a photo. '],
] as const satisfies readonly (readonly [string, readonly string[], string | null, string])[];
