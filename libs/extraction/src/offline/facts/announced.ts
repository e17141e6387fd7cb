const THING = String.raw`([^,;–—]{2,50}?)`;
const DID = '(made|painted|took|bought|designed|baked|built|drew|found|got|adopted|wrote|planted|knitted|created|won)';
const TIME = String.raw`((?:yesterday|today|last \p{L}+|this (?:week|weekend|morning|month|summer|winter|spring|year)|(?:a|an|\p{L}+|\d+) (?:few |couple of )?(?:days?|weeks?|months?|years?) ago)\b)`;

/** "I am so excited to tell you I started …", "I wanted to share that my sister …". */
const TELLING =
  /^(?:I|we) (?:(?:am|are|was|were|just|wanted|want|have|had|got|cannot wait|can't wait|so|really|super|very|also) ){1,4}(?:(?:excited|happy|thrilled|glad|stoked|proud|pumped|delighted) )?to (?:tell|share with|let) you (?:know )?(?:all )?(?:that )?(?=(?:I|we|my|our) )/i;
const told = (clause: string): string | null => {
  const rest = clause.replace(TELLING, '');
  return rest === clause ? null : rest;
};

const POSSESSED = new RegExp(
  String.raw`^(these|those|this|that|the) ${THING} (?:that |which )?(I|we) (?:just |recently |also )?${DID} (?:${TIME} )?(?:really |always |just )?(?:reminds?|is|are|was|were|makes?|helps?|has|have|means?|brings?|gives?|turned)\b`,
  'iu',
);
/** "These lanterns I bought yesterday remind me of home" states that I bought some lanterns yesterday. */
const possessed = (clause: string): string | null => {
  const [, points = '', what = '', who = '', verb = '', time = ''] = POSSESSED.exec(clause) ?? [];
  return what === '' ? null : `${who} ${verb} ${articleFor(points, what)} ${what} ${time}`.trim();
};

const ATTENDED = new RegExp(
  String.raw`\b(?:was|is|loved|remember|about|from) (this|that|these|those|the|an?) ${THING} (?:that |which )?(I|we) (?:just |recently |also )?(went to|attended|visited|joined|organized|organised|hosted|performed in|volunteered at) ${TIME}`,
  'iu',
);
/** "One special memory was this street fair I went to last week" states that I went to a street fair last week. */
const attended = (clause: string): string | null => {
  const [, points = '', what = '', who = '', verb = '', time = ''] = ATTENDED.exec(clause) ?? [];
  return what === '' ? null : `${who} ${verb} ${articleFor(points, what)} ${what} ${time}`;
};

const articleFor = (points: string, what: string): string => {
  if (/^(?:an?|the)$/i.test(points)) return points.toLowerCase();
  if (/^th[eo]se$/i.test(points)) return 'some';
  return /^[aeiou]/i.test(what) ? 'an' : 'a';
};

const PICTURE =
  /^(?:here(?:'s|’s| is| are)|this is|these are|check out|take a look at|look at) (?:this |these |a |an |the |some |my )?(?:\p{L}+ )?(pic|picture|photo|shot|snap|painting|drawing|sketch)s? (?:of|from) ((?:my|our) (?!(?:latest|recent|new)\b)[^,;–—]{4,80}?)(?= - |[.!]*$|[,;])/iu;
/** "Here's a pic of my family skiing in the Alps" states that I have one. */
const pictured = (clause: string): string | null => {
  const [, kind = '', of = ''] = PICTURE.exec(clause) ?? [];
  if (of.split(' ').length < 4 || /\b(?:it|them|that|this|we|you|last time)\b/i.test(of)) return null;
  return `I have a ${/^(?:painting|drawing|sketch)$/i.test(kind) ? kind.toLowerCase() : 'picture'} of ${of}`;
};

const CAME_ACROSS =
  /^(?:I|we) (?:was|were) [^,;]{3,60} when ((?:I|we) (?:came across|found|met|ran into|got|spotted|noticed|discovered) .+)$/i;
const GIFT =
  /^(?:this|that|my|the) ((?:[\p{L}-]+ ){1,2}?)(?:is|was|means) [^.]{3,60}?(?:,| -| –| —|because| since| as)(?: it (?:is|was))? an? (?:gift|present) from ((?:my|our) .{3,80})$/iu;
const BUSY =
  /^I (?:have|had) been (?:(?:so|really|real|super|pretty|very|quite) )?(?:busy|swamped|hard at work)(?: with)? ((?!with)\p{L}+ing .+)$/iu;
const NAMED =
  /^((?:[Mm]y|[Oo]ur) [^,;]{3,30}?) (?:is|are) [^,;]{2,30}, (?:(?:his|her|its) name is|(?:he|she|it) is called) (\p{Lu}\p{L}+)[^\p{L}\w]*$/u;
const TRIP = new RegExp(
  String.raw`\b(?:that|this|my|our) (?:big |first |recent )?((?:road )?trip|visit) to ((?:the )?\p{Lu}[\p{L}’' -]{1,30}?) ${TIME}`,
  'u',
);
const SINCE =
  /^it(?:'s| is| has) been ((?:about |almost |nearly |over )?(?:an?|\p{L}+|\d+) (?:days?|weeks?|months?|years?)) since ((?:I|we) [^,;.!–—]{4,80})/iu;
const ONE_OF =
  /^(?:here(?:'s|’s| is)|this is) one of my ((?:\p{L}+ )?(?:trophies|medals|awards|certificates|prizes) (?:from|for|in) [^,;–—]{3,60})/iu;
const OFF_TO = /^((?:(?:next|this|in|on|over) [^,]{1,20},? |tomorrow,? )?)I am off to (?=\p{L}+ .{3,}|\p{Lu})/iu;
const PLANNED = /\b(?:will|going to|plan|planned|planning|next|upcoming|wait|cancelled|canceled|if|wish|missed)\b/i;

/** Facts that a clause announces, shows, or mentions in passing. None adds information. */
export const announced = (clause: string): string[] => {
  const trip = PLANNED.test(clause) ? null : TRIP.exec(clause);
  const gift = GIFT.exec(clause);
  const busy = BUSY.exec(clause)?.[1];
  const named = NAMED.exec(clause);
  const since = SINCE.exec(clause);
  const trophy = ONE_OF.exec(clause)?.[1];
  return [
    told(clause),
    possessed(clause),
    attended(clause),
    pictured(clause),
    CAME_ACROSS.exec(clause)?.[1] ?? null,
    gift === null ? null : `I got a ${(gift[1] ?? '').trim()} as a gift from ${gift[2] ?? ''}`,
    busy === undefined ? null : `I have been ${busy}`,
    named === null ? null : `${named[1] ?? ''} is called ${named[2] ?? ''}`,
    trip === null ? null : `I took a ${trip[1] ?? ''} to ${trip[2] ?? ''} ${trip[3] ?? ''}`,
    since === null ? null : `${since[2] ?? ''} ${since[1] ?? ''} ago`,
    trophy === undefined ? null : `I have ${trophy}`,
    OFF_TO.test(clause) ? clause.replace(OFF_TO, '$1I am going to ') : null,
    /^I am after .{4,}/i.test(clause) ? clause.replace(/^I am after/i, 'I want') : null,
    / (?:volunteering|working|living|training|studying) here\b/i.test(clause)
      ? clause.replace(/(?<=ing) here\b/i, '')
      : null,
  ].filter((text) => text !== null);
};

export const examples = [
  ['I am so excited to tell you I started a pottery class', 'I started a pottery class'],
  ['These lanterns I bought yesterday remind me of home', 'I bought some lanterns yesterday'],
  ['One special memory was this street fair I went to last week', 'I went to a street fair last week'],
  ['Here is a pic of my family skiing in the Alps', 'I have a picture of my family skiing in the Alps'],
  ['I was out walking when I came across a mural', 'I came across a mural'],
  ['This ring is special to me - a gift from my aunt in Norway', 'I got a ring as a gift from my aunt in Norway'],
  ['I have been really busy planning a fair', 'I have been planning a fair'],
  ['Our son is so cute, his name is Emil', 'Our son is called Emil'],
  ['I got the idea from that trip to Portugal last year', 'I took a trip to Portugal last year'],
  ['It has been two years since I moved to Bergen', 'I moved to Bergen two years ago'],
  ['Here is one of my medals from a rowing contest', 'I have medals from a rowing contest'],
  ['I am off to do some judo', 'I am going to do some judo'],
  ['Next month, I am off to Bergen for a term', 'Next month, I am going to Bergen for a term'],
  ['I am after cork flooring', 'I want cork flooring'],
  ['I started volunteering here a year ago', 'I started volunteering a year ago'],
] as const satisfies readonly (readonly [string, string])[];
