const WORK = 'screenplay|script|novel|book|manuscript|thesis|dissertation|essay|poem|memoir|portfolio|documentary';
/** What one does with a work alone. */
const SENDS = /\b(?:submit|submitted|submitting|pitch|pitched|pitching|publish|published|publishing) (it)\b/i;
const OWN_WORK = new RegExp(String.raw`\bmy (?:[\p{L}-]+ ){0,3}?(?:${WORK})\b`, 'giu');

/**
 * "I am going to submit it to a festival": writes out the work if the speaker's facts just before name exactly one of
 * theirs. Returns null otherwise.
 *
 * @param facts the speaker's last facts in the first person
 */
export const nameWork = (clause: string, facts: readonly string[]): string | null => {
  const match = SENDS.exec(clause);
  if (match === null) return null;
  const works = new Set(facts.flatMap((fact) => fact.match(OWN_WORK) ?? []));
  const [only] = works;
  if (only === undefined || works.size > 1) return null;
  const end = match.index + match[0].length;
  return `${clause.slice(0, end - (match[1] ?? '').length)}${only}${clause.slice(end)}`;
};

export const examples = [
  [
    'I am going to submit it to a festival',
    ['I finished my first short novel'],
    'I am going to submit my first short novel to a festival',
  ],
  ['I pitched it to a label', ['I finished my novel', 'I wrote my memoir'], null],
  ['I submitted it to a contest', ['I read a novel'], null],
  ['I sold it to a friend', ['I finished my novel'], null],
  ['I submitted it to a contest', [], null],
] as const satisfies readonly (readonly [string, readonly string[], string | null])[];
