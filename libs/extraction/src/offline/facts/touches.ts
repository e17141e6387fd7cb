import { danglingIn } from './dangling.js';
import { hasContent, tokensOf } from './tokens.js';

/** Subjects that name nothing, or belong to the listener. */
const NO_SUBJECT =
  /^(?:it|it's|that|that's|this|these|those|they|he|she|you|your|there|here|what|which|who|how|if|when|while|because|although|since|as|let|let's|thanks|thank|everyone|everything|something|nothing|someone|nobody|life|being|having|knowing|seeing|getting|making|hearing|and|but|so|or|not|for|with|in|on|at|to|of|just|guess|hope|wish|glad|can|could|would|i|we|all|one(?! of (?:my|our|the) )|some|others|another|his|her|their|its|trust|sounds|looks|remember|congrats)\b/i;
const WORD = String.raw`[\p{L}'’&-]+`;
/** "one of my students, Ana,"; "my brother, my aunt and the choir". */
const WITH_COMMAS = String.raw`(?:${WORD} ){0,6}${WORD}, \p{Lu}\p{L}+, |(?:${WORD} ){0,3}${WORD}(?:, (?:${WORD} ){0,3}${WORD}){1,3},? and (?:${WORD} ){1,5}?`;
const SUBJECT = String.raw`(?:${WORD} ){1,7}?|${WITH_COMMAS}`;
/** "Seeing my students succeed helps keep me going." */
const SEEING_MINE = /^(?:seeing|hearing|having|making|knowing) (?:my|our) /i;
const DOES =
  '(?:helps?|helped|has helped|have helped|makes?|made|has made|have made|gives?|gave|has given|brings?|brought|has brought|keeps?|(?:helps?|helped) (?:to )?keep|taught|has taught|lets|let|allows?|allowed|inspires?|inspired|motivates?|motivated|reminds?|calms|drives|encouraged|encourages?|pushed|pushes)';
/** "Painting helps me relax": something named affects the speaker. */
const DOES_TO_ME = new RegExp(
  String.raw`^(${SUBJECT})(?:really |also |always |just |sure |definitely ){0,2}${DOES} me\b.+$`,
  'iu',
);
const DID =
  '(?:wrote|sent|invited|hired|promoted|offered|introduced|showed|bought|lent|sold|baked|cooked|built|painted|knitted|nominated|awarded|surprised|contacted|emailed|approached|picked|chose|selected|accepted|sponsored|interviewed)';
/** "One of my students wrote me a poem": what others did for or to the speaker. */
const DID_TO_ME = new RegExp(
  String.raw`^(${SUBJECT})(?:just |also |even |recently |kindly )?${DID} (?:me|us)\b.+$`,
  'iu',
);
const HIT_ME = new RegExp(
  String.raw`^((?:an?|one of|two|some|my|our) (?:(?!of\b|idea\b|thought\b|feeling\b|wave\b|realization\b|realisation\b)${WORD} ){1,7}?)(?:hit|bit|stung|robbed|attacked|chased) (?:me|us)\b.*$`,
  'iu',
);
/** "Last week there was a fire in our street". */
const THERE_WAS =
  /^(?:(?:last (?!time)\p{L}+|yesterday|today|this \p{L}+|recently),? )?there (?:was|were|has been|have been|is|are) (?:recently )?(?:an?|some|another|two|three|four|five|\d+) [\p{L}'’ -]{3,60}? (?:in|at|near|on|outside|behind|next to) (?:my|our) (?:apartment (?=building))?(?:street|road|block|house|home|garden|kitchen|flat|apartment|building|basement|garage|neighbou?rhood|village|town|city|area|yard|backyard|office|school|church|roof|car|place|family)(?=[.!,]|$| (?:and|but|so|last|this|yesterday|today|that|which|after|when|because|since)\b)(?!.*\b(?:film|dream|novel|book|game)\b)/iu;

/** "My recital got pushed back", "our party was a great success": what became of something of the speaker's. */
export const TURNED_OUT = new RegExp(
  String.raw`^((?:my|our) (?!day|week|weekend|night|morning|month|year|life)(?:[\p{L}-]+ ){1,4}?)(?:(?:got|was|were|has been|have been|is|are) (?:just |finally )?(?:pushed back|postponed|delayed|put off|called off|cancell?ed|rescheduled|moved to)\b|went (?:so |really |very |pretty )?(?:well|great|badly|smoothly)\b|(?:was|were|turned out) (?:an? )?(?:huge |great |big |total |complete )?(?:success|hit|disaster|flop)\b)`,
  'iu',
);
const IS = new RegExp(String.raw`^(${SUBJECT})(?:is|are|was|were|has been|have been) `, 'iu');
const SUCCESS =
  /^(the (?:[\p{L}-]+ ){1,2}(?:party|recital|fundraiser|gig|concert|festival|fair|show|workshop|wedding|ceremony|picnic|tournament|exhibition|exam|interview|presentation|audition) (?:went (?:so |really |very |pretty )*well|(?:was|turned out) (?:an? )(?:huge |great |big |total |complete |real )*(?:success|hit)))[.!]*$/iu;
/** "The book fair went really well. I signed ten copies": the speaker was part of it. */
export const ownSuccess = (clause: string, after: string): string | null => {
  const success = SUCCESS.exec(clause)?.[1];
  return success !== undefined &&
    /^\W*(?:we|I) (?:even |also |all |both )*(?:rais|danc|sign|play|perform|bak|serv|show|welcom|receiv|collect|earn|help|host|invit|organi[sz]|present|decorat|celebrat)ed\b/iu.test(
      after,
    )
    ? `${success} for me`
    : null;
};
const MINE =
  /\b(?:for|to) me\b|\bpart of (?:my|our) life\b|\bmy (?:favou?rites?|faves?|thing|passion|happy place|hobby|hobbies|go-to|jam|escape|therapy|stress[- ]buster|comfort food|chill time|way to|way of|team)\b|\bto express my\b|(?<=(?:is|are|was|were) (?:also |always |just |exactly )?)(?:how I \p{L}+ \p{L}+|what (?:keeps|kept|helps|helped|got|gets|makes|made) (?:me|us) \p{L}+)|(?<=(?:is|are|was|were|has been) (?:now |also |still )?)my (?:\p{L}|-)+/giu;
/** The subject of "Pottery is a huge part of my life". */
const subjectOfMine = (clause: string): string | undefined => {
  const head = IS.exec(clause);
  if (head === null) return undefined;
  MINE.lastIndex = head[0].length;
  return MINE.test(clause) ? head[1] : undefined;
};

/** "What I love most about climbing is the quiet". */
const LOVED_ABOUT =
  /^(?:what|the (?:one )?thing(?: that)?) (?:I|we) (?:(?:really|also|always|actually) )?(?:like|love|enjoy|miss|hate|admire|dislike)(?: most| best| least)? about (?!(?:it|this|that|them|him|her|you)\b)[^,;.!?]{3,40} (?:is|are) (?!(?:how|that|when|what|it|you)\b)[^,;.!?–—]{4,60}/iu;
/** "Writing is how I deal with stress". */
const IS_HOW =
  /^(?!(?:it|this|that|which|here|there|home|he|she|they|what)\b)(?:[\p{L}'’-]+ ){1,4}(?:is|was) (?:how|where) I (?!(?:am|was|feel|felt|belong|need|want)\b)[^,;.!?–—]{6,60}/iu;

/** Commas within the subject do not end the clause. */
const STARTS_WITH_COMMAS = new RegExp(
  String.raw`^(?:${WITH_COMMAS})(?=(?:just |also |even |really |all )?(?:is|are|was|were|${DID}|${DOES})\b)`,
  'iu',
);

/**
 * A clause about something named and its effect on the speaker, cut before the next part. Returns null for any other
 * clause.
 */
export const touchingSpeaker = (clause: string): string | null => {
  const exists = THERE_WAS.exec(clause)?.[0];
  if (exists !== undefined) return /\b(?:lot|bit|time|way|place|things?|people)\b/i.test(exists) ? null : exists;
  const loved = LOVED_ABOUT.exec(clause)?.[0] ?? IS_HOW.exec(clause)?.[0];
  // "The quiet" is that of what is loved.
  if (loved !== undefined)
    return danglingIn(tokensOf(loved.replace(/\b(?:the|what|that) /gi, 'a '))) === null ? loved.trim() : null;
  if (NO_SUBJECT.test(clause) && !SEEING_MINE.test(clause)) return null;
  const begin = STARTS_WITH_COMMAS.exec(clause)?.[0] ?? '';
  const rest = clause.slice(begin.length);
  const part = `${begin}${
    rest.split(
      /(?:[,;:]| ?-{2,9}| [-–—]{1,9}) | (?:and|but|so|because|when|if) (?=(?:it|that|it's|that's|i|we|they|you)\b)/i,
    )[0] ?? ''
  }`.trim();
  const hit = HIT_ME.exec(part)?.[1];
  const does = hit ?? DOES_TO_ME.exec(part)?.[1] ?? DID_TO_ME.exec(part)?.[1];
  const turned = TURNED_OUT.exec(part)?.[1];
  const subject = does ?? turned ?? subjectOfMine(part);
  if (
    subject === undefined ||
    /\b(?:you|your|i|we|that|which|who|can|could|may|might|for me|ourselves)\b/i.test(subject)
  )
    return null;
  const tokens = tokensOf(part);
  if (DID_TO_ME.test(part) && danglingIn(tokensOf(subject)) !== null) return null;
  const named = tokensOf(subject).some((token) => hasContent(token));
  const tells = tokens.slice(tokensOf(subject).length + 1).some((token) => hasContent(token));
  return named && (tells || does === undefined || hit !== undefined) && danglingIn(tokens) === null ? part : null;
};

export const successes = [
  ['The book fair was a big hit', ' I signed ten copies.', 'The book fair was a big hit for me'],
  ['The piano recital went really well', '! We played Bach.', 'The piano recital went really well for me'],
  ['The book fair was a big hit', ' Everyone danced.', null],
  ['The book fair was a big hit', ' I missed it though.', null],
  ['The book fair was a big hit', ' I watched it on TV.', null],
  ['The fair was a big hit', ' We danced.', null],
  ['The garden party was a mess', ' We danced.', null],
] as const satisfies readonly (readonly [string, string, string | null])[];

export const examples = [
  ['Painting helps me relax after work', 'Painting helps me relax after work'],
  ['Baking is how I deal with stress', 'Baking is how I deal with stress'],
  ['Rowing is what keeps me sane', 'Rowing is what keeps me sane'],
  ['That is how I deal with stress', null],
  ['Baking is how people relax', null],
  ['Pushing limits is how we grow as people', null],
  ['Pottery is a huge part of my life, not just a hobby', 'Pottery is a huge part of my life'],
  ['It helps me relax', null],
  ['What I love most about climbing is the quiet', 'What I love most about climbing is the quiet'],
  ['What I love about it is the quiet', null],
  ['What I love about climbing is how it feels', null],
  ['Writing is how I deal with stress', 'Writing is how I deal with stress'],
  ['This is how I deal with stress', null],
  ['Ghent is where I belong', null],
  ['Your support means a lot to me', null],
  ['My piano recital got pushed back, so I went home', 'My piano recital got pushed back'],
  ['Our garden party was a huge success', 'Our garden party was a huge success'],
  ['My week went really well', null],
  ['Flowers bring joy', null],
  ['Seeing my students win helps keep me motivated', 'Seeing my students win helps keep me motivated'],
  ['One of my students, Ana, wrote me a poem about owls', 'One of my students, Ana, wrote me a poem about owls'],
  ['A van ran a red light and hit us', 'A van ran a red light and hit us'],
  ['Last week, there was a fire in our street', 'Last week, there was a fire in our street'],
  ['There was a lot of love in our house', null],
  ['There was a fire in the street', null],
  ['There was a flood in our apartment building', 'There was a flood in our apartment building'],
  ['There are four nurses in my family', 'There are four nurses in my family'],
  ['There are three bedrooms in my dream house', null],
  ['There is a fire in my heart', null],
  ['There is a hole in our budget', null],
  ['Last week, there was a fire in our street in the film', null],
  ['A wave of sadness hit me', null],
  ['An idea hit me in the shower', null],
  ['He wrote me a poem about owls', null],
  ['The firm hired me as a cook', null],
  ['My brother, my aunt and my bandmates are my rocks', 'My brother, my aunt and my bandmates are my rocks'],
] as const satisfies readonly (readonly [string, string | null])[];
