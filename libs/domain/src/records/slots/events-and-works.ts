import { MONTH_NAMES } from '../../text/months.js';
import { firstIn, normal, slot, type Slot, type SlotRule, valued } from './slot-text.js';
import { NO_NOUN, whichIn } from './which.js';

const DATED = new RegExp(String.raw`\b(${MONTH_NAMES.join('|')}) (\d{4})\b`);

/** One-time events. A planned event is done once one of its kind took place in the same month. */
const KINDS =
  'conference|tournament|competition|contest|camping|concert|festival|party|art show|talent show|recital|exam|interview|audition|wedding|race|marathon|fundraiser|workshop|seminar|retreat|parade|surgery|picnic|gala|premiere|photo shoot|hackathon|open mic|honeymoon|road trip|season opener|fair|ceremony|tryout|charity event|meetup|auction|championship|debate|lecture|expo|poetry reading|meeting';
/** "A fair", as in "a fair amount", is an event only with a word before it. */
const FAIR = String.raw`(?:(?!fair\b)|(?<=\b(?:(?:to|at|for) an?|the|their|job|career|science|book|craft|county|state|art|health|trade|street|school|village) ))`;
/** "A meeting" can be about anything; one of a body comes once, unless it recurs. */
const MEETING =
  '(?:(?!(?:meeting|mtg)\\b)|(?<=\\b(?:community|town|hall|council|board|committee|parents?|pta|school|staff|union|residents|neighbou?rhood|shareholders?|club|church) ))';
const RECURS = /\b(?:every|each|weekly|monthly|daily|regular(?:ly)?|usually|always|often|twice)\b/i;
const EVENT = `${FAIR}${MEETING}(${KINDS}|convention|tourn[ae]m[ae]nt|tourney|comp|photoshoot|mtg)`;
/** Matches the key of an event's slot. */
export const IS_EVENT = new RegExp(String.raw`\|plan: (?:(?:perform at )?(?:${KINDS})|volunteering)$`);
const SAME_EVENT: Readonly<Record<string, string>> = {
  tourney: 'tournament',
  comp: 'competition',
  convention: 'conference',
  photoshoot: 'photo shoot',
  mtg: 'meeting',
};
const PLANNED = String.raw`(?:(?:is|are) (?:also |currently |still |just |really |getting |being |all ){0,3}(?:going|having|hosting|organizing|organising|planning|putting together|preparing|practicing|practising|ready|thinking|hoping|looking forward|looking ahead|attending|participating|taking part|signed up|excited|training|studying|waiting|getting)|(?:has|have) (?:just |also )*(?:been (?:just |really )?(?:preparing|practicing|practising|training|planning|organizing|organising)|got an?|an?)|has (?:an?|their) [^,;]{0,40} coming up|(?:cannot|can['’]t) wait|will|plans? to|wants? to|hopes? to|signed up for)`;
const DONE = String.raw`(?:(?:just |finally |also |recently |already )*(?:went|attended|took|had|won|lost|hosted|held|ran|did|finished|completed|participated|celebrated|organized|organised|threw|passed|failed|was in|were in|got back|came back|came second|placed))`;

/**
 * The slot is the kind of event, and its value the state, what tells it from others, and the month, if known. `isInTime`
 * tells events of one kind apart by their months: "won their second tournament" is not "the tournament last year".
 */
const event = (
  who: string,
  what: string,
  state: 'planned' | 'done' | 'postponed',
  month: string,
  sentence: string,
): Slot | null => {
  const kind = what.toLowerCase().replace(/^tourn.m.nt$/, 'tournament');
  if (/^(?:meeting|mtg)$/.test(kind) && RECURS.test(sentence)) return null;
  const moved = state === 'planned' && MOVED.test(sentence) ? 'moved' : '';
  const filled = slot(who, `plan: ${SAME_EVENT[kind] ?? kind}`, state);
  return valued(filled, moved, whichIn(sentence, what, who), month);
};
const performance = (
  who: string,
  what: string,
  state: 'planned' | 'done',
  month: string,
  sentence: string,
): Slot | null => {
  const filled = event(who, what, state, month, sentence);
  return filled === null ? null : { ...filled, key: filled.key.replace('|plan: ', '|plan: perform at ') };
};
/** Another month is that of another event, unless the event was moved. */
const MOVED = /\b(?:moved|postponed|rescheduled|pushed back|put off|now in)\b/u;

