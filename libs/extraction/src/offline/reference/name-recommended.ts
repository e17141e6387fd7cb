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
  return `${clause.slice(0, at)}"${only}"${clause.slice(match[0].length)}`;
};

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
  ['I will sell it', 'I watched "Moss".', '', null],
] as const satisfies readonly (readonly [string, string, string, string | null])[];
