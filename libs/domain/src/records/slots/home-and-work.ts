import { denied, slot, type Slot, type SlotRule, valued } from './slot-text.js';

export const NO_JOB = 'none';
/** The end of a job is an event, which stays true after the next job; being out of work is not. */
export const JOB_ENDED = `${NO_JOB} since then`;
const lostJob = (who: string) => valued(slot(who, 'employer', NO_JOB), 'since then');

/** A new flat or a desk is not a town, and a temporary stay is not a home. */
const NO_TOWN =
  /^(?:an?|my|their|his|her|our|new|bigger|smaller|another|different|this|that|one|own|live|be|being|work|town|city|country|house|apartment|flat|place|room|area|neighbou?rhood|the (?:city|suburbs|country|countryside|house|beach|mountains))\b/i;
const TEMPORARY =
  /\b(?:for (?:a|an|the|two|three|four|five|six|\d+|now)\b|until|till|this (?:week|month|summer|winter|spring|fall|autumn)|temporarily|at (?:the )?moment|with (?:their|his|her))\b/i;
const town = (who: string, where: string) =>
  NO_TOWN.test(where.trim()) || TEMPORARY.test(where) ? null : slot(who, 'home', where.split(/,| since /i)[0] ?? '');

const NO_EMPLOYER =
  /^(?:night|nights|home|weekends?|day|days|noon|six|seven|eight|nine|ten|\d|it|that|this|least|once|times|a (?:while|living|few|long)|free|myself|themself|themselves|the (?:moment|weekend|same|time)|two|three|all|hours?|peace|change|justice)\b/i;
const employer = (who: string, where: string) =>
  NO_EMPLOYER.test(where.trim()) || TEMPORARY.test(where) ? null : slot(who, 'employer', where);

const JOBS =
  'nurse|doctor|teacher|lawyer|engineer|software engineer|plumber|electrician|carpenter|accountant|banker|waiter|waitress|bartender|barista|chef|cook|cashier|pilot|driver|truck driver|taxi driver|mechanic|firefighter|police officer|paramedic|midwife|dentist|pharmacist|vet|veterinarian|architect|designer|graphic designer|web developer|developer|programmer|journalist|reporter|editor|librarian|secretary|receptionist|salesperson|farmer|gardener|hairdresser|barber|baker|butcher|tailor|translator|interpreter|scientist|researcher|professor|psychologist|therapist|counselor|social worker|consultant|analyst|manager|project manager|product manager|postman|cleaner|builder|surgeon|flight attendant|soldier|judge|economist|biologist|chemist|physicist';

const PLAN_LEAD = '(?:also |now |still |currently |finally |just )*';
/** Moves and jobs that someone is planning or looking for. They end with the move or a new job. */
export const PLANNED_HOME_AND_WORK: readonly SlotRule[] = [
  [
    new RegExp(
      String.raw`^(.{1,60}?) (?:is ${PLAN_LEAD}(?:moving|relocating|planning to (?:move|relocate)|hoping to (?:move|relocate)|thinking (?:of|about) (?:moving|relocating)|going to move)|(?:wants|hopes|plans|intends|is about) to (?:move|relocate)|will (?:move|relocate)) (?:away |back |over )?(?:from \p{Lu}[\p{L}'’ -]{1,30} )?to (\p{Lu}[\p{L}'’-]*(?: \p{Lu}[\p{L}'’-]*){0,2})`,
      'u',
    ),
    (who = '', where = '') => planned(town(who, where)),
  ],
  [
    new RegExp(
      String.raw`^(.{1,60}?) (?:is|has been) ${PLAN_LEAD}(?:(?:looking|searching|hunting|applying) for (?:an? )?(?:new |another |better |(part[- ]time |full[- ]time |summer ))?(?:job|work)|job[- ]hunting)\b(?=$|[,;]| (?:now|at|in|as|again|since|because|and)\b)`,
      'i',
    ),
    (who = '', kind = '') => planned(slot(who, 'employer', `${kind}job`)),
  ],
];
const planned = (filled: Slot | null): Slot | null =>
  filled === null ? null : { ...filled, value: `planned ${filled.value}` };