const volunteering = (who: string, state: 'planned' | 'done', where: string, month: string): Slot | null => {
  const place = (PLACE.exec(where)?.[1] ?? '').toLowerCase().replace(/(?<=\p{L}{2}[^s])s$/u, '');
  return valued(slot(who, 'plan: volunteering', state), place === '' ? '' : `at ${place}`, month);
};
/** "At the library": the noun and at most two words before it. */
const PLACE = new RegExp(
  String.raw`^ ?(?:(?:at|in|with|for) )?(?:(?:the|an?|their|his|her|some|local|nearby) ){0,3}((?:[\p{L}-]+ ){0,2}?[\p{L}-]+)${NO_NOUN}`,
  'iu',
);

/** Works that are in progress until they are finished. */
const WORK =
  '(screenplay|script|novel|book|manuscript|thesis|dissertation|essay|album|mural|documentary|portfolio|memoir)';
const SAME_WORK: Readonly<Record<string, string>> = {
  screenplay: 'script',
  dissertation: 'thesis',
  manuscript: 'book',
  novel: 'book',
};
const work = (
  who: string,
  what: string,
  state: 'planned' | 'begun' | 'done' | 'ready' | 'sent' | 'answered',
  sentence: string,
): Slot | null => {
  const kind = what.toLowerCase();
  const filled = slot(who, `plan: work on ${SAME_WORK[kind] ?? kind}`, state);
  return valued(filled, whichIn(sentence, what, who, true));
};
const OF_A_WORK = String.raw`(?:an?|the|their|his|her|another|this) (?:[\p{L}-]+ ){0,3}?`;
const NOT_READ = String.raw`(?!reading|rereading|watching)`;

