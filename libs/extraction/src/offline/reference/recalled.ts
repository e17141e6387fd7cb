import { aOrAn } from '../text/article.js';

const REMINDS =
  /\brem[a-z]{2,6} (?:the|that|my) ((?:[\p{L}-]+ ){0,2}(?:fair|festival|conference|convention|party|wedding|competition|contest|tournament|gala|fundraiser|concert|event|exhibition|ceremony|reunion|retreat|market)) (?:that )?I (?:told you about|mentioned|talked about|was telling you about)\s*\?\s*$/iu;
const PART =
  /^((?:I|we) (?:just |finally )?(?:had|did|gave|held|finished)) (?:that|the|my) (performance|speech|talk|reading|gig|show|race|match|booth|presentation)\b/i;

/**
 * "Remember the fair I told you about? Gave that speech": the speech was at the fair. Returns null for
 * any other clause.
 *
 * @param before the part of the message before the clause
 */
export const recalled = (clause: string, before: string): string | null => {
  const match = PART.exec(clause);
  const where = match === null ? undefined : REMINDS.exec(before)?.[1];
  if (where === undefined || match === null) return null;
  const [whole, did = '', part = ''] = match;
  return `${did} ${aOrAn(part)} ${part} at ${aOrAn(where)} ${where}${clause.slice(whole.length)}`;
};

export const examples = [
  ['I gave that speech in May', 'Remember the fair I told you about? ', 'I gave a speech at a fair in May'],
  ['I gave that speech in May', 'Did I tell you about the fair? ', null],
  ['I had that cake', 'Remember the fair I told you about? ', null],
  ['I had that show', 'Remember the boat I told you about? ', null],
] as const satisfies readonly (readonly [string, string, string | null])[];
