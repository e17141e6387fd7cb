import { firstIn, normal, slot, type Slot, type SlotRule } from './slot-text.js';

const MONTHS = 'January|February|March|April|May|June|July|August|September|October|November|December';
const DATED = new RegExp(String.raw`\b(${MONTHS}) (\d{4})\b`);

/** One-time events. A planned event is done once one of its kind took place in the same month. */
const EVENT =
  '(conference|convention|tourn[ae]m[ae]nt|tourney|competition|comp|contest|camping|concert|festival|party|art show|talent show|recital|exam|interview|audition|wedding|race|marathon|fundraiser|workshop|seminar|retreat|parade|surgery|picnic)';
const SAME_EVENT: Readonly<Record<string, string>> = {
  tourney: 'tournament',
  comp: 'competition',
  convention: 'conference',
};
const PLANNED = String.raw`(?:(?:is|are) (?:also |currently |still |just |really |getting |being |all ){0,3}(?:going|having|hosting|organizing|organising|planning|putting together|preparing|practicing|practising|ready|thinking|hoping|looking forward|looking ahead|attending|participating|taking part|signed up|excited|training)|(?:has|have) (?:just |also )*(?:been (?:just |really )?(?:preparing|practicing|practising|training|planning|organizing|organising)|got an?|an?)|has (?:an?|their) [^,;]{0,40} coming up|will|plans? to|wants? to|hopes? to|signed up for)`;
const DONE = String.raw`(?:(?:just |finally |also |recently |already )*(?:went|attended|took|had|won|lost|hosted|held|ran|did|finished|completed|participated|celebrated|organized|organised|threw|passed|failed|was in|were in|got back|came back|came second|placed))`;

/**
 * The slot is the kind of event, and its value the state with the month, if known. `isInTime` tells events of one kind
 * apart by their months: "won their second tournament" is not "the tournament last year".
 */
const event = (who: string, what: string, state: 'planned' | 'done' | 'postponed', month: string): Slot | null => {
  const kind = what.toLowerCase().replace(/^tourn.m.nt$/, 'tournament');
  return slot(who, `plan: ${SAME_EVENT[kind] ?? kind}`, month === '' ? state : `${state} ${month}`);
};

/** Works that are in progress until they are finished. */
const WORK =
  '(screenplay|script|novel|book|manuscript|thesis|dissertation|essay|album|mural|documentary|portfolio|memoir)';
const SAME_WORK: Readonly<Record<string, string>> = {
  screenplay: 'script',
  dissertation: 'thesis',
  manuscript: 'book',
  novel: 'book',
};
const work = (who: string, what: string, state: 'planned' | 'done'): Slot | null => {
  const kind = what.toLowerCase();
  return slot(who, `plan: work on ${SAME_WORK[kind] ?? kind}`, state);
};
const OF_A_WORK = String.raw`(?:an?|the|their|his|her|another|this) (?:[\p{L}-]+ ){0,3}?`;
const NOT_READ = String.raw`(?!reading|rereading|watching)`;

/** What a person is currently doing: the newest replaces the previous one. */
const current = (who: string, what: string, value: string): Slot | null => {
  const words = normal(value).split(' ').slice(0, 6).join(' ');
  return words === '' ? null : slot(who, `current ${what}`, words);
};

/**
 * Events and works go from planned to done; what a person is reading or playing is replaced by the next.
 *
 * @param text with its dates in brackets, which give the month of an event
 */
export const eventOrWorkIn = (text: string, sentence: string): Slot | null => {
  const dated = DATED.exec(text);
  const month = dated === null ? '' : `${dated[2] ?? ''} ${dated[1]?.toLowerCase() ?? ''}`;
  return firstIn(rulesFor(month), sentence);
};

const PLANNED_EVENT = new RegExp(
  String.raw`^(\p{Lu}[^,;:]{0,50}?) ${PLANNED}\b(?! not| (?:picture|painting|drawing|sketch)\b| (?:always |never )?(?:remember|forget))[^.;:]{0,80}?\b${EVENT}\b(?! (?:ground|gear|team|room|organi[sz]er|hall))`,
  'u',
);
const DONE_EVENT = new RegExp(
  String.raw`^(\p{Lu}[^,;:]{0,50}?) ${DONE}\b[^.;:]{0,80}?\b${EVENT}\b(?! (?:ground|gear|team|room|organi[sz]er|hall))`,
  'u',
);
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
const TO_VOLUNTEER = new RegExp(
  String.raw`^(\p{Lu}[^,;:]{0,50}?) ${PLANNED}\b[^.;:]{0,40}?\bvolunteer(?:ing)? (?:at|in|with|for)\b`,
  'u',
);
const VOLUNTEERED =
  /^(\p{Lu}[^,;:]{0,50}?) (?:just |also |recently |finally )*(?:volunteered (?:at|in|with|for)\b|spent (?:some |the |a |an )?(?:time|day|morning|afternoon|evening|hours?|weekend)\b[^.;:]{0,40}? volunteering\b)/u;
const WORK_BEGUN = new RegExp(
  String.raw`^(.{1,60}?) (?:(?:is|has been) (?:also |now |still |currently |finally )*(?:working on|writing|finishing|editing|revising|drafting|recording)|(?:has |just |recently |actually |also )*(?:started|began) (?:on|writing|working on|drafting|recording)) ${OF_A_WORK}${WORK}\b`,
  'iu',
);
const WORK_DONE = new RegExp(
  String.raw`^(.{1,60}?) (?:has |just |recently |finally |also )*(?:finished|completed|wrapped up|published|submitted|released|sold|sent off)(?: up)? ${NOT_READ}(?:(?:their|the|all|all their) (?:writing|work|edits|draft) (?:for|on|of) )?${OF_A_WORK}${WORK}\b`,
  'iu',
);
const READING =
  /^(.{1,60}?) (?:is|has (?:also |just )?been) (?:also |now |still |currently |really |just )*reading ((?:"|“|an?\b|the\b).{2,250})$/i;
const PLAYING =
  /^(.{1,60}?) (?:is|has (?:also |just )?been) (?:also |now |still |currently |really |just )*playing ((?:an?|the|this) [^.;]{0,80}?\b(?:game|rpg|series)\b.{0,120})$/i;
const PROJECT =
  /^(.{1,60}?) (?:is|has (?:also |just )?been) (?:also |now |still |currently )*working on (an? (?:new )?project\b.{0,200})$/i;

const rulesFor = (month: string): readonly SlotRule[] => [
  [PLANNED_EVENT, (who = '', what = '') => event(who, what, 'planned', month)],
  [DONE_EVENT, (who = '', what = '') => event(who, what, 'done', month)],
  [PUT_OFF, (who = '', what = '') => event(who, what, 'postponed', '')],
  [WENT, (who = '', what = '') => event(who, what, 'done', month)],
  [TO_VOLUNTEER, (who = '') => event(who, 'volunteering', 'planned', month)],
  [VOLUNTEERED, (who = '') => event(who, 'volunteering', 'done', month)],
  [WORK_DONE, (who = '', what = '') => work(who, what, 'done')],
  [WORK_BEGUN, (who = '', what = '') => work(who, what, 'planned')],
  [READING, (who = '', what = '') => current(who, 'reading', what)],
  [PLAYING, (who = '', what = '') => current(who, 'game', what)],
  [PROJECT, (who = '', what = '') => current(who, 'project', what)],
];
