import { danglingIn } from './dangling.js';
import { hasContent, tokensOf } from './tokens.js';

/** Subjects that name nothing, or belong to the listener. */
const NO_SUBJECT =
  /^(?:it|it's|that|that's|this|these|those|they|he|she|you|your|there|here|what|which|who|how|if|when|while|because|although|since|as|let|let's|thanks|thank|everyone|everything|something|nothing|someone|nobody|life|being|having|knowing|seeing|getting|making|hearing|and|but|so|or|not|for|with|in|on|at|to|of|just|guess|hope|wish|glad|can|could|would|i|we|all|one|some|others|another|his|her|their|its|trust|sounds|looks|remember|congrats)\b/i;
const DOES =
  '(?:helps?|helped|has helped|have helped|makes?|made|has made|have made|gives?|gave|has given|brings?|brought|has brought|keeps?|taught|has taught|lets|let|allows?|allowed|inspires?|inspired|motivates?|motivated|reminds?|calms|drives|encouraged|encourages?|pushed|pushes)';
/** "Painting helps me relax": something named affects the speaker. */
const DOES_TO_ME = new RegExp(
  String.raw`^((?:[\p{L}'’&-]+ ){1,7}?)(?:really |also |always |just |sure |definitely ){0,2}${DOES} me\b.+$`,
  'iu',
);
/** "My recital got pushed back", "our party was a great success": what became of something of the speaker's. */
export const TURNED_OUT = new RegExp(
  String.raw`^((?:my|our) (?!day|week|weekend|night|morning|month|year|life)(?:[\p{L}-]+ ){1,4}?)(?:(?:got|was|were|has been|have been|is|are) (?:just |finally )?(?:pushed back|postponed|delayed|put off|called off|cancell?ed|rescheduled|moved to)\b|went (?:so |really |very |pretty )?(?:well|great|badly|smoothly)\b|(?:was|were|turned out) (?:an? )?(?:huge |great |big |total |complete )?(?:success|hit|disaster|flop)\b)`,
  'iu',
);
const IS = /^((?:[\p{L}'’&-]+ ){1,7}?)(?:is|are|was|were|has been|have been) /iu;
const MINE =
  /\b(?:for|to) me\b|\bpart of (?:my|our) life\b|\bmy (?:favou?rites?|faves?|thing|passion|happy place|hobby|hobbies|go-to|jam|escape|therapy|stress[- ]buster|comfort food|chill time|way to|way of|team)\b|\bto express my\b|(?<=(?:is|are|was|were|has been) (?:now |also |still )?)my (?:\p{L}|-)+/giu;
/** The subject of "Pottery is a huge part of my life". */
const subjectOfMine = (clause: string): string | undefined => {
  const head = IS.exec(clause);
  if (head === null) return undefined;
  MINE.lastIndex = head[0].length;
  return MINE.test(clause) ? head[1] : undefined;
};

/**
 * A clause about something named and its effect on the speaker, cut before the next part. Returns null for any other
 * clause.
 */
export const touchingSpeaker = (clause: string): string | null => {
  if (NO_SUBJECT.test(clause)) return null;
  const part = (
    clause.split(
      /(?:[,;:]| ?-{2,9}| [-–—]{1,9}) | (?:and|but|so|because|when|if) (?=(?:it|that|it's|that's|i|we|they|you)\b)/i,
    )[0] ?? ''
  ).trim();
  const does = DOES_TO_ME.exec(part)?.[1];
  const turned = TURNED_OUT.exec(part)?.[1];
  const subject = does ?? turned ?? subjectOfMine(part);
  if (
    subject === undefined ||
    /\b(?:you|your|i|we|that|which|who|can|could|may|might|for me|ourselves)\b/i.test(subject)
  )
    return null;
  const tokens = tokensOf(part);
  const named = tokensOf(subject).some((token) => hasContent(token));
  const rest = tokens.slice(tokensOf(subject).length + 1).some((token) => hasContent(token));
  return named && (rest || does === undefined) && danglingIn(tokens) === null ? part : null;
};

export const examples = [
  ['Painting helps me relax after work', 'Painting helps me relax after work'],
  ['Pottery is a huge part of my life, not just a hobby', 'Pottery is a huge part of my life'],
  ['It helps me relax', null],
  ['Your support means a lot to me', null],
  ['My piano recital got pushed back, so I went home', 'My piano recital got pushed back'],
  ['Our garden party was a huge success', 'Our garden party was a huge success'],
  ['My week went really well', null],
  ['Flowers bring joy', null],
] as const satisfies readonly (readonly [string, string | null])[];
