import { aOrAn } from '../text/article.js';
import { PERSON_NOUNS } from './tokens.js';
import { pastOf, verbOf } from './verbs.js';

const THING = String.raw`([^,;–—]{2,50}?)`;
const DID = '(made|painted|took|bought|designed|baked|built|drew|found|got|adopted|wrote|planted|knitted|created|won)';
const TIME = String.raw`((?:yesterday|today|last \p{L}+|this (?:week|weekend|morning|month|summer|winter|spring|year)|(?:a|an|\p{L}+|\d+) (?:few |couple of )?(?:days?|weeks?|months?|years?) ago)\b)`;

/** "I am so excited to tell you I started …", "I wanted to share that my sister …". */
const TELLING =
  /^(?:(?:I )?(?:have not|haven['’]t) (?:talked|spoken|chatted)[^,;]{0,40}? but (?=(?:I )?wanted ))?(?:(?:I|we) )?(?:(?:am|are|was|were|just|wanted|want|have|had|got|cannot wait|can't wait|so|really|super|very|also) ){1,4}(?:(?:excited|happy|thrilled|glad|stoked|proud|pumped|delighted) )?to (?:tell|share with|let) you (?:know )?(?:all )?(?:that )?(?=(?:I|we|my|our) )/i;
const told = (clause: string): string | null => {
  const rest = clause.replace(TELLING, '');
  return rest === clause ? null : rest;
};

const STARTED = new RegExp(
  String.raw`\bthe ([\p{L}-]+(?: [\p{L}-]+)?) (?:that |which )?(I|we) (?:just |recently |finally |also )?(started|launched|founded|organized|organised|sent in|submitted|entered|applied for)((?: in)? (?:to|for|at|with) [^,;.!–—-]{2,60}?)?(?= (?:has|have|is|was|will|keeps?) | [–—-]|[,;.!–—-]|$)`,
  'iu',
);
/** "The day I started", "the one I submitted". */
const NO_THING =
  /^(?:ones?|same|first|last|next|second|other|only|things?|stuff)\b|\b(?:time|day|moment|minute|week|month|year|night|morning|evening|way|reason|age|place|point|one|school|season|company|firm|rumou?r|joke|fire|fight|argument)$/i;
/** "The essay I submitted to the science fair is short" states that I submitted an essay to the science fair. */
const mentioned = (clause: string): string | null => {
  const [, what = '', who = '', verb = '', where = ''] = STARTED.exec(clause) ?? [];
  if (
    what === '' ||
    NO_THING.test(what) ||
    (/^ (?:(?:with|at|for|in) (?:is|was|has|have)|to \p{Ll}+)\b/u.test(where) && /^started$/i.test(verb))
  )
    return null;
  return `${who} ${verb} ${articleFor(/[^s]s$/.test(what) ? 'these' : 'this', what)} ${what}${where}`;
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
  return aOrAn(what);
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
/** A fear, a dream, a theory or a plan is no fact. "The hardest part is that we had to sell the boat", "One highlight was when I met my uncle". */
const THING_IS =
  /^(?:the|my|our|one|another) (?:(?!(?:of|about|in)\b)[\p{L}'’-]+ ){0,3}?(?:part|thing|highlight|news|moment|memory|challenge|downside|upside|reason|surprise)(?: (?:of|about|for|to|this|last) [\p{L}'’ -]{2,40}?)? (?:is|was) (?:that|when) ((?:I|we|my|our) .{8,})/iu;
/** "I was so scared when my son fell off the roof": what happened, not how it felt. */
const FELT_WHEN =
  /^(?:I|we) (?:(?:was|were|am|are|got|felt|all|both|so|really|super|very|pretty|just|a bit|absolutely) ){1,4}(?:scared|freaked(?: out)?|worried|shocked|terrified|devastated|heartbroken|proud|happy|thrilled|nervous|sad|upset|surprised|excited|relieved|overjoyed|stoked|ecstatic) when ((?:my|our|I|we) .{8,})/i;
/** "After losing my job at the bank, I …" */
const AFTER = /^after (\p{L}+ing) ((?:my|our|an?|the) [^,;]{3,60}), (?:I|we) /iu;
/** "What I love about rowing is the silence". */
const WHAT_I_LOVE =
  /^what I (?:really |also )?(love|like|enjoy|miss|hate)(?: most| best)?(?: (?:most|best))? about ((?!(?:it|this|that|them|him|her|you|these|those|here)\b)[^,;]{3,50}?) is (that |how |the fact that )?(.{4,})/iu;
const whatILove = (clause: string): string | null => {
  const [, love = '', what = '', that, why = ''] = WHAT_I_LOVE.exec(clause) ?? [];
  if (what === '') return null;
  const isClause = that !== undefined || /^(?:it|they|I|we) /.test(why);
  return `I ${love.toLowerCase()} ${what} because ${isClause ? '' : 'of '}${why}`;
};
/** "That's where our choir sang": also of places, but of fewer verbs. */
const THATS_WHERE =
  /^that(?:'s| is| was) (?:why|how|when|where) (?=(?:I|we|my|our) (?!(?:am|was|are|were|feel|felt|know|knew|think|thought|like|love|roll|do|did)\b).{8,})/iu;
/** "That's why I became a nurse" states that I did. */
const THAT_IS_WHY =
  /^(?:and )?(?:that|this|which)(?:['’]s| is| was) (?:also |partly |exactly |probably )?(?:why|how|when) (?=(?:I|we|my) (?!(?:feel|felt|love|like|do|did|am|was)\b))/iu;
const behindWhy = (clause: string): string | null => {
  const lead = [THAT_IS_WHY, THATS_WHERE].find((pattern) => pattern.test(clause));
  return lead === undefined ? null : clause.replace(lead, '');
};
const TOOK_ME =
  /^it took (?:me|us) ((?:about |almost |nearly |over )?(?:\d+|an?|two|three|four|five|six|seven|eight|nine|ten|twelve|several) (?:hours?|days?|weeks?|months?|years?|evenings?|weekends?|tries|attempts)) to (?=\p{L}+ \p{L}+)/iu;
/** "That's me and my sister at the harbour". */
const THATS_ME =
  /^(?:that|this)(?:['’]s| is) (me(?: (?:and|with) (?:my|our) [^,;–—]{3,40}?)? (?:at|in|on|with|after|during) [^,;–—]{4,60}|(?:my|our) [^,;–—]{3,30}? and (?:me|I) (?:at|in|on|after|during) [^,;–—]{4,60})/iu;
/** "Painting murals for schools is something I always wanted to try". */
const IS_SOMETHING =
  /^((?!(?:it|that|this|which|there|what|he|she|they|one)\b)[^,;]{6,90}?) (?:is|are) (?:something|one of the things|a thing) (?:that )?(I|we) ((?:(?:am|are|have|always|been|really|also|just|still) )*(?:working on|do|love|enjoy|practi[cs]e|am proud of|want to (?:do|try|learn)|wanted to (?:do|try|learn)))(?=[.!,]|$| (?:every|at|on|in|with|for)\b)/iu;
const WAS_LIKE =
  /^(?:(?:that|this|my|our|the) ((?:(?!of\b)[\p{L}-]+ ){0,2}?)(road ?trip|trip|hike|cruise)|(?:that|this) ((?:(?!of\b)[\p{L}-]+ ){0,2}?)(concert|festival|workshop|retreat)) /iu;
const WHEN_IT_WAS = new RegExp(
  String.raw`^((?:last|this past|over the|this) (?:weekend|week|month|summer|winter|spring|fall|autumn|year|night|(?:mon|tues|wednes|thurs|fri|satur|sun)day)|yesterday) (?:was|turned out)\b`,
  'iu',
);
const JUDGEMENT =
  / (?:was|turned out) (?:so |such |really |very |pretty |quite |just |super |absolutely |much |to be |an? )*(?!(?:\p{L}+(?:led|ned|ted|ved|yed)|off|on|in|at)\b)\p{L}+(?=[.!,]|$| (?:and|but|because|–|-)|,)/iu;
/** "That road trip last weekend was wild" states that I took one. */
const wasLike = (clause: string): string | null => {
  const [lead = '', which = '', trip = '', what = '', event = ''] = WAS_LIKE.exec(clause) ?? [];
  const when = lead === '' ? undefined : WHEN_IT_WAS.exec(clause.slice(lead.length))?.[1];
  // "Cancelled", "on TV", "my sister's idea": only a judgement shows that it took place.
  if (when === undefined || !JUDGEMENT.test(clause)) return null;
  const thing = `${which}${trip}${what}${event}`.toLowerCase();
  return `I ${trip === '' ? 'went to' : 'took'} ${articleFor('that', thing)} ${thing} ${when.replace(/^this past/i, 'last')}`;
};

const afterDoing = (clause: string): string | null => {
  const [, doing = '', what = ''] = AFTER.exec(clause) ?? [];
  const verb = verbOf(doing);
  return verb === null || verb.form !== 'gerund' || /^(?:see|hear|have|be|do|get|feel|think|look)$/.test(verb.base)
    ? null
    : `I ${pastOf(verb.base)} ${what}`;
};
/** "I can't believe I won the cup!" */
const CANNOT_BELIEVE =
  /^I (?:still )?(?:can't|cannot|couldn't) believe (?:that )?((?:I|we) (?:just |finally |actually )?)(\p{L}+)( .{4,})/iu;
const surprise = (clause: string): string | null => {
  const [, who = '', verb = '', rest = ''] = CANNOT_BELIEVE.exec(clause) ?? [];
  return verbOf(verb)?.form === 'past' ? `${who}${verb}${rest}` : null;
};
/** "It's my aunt's 60th birthday next week". */
const BIRTHDAY =
  /^it(?:'s| is| was) ((?:my|our) (?:(?!of |idea )[\p{L}'’\d]+ ){0,4}(?:birthday|anniversary|graduation|wedding)) ((?:next|this|last|on|in) [\p{L}\d ]{3,20}|tomorrow|today|yesterday)(?=[.!,]|$| and | so )/iu;
/** "This is my dog Bruno". */
const INTRODUCED =
  /^(?:[Tt]his|[Hh]ere|[Tt]hat)(?:'s| is) (my (?:\p{Ll}+ ){1,2})(?!(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day)(\p{Lu}\p{Ll}+)(?=[.!,]|$| (?:and|at|in|on|with|when)\b)/u;
const introduced = (clause: string): string | null => {
  const [, who = '', name = ''] = INTRODUCED.exec(clause) ?? [];
  return PERSON_NOUNS.has(who.trim().split(' ').at(-1) ?? '') ? `${who}is called ${name}` : null;
};
/** "The doctor said I need to rest for two weeks". */
const DOCTOR_SAID =
  /^(?:the|my) (?:doctor|dentist|vet|physio|physiotherapist|therapist) (?:said|says|told me) (?:that )?(I (?:need|have|am|should not|can't|cannot|must) .{6,}|my .{8,})/iu;
const PLANNED = /\b(?:will|going to|plan|planned|planning|next|upcoming|wait|cancelled|canceled|if|wish|missed)\b/i;

const ROAD_TRIPPED =
  /\b(?:was|were|have been|has been) (?:out )?road[- ]?tripping (?:out )?(?=(?:on|along|around|through|in|across|to|down|up) )/i;
const GET_GOING =
  /\btrying to get (an? (?!.*\b(?:car|engine|fire|party|conversation)\b)[^,;]{3,40}?) (?:going|off the ground|started|up and running)\b/i;

/** Facts that a clause announces, shows, or mentions in passing. None adds information. */
export const announced = (clause: string): string[] => {
  const trip = PLANNED.test(clause) ? null : TRIP.exec(clause);
  const gift = GIFT.exec(clause);
  const busy = BUSY.exec(clause)?.[1];
  const named = NAMED.exec(clause);
  const since = SINCE.exec(clause);
  const thing = IS_SOMETHING.exec(clause);
  // "Always wanted to do quitting my job" is no English.
  const something = /\b(?:do|try)$/i.test(thing?.[3] ?? '') && /^\p{L}+ing\b/iu.test(thing?.[1] ?? '') ? null : thing;
  const trophy = ONE_OF.exec(clause)?.[1];
  return [
    told(clause),
    mentioned(clause),
    ROAD_TRIPPED.test(clause) ? clause.replace(ROAD_TRIPPED, 'took a road trip ') : null,
    GET_GOING.test(clause) ? clause.replace(GET_GOING, 'trying to start $1') : null,
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
    THING_IS.exec(clause)?.[1] ?? null,
    FELT_WHEN.exec(clause)?.[1] ?? null,
    whatILove(clause),
    behindWhy(clause),
    TOOK_ME.test(clause) ? clause.replace(TOOK_ME, 'I took $1 to ') : null,
    THATS_ME.test(clause)
      ? `I have a picture of ${(THATS_ME.exec(clause)?.[1] ?? '').replace(/ and I\b/, ' and me')}`
      : null,
    wasLike(clause),
    surprise(clause),
    clause.replace(BIRTHDAY, '$1 is $2'),
    introduced(clause),
    DOCTOR_SAID.exec(clause)?.[1] ?? null,
    afterDoing(clause),
    something === null
      ? null
      : `${something[2] ?? ''} ${something[3] ?? ''} ${(something[1] ?? '').charAt(0).toLowerCase()}${(something[1] ?? '').slice(1)}`,
    OFF_TO.test(clause) ? clause.replace(OFF_TO, '$1I am going to ') : null,
    /^I am after .{4,}/i.test(clause) ? clause.replace(/^I am after/i, 'I want') : null,
    / (?:volunteering|working|living|training|studying) here\b/i.test(clause)
      ? clause.replace(/(?<=ing) here\b/i, '')
      : null,
  ].filter((text) => text !== null && text !== clause) as string[];
};

export const examples = [
  ['I am so excited to tell you I started a pottery class', 'I started a pottery class'],
  ["I haven't spoken to you in weeks but wanted to tell you I bought a boat", 'I bought a boat'],
  ['The essay I submitted to the science fair is rather short', 'I submitted an essay to the science fair'],
  ['I repaired the forms I submitted', 'I submitted some forms'],
  ['I have been working on the choir I started', 'I started a choir'],
  ['I was road tripping through the highlands', 'I took a road trip through the highlands'],
  ['I am trying to get a choir going', 'I am trying to start a choir'],
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
  ['What I love about rowing is the silence', 'I love rowing because of the silence'],
  ['What I love most about my job is that I meet people from Hue', 'I love my job because I meet people from Hue'],
  ["That's why I became a nurse", 'I became a nurse'],
  ['It took me three years to sew a quilt', 'I took three years to sew a quilt'],
  ["That's me and my sister at the harbour", 'I have a picture of me and my sister at the harbour'],
  ['The hardest part is that we had to sell the boat', 'we had to sell the boat'],
  ['The worst thing to deal with was that my brother sold our boat', 'my brother sold our boat'],
  ['We were so scared when my son fell off the roof', 'my son fell off the roof'],
  ['After selling my bakery in Turku, I wanted a rest', 'I sold my bakery in Turku'],
  ['Mending nets with my uncle is something I always love', 'I always love mending nets with my uncle'],
  ["I can't believe I won the cup with my plum cake", 'I won the cup with my plum cake'],
  ["It's my aunt's 60th birthday next week", "my aunt's 60th birthday is next week"],
  ["That's why I switched to night shifts", 'I switched to night shifts'],
  ['This is my dog Bruno', 'my dog is called Bruno'],
  ['The doctor said I need to rest for two weeks', 'I need to rest for two weeks'],
  ['That road trip this past weekend was wild', 'I took a road trip last weekend'],
  ['That boat trip last week was so much fun', 'I took a boat trip last week'],
  ['That cooking workshop yesterday was packed', 'I went to a cooking workshop yesterday'],
] as const satisfies readonly (readonly [string, string])[];

export const notAnnounced = [
  "That's why I love it",
  'What I love about it is the silence',
  'It took me ages to sew a quilt',
  "That's my favourite at the harbour",
  'We were scared when it got dark',
  'My fear is that my dog has cancer',
  'My dream is that I own a bakery one day',
  'The rumour is that I sold my boat',
  'The hike last weekend was cancelled',
  "That trip last year was my sister's idea",
  'That workshop last week was on my list but I missed it',
  'The rumour I started is funny',
  'The joke I started with was bad',
  'The food I started to cook burned',
  'The doctor thinks I have asthma',
  'This is my dad Sunday morning',
  "It's my idea of a birthday in the park",
  'Quitting my job is something I always wanted to do',
  "I can't believe I have to wait",
  'This is my favourite Monday',
  "It's my idea of fun",
  'That trip next weekend is going to be wild',
  'Our trip to the sea was wild',
  'Our retreat last weekend was wild',
  'It is something I love',
  "That's why I love boats so much",
] as const;
