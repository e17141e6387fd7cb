const GROUP =
  'family|fam|kids?|children|sons?|daughters?|husband|wife|hubby|partner|boyfriend|girlfriend|fianc[eé]e?|parents|mom|dad|mother|father|' +
  'sisters?|brothers?|siblings|cousins?|friends?|buddy|buddies|team|teammates|band|crew|colleagues?|coworkers|roommates?|class|group|dogs?';
const COMPANION = new RegExp(String.raw`\b(?:my|our|the)\s+((?:\p{L}+\s){0,1}(?:${GROUP}))\b`, 'giu');

/**
 * Whom "we" refers to: the companions last named before the pronoun ("took my kids to the zoo … we saw" → `their
 * kids`); else `others`.
 */
export const companionsIn = (before: string): string => {
  const last = [...before.matchAll(COMPANION)].at(-1)?.[1];
  return last === undefined ? 'others' : `their ${last.toLowerCase()}`;
};