export const HOME_AND_WORK: readonly SlotRule[] = [
  [
    /^(.{1,60}?) (?:no longer lives|does not live|doesn't live|do not live|stopped living) in (.{1,250})$/i,
    (who = '', where = '') => denied(who, 'home', where),
  ],
  [
    /^(.{1,60}?) (?:still |now |currently ){0,4}(?:lives?|resides?|is living|is based|has been living|has lived|have lived) (?:now )?in (.{1,250})$/i,
    (who = '', where = '') => town(who, where),
  ],
  [
    /^(.{1,60}?) (?:has |have |just |recently |finally ){0,4}(?:moved|relocated)(?: (?:away|back|over))?(?: from [^,;]{1,60}?)? to ([^]+)/i,
    (who = '', where = '') => town(who, where),
  ],
  [
    /^(.{1,60}?) (?:no longer works|does not work|doesn't work|stopped working) (?:for|at) (.{1,250})$/i,
    (who = '', where = '') => denied(who, 'employer', where),
  ],
  [
    /^(.{1,60}?) (?:has |have |just |recently |also ){0,4}lost (?:their|his|her) (?:job|position)(?= (?:at|with|in|because|due|last|this)\b|$|[,;])/i,
    (who = '') => lostJob(who),
  ],
  [
    /^(.{1,60}?) (?:has |have |just |recently |finally |really |also ){0,4}(?:got|found|landed|started|accepted|took|is (?:really |still )?enjoying|enjoys|loves|has)(?: a| an| their| his| her)? ((?:new|temp|temporary|part[- ]time|full[- ]time|second|summer) job)(?=$|[,;]| (?:to|at|in|as|with|for|because|while)\b)/i,
    (who = '', what = '') => slot(who, 'employer', what),
  ],
  [
    /^(.{1,60}?) (?:has |have |just |recently |finally ){0,4}(?:quit|left|resigned from|lost) (?:their |his |her |the |a )?(?:job|position|post) (?:at|with) (.{1,250})$/i,
    (who = '', where = '') => denied(who, 'employer', where),
  ],
  [
    /^(.{1,60}?) (?:has |have |just |recently |finally ){0,4}(?:quit|left|resigned from|lost) (?:their|his|her|the) (?:old |current )?(?:job|position)(?: as [^,;]{1,60})?(?=$|[,;])/i,
    (who = '') => lostJob(who),
  ],
  [
    /^(.{1,60}?) (?:has |have |just |recently |finally ){0,4}(?:quit|left|resigned from|lost) (?:their|his|her|the) ((?:temp|temporary|part[- ]time|second|summer) job)\b/i,
    (who = '', what = '') => denied(who, 'employer', what),
  ],
  [/^(.{1,60}?) (?:is|was|got) (?:laid off|fired|let go)\b/i, (who = '') => lostJob(who)],
  [
    /^(.{1,60}?) (?:is|was|got) (?:unemployed|between jobs|out of work|retired)\b/i,
    (who = '') => slot(who, 'employer', NO_JOB),
  ],
  [
    /^(.{1,60}?) (?:still |now |currently ){0,4}(?:works?|is working|has been working) (?:for|at) (.{1,250})$/i,
    (who = '', where = '') => employer(who, where),
  ],
  [
    /^(.{1,60}?) (?:has |have |just |recently ){0,4}(?:started|began) (?:a (?:new )?job |working |work |to work )?(?:at|with|for) (.{1,250})$/i,
    (who = '', where = '') => employer(who, where),
  ],
  [
    new RegExp(
      String.raw`^(.{1,60}?) (?:still |now |currently ){0,4}(?:is|works? as|is working as|became|started working as|got a job as) (?:now )?an? (${JOBS})(?=$|[,;]| (?:now|at|in|for|and|by)\b)`,
      'i',
    ),
    (who = '', what = '') => slot(who, 'job', what),
  ],
  [
    new RegExp(
      String.raw`^(.{1,60}?) (?:is not|isn't|is no longer|no longer works as|quit working as) an? (${JOBS})(?=$|[,;]| any ?more)`,
      'i',
    ),
    (who = '', what = '') => denied(who, 'job', what),
  ],
];