const TITLE = /["“]([^"”]{2,60})["”]/;
/** What is between the kind and the title is detail: "a game nonstop with great music called". */
const TITLED = /^[^"“]*?\b(game|rpg|series|book|novel)\b[^"“]*["“]/i;

/** What a person is currently doing, until it is finished. */
const current = (who: string, what: string, value: string): Slot | null => {
  const title = TITLE.exec(value)?.[1];
  if (title !== undefined) return titled(who, what, title, `${TITLED.exec(value)?.[1] ?? ''} called`);
  const words = normal(value).split(' ').slice(0, 6).join(' ');
  return words === '' ? null : slot(who, `current ${what}`, words);
};
/** The whole title, as "Dune" is not "Dune Messiah". */
const titled = (who: string, what: string, title: string, before: string): Slot | null => {
  const filled = slot(who, `current ${what}`, before);
  const words = normal(title);
  return filled === null || words === '' ? null : { ...filled, value: `${normal(before)} ${words}` };
};

/**
 * Events and works go from planned to done; what a person is reading or playing ends when it is finished.
 *
 * @param text with its dates in brackets, which give the month of an event
 */
export const eventOrWorkIn = (text: string, sentence: string): Slot | null => {
  const dated = DATED.exec(text);
  const month = dated === null ? '' : `${dated[2] ?? ''} ${dated[1]?.toLowerCase() ?? ''}`;
  const filled = firstIn(rulesFor(month, sentence), sentence);
  return month === '' &&
    filled?.value.startsWith('planned') === true &&
    IS_EVENT.test(filled.key) &&
    UNDER_WAY.test(sentence)
    ? { ...filled, value: filled.value.replace('planned', 'begun') }
    : filled;
};
const UNDER_WAY =
  /\b(?:is|are) (?:also |currently |still |just |really )*(?:participating|taking part|competing|attending)\b/;

const PLANNED_EVENT = new RegExp(
  String.raw`^(\p{Lu}[^,;:]{0,50}?) ${PLANNED}\b(?! not| (?:picture|painting|drawing|sketch)\b| (?:always |never )?(?:remember|forget))[^.;:]{0,80}?\b${EVENT}\b${NO_NOUN}`,
  'u',
);
const DONE_EVENT = new RegExp(String.raw`^(\p{Lu}[^,;:]{0,50}?) ${DONE}\b[^.;:]{0,80}?\b${EVENT}\b${NO_NOUN}`, 'u');
/** "User's recital got pushed back", "User's party was a great success". */
const OWN_EVENT = String.raw`^(\p{Lu}[^,;:]{0,50}?)['’]s? (?:[\p{L}-]+ ){0,3}?${EVENT}`;
const PUT_OFF = new RegExp(
  String.raw`${OWN_EVENT} (?:has |just |finally )*(?:got |been |was |is )+(?:pushed back|postponed|delayed|put off|called off|cancell?ed|rescheduled|moved to)\b`,
  'u',
);
const WENT = new RegExp(
  String.raw`${OWN_EVENT} (?:(?:just |really )*went\b|(?:was|turned out) (?:an? )?(?:(?:such|really|so|huge|great|big|total|complete) ?)*(?:a )?(?:success|hit|blast|fun|great|amazing|wonderful|disaster|over)\b)`,
  'u',
);
/** "The book fair went really well for User." */
const WENT_FOR = new RegExp(
  String.raw`^The (?:[\p{L}-]+ ){1,3}?${EVENT} (?:went (?:so |really |very |pretty )*well|(?:was|turned out) (?:an? )?(?:huge |great |big |total |complete |real )*(?:success|hit|blast))\b[^.;:]{0,40}? for (\p{Lu}[\p{L}’'-]*(?: \p{Lu}[\p{L}’'-]*)?)$`,
  'u',
);
/** Singing at a wedding is not over when the speaker was at one. */
const TO_PERFORM = new RegExp(
  String.raw`^(\p{Lu}[^,;:]{0,50}?) (?:is|are|has been|have been)(?! (?:too|not|never|afraid|scared|unable)\b) (?:[\p{L}-]+ ){1,6}?to (?:perform|play|sing|dance|speak|compete|present|exhibit) (?:[\p{L}-]+ )?(?:at|in) [^.,;:]{0,30}?\b${EVENT}\b${NO_NOUN}`,
  'u',
);
const PERFORMED = new RegExp(
  String.raw`^(\p{Lu}[^,;:]{0,50}?) (?:just |finally |also |recently )*(?:(?:performed|played|sang|danced|spoke|competed|presented|exhibited)(?: [^.,;:]{1,30}?)?|(?:had|gave|held|did) an? (?:\p{L}+ )?(?:performance|show|gig|set|recital|reading|speech|talk|presentation)) (?:at|in) (?:an?|the|their|his|her) (?:[\p{L}-]+ ){0,3}?${EVENT}\b${NO_NOUN}`,
  'u',
);
const TO_VOLUNTEER = new RegExp(
  String.raw`^(\p{Lu}[^,;:]{0,50}?) ${PLANNED}\b[^.;:]{0,40}?\bvolunteer(?:ing)? (?:at|in|with|for) (.{1,60})`,
  'u',
);
const VOLUNTEERED =
  /^(\p{Lu}[^,;:]{0,50}?) (?:just |also |recently |finally )*(?:volunteered (?:at|in|with|for) (.{1,60})|spent (?:some |the |a |an )?(?:time|day|morning|afternoon|evening|hours?|weekend)\b([^.;:]{0,40}?) volunteering\b)/u;
const WORK_BEGUN = new RegExp(
  String.raw`^(.{1,60}?) (?:(?:is|has been) (?:also |now |still |currently |finally )*(?:working on|writing|making|filming|finishing|editing|revising|drafting|recording)|(?:has |just |recently |actually |also )*(?:started|began) (?:on|writing|working on|drafting|recording)) ${OF_A_WORK}${WORK}\b`,
  'iu',
);
const WORK_WISHED = new RegExp(
  String.raw`^(.{1,60}?) (?:(?:wants|hopes|plans|would love|would like|is (?:going|planning|hoping|about)) to (?:write|record|publish|make|start)|is (?:thinking (?:of|about)|planning on|considering) (?:writing|recording|publishing|making|starting)) ${OF_A_WORK}${WORK}\b`,
  'iu',
);
const WORK_DONE = new RegExp(
  String.raw`^(.{1,60}?) (?:has |just |recently |finally |also )*(?:finished|completed|wrapped up|published|released)(?: up)? ${NOT_READ}(?:(?:their|the|all|all their) (?:writing|work|edits|draft) (?:for|on|of) )?${OF_A_WORK}${WORK}\b`,
  'iu',
);
const WORK_SENT = new RegExp(
  String.raw`^(.{1,60}?) (?:has |just |recently |finally |also )*(?:submitted|sent|sent off|sent in|pitched|got done submitting) ${OF_A_WORK}${WORK} (?:in )?to\b`,
  'iu',
);
const WORK_READY = new RegExp(
  String.raw`^(.{1,60}?) (?:(?:(?:now |also |really )*(?:wants|hopes|plans|would love|would like|is (?:going|planning|hoping|about|ready)) to|will) (?:submit|send|pitch)|is (?:thinking (?:of|about)|planning on|considering) (?:submitting|sending|pitching))(?: in| off| out)? ${OF_A_WORK}${WORK} (?:in |off |out )?to\b`,
  'iu',
);
const WORK_ANSWERED = new RegExp(
  String.raw`^(.{1,60}?)['’]s? (?:(?!favou?rite )[\p{L}-]+ ){0,2}?${WORK} (?:has been|have been|has|just|was|got|finally)(?: been| just| finally)* (?:accepted|rejected|approved|selected|chosen|picked up|turned down|bought|published)\b(?!.* in \d{4})`,
  'iu',
);
const ANSWER_TO_WORK = new RegExp(
  String.raw`^(.{1,60}?) (?:has |just |recently |finally |also )*(?:sold|(?:got|received|heard back with) an? (?:rejection|acceptance|offer|yes|no)(?: letter)? (?:for|on)) ${OF_A_WORK}${WORK}\b`,
  'iu',
);
const READING =
  /^(.{1,60}?) (?:is|has (?:also |just )?been) (?:also |now |still |currently |really |just )*reading (?!.*["”][^"”]* (?:to|for) (?:the|their|his|her)\b)(?!an? (?:[\p{L}-]+ )?(?:article|post|blog|review|letter|email|poem|recipe)\b)((?:"|“|an?\b|the\b).{2,250})$/iu;
const PLAYING =
  /^(.{1,60}?) (?:is|has (?:also |just )?been) (?:also |now |still |currently |really |just )*playing ((?:an?|the|this) [^.;]{0,80}?\b(?:game|rpg|series)\b.{0,120})$/i;
const WATCHING =
  /^(.{1,60}?) (?:is|has (?:also |just )?been) (?:also |now |still |currently |really |just )*watching ((?:"|“|an?\b|the\b)[^.;]{0,80}?["“].{2,120})$/i;
/** Only a title says which book, game or show has ended. */
const FINISHED =
  /^(.{1,60}?) (?:has |just |recently |finally |also |already )*(finished|completed|beat)(?: (reading|playing|watching))? (?:(?:an?|the|this|another) (?:[\p{L}-]+ ){0,3}?(?:novel|book|series|game|rpg|show|memoir|story|thriller) (?:called |named |titled )?)?["“]([^"”]{2,60})["”](?! (?:script|screenplay|essay|thesis|mural|painting|song|quilt|puzzle)\b)/iu;
const KIND_OF_USE: Readonly<Record<string, string>> = { playing: 'game', beat: 'game', watching: 'show' };
const PROJECT =
  /^(.{1,60}?) (?:is|has (?:also |just )?been) (?:also |now |still |currently )*working on (an? (?:new )?project\b.{0,200})$/i;

const rulesFor = (month: string, sentence: string): readonly SlotRule[] => [
  [TO_PERFORM, (who = '', what = '') => performance(who, what, 'planned', month, sentence)],
  [PERFORMED, (who = '', what = '') => performance(who, what, 'done', month, sentence)],
  [PLANNED_EVENT, (who = '', what = '') => event(who, what, 'planned', month, sentence)],
  [DONE_EVENT, (who = '', what = '') => event(who, what, 'done', month, sentence)],
  [PUT_OFF, (who = '', what = '') => event(who, what, 'postponed', '', sentence)],
  [WENT, (who = '', what = '') => event(who, what, 'done', month, sentence)],
  [WENT_FOR, (what = '', who = '') => event(who, what, 'done', month, sentence)],
  [TO_VOLUNTEER, (who = '', where = '') => volunteering(who, 'planned', where, month)],
  [VOLUNTEERED, (who = '', where = '', before = '') => volunteering(who, 'done', where || before, month)],
  [FINISHED, (who = '', verb = '', use = verb, title = '') => titled(who, KIND_OF_USE[use] ?? 'reading', title, 'not')],
  [WORK_READY, (who = '', what = '') => work(who, what, 'ready', sentence)],
  [WORK_SENT, (who = '', what = '') => work(who, what, 'sent', sentence)],
  [WORK_ANSWERED, (who = '', what = '') => work(who, what, 'answered', sentence)],
  [ANSWER_TO_WORK, (who = '', what = '') => work(who, what, 'answered', sentence)],
  [WORK_DONE, (who = '', what = '') => work(who, what, 'done', sentence)],
  [WORK_BEGUN, (who = '', what = '') => work(who, what, 'begun', sentence)],
  [WORK_WISHED, (who = '', what = '') => work(who, what, 'planned', sentence)],
  [READING, (who = '', what = '') => current(who, 'reading', what)],
  [WATCHING, (who = '', what = '') => current(who, 'show', what)],
  [PLAYING, (who = '', what = '') => current(who, 'game', what)],
  [PROJECT, (who = '', what = '') => current(who, 'project', what)],
];
