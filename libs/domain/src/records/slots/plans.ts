import { firstClause, normal, slot, type Slot, type SlotRule } from './slot-text.js';

/** Forms of verbs that people use for plans and later for their outcome: base, past, "-ing". */
const VERBS = (
  'start/started/starting open/opened/opening buy/bought/buying adopt/adopted/adopting join/joined/joining finish/finished/finishing publish/published/publishing ' +
  'write/wrote/writing launch/launched/launching host/hosted/hosting organize/organized/organizing visit/visited/visiting take/took/taking run/ran/running build/built/building ' +
  'sell/sold/selling hire/hired/hiring paint/painted/painting apply/applied/applying create/created/creating make/made/making get/got/getting try/tried/trying ' +
  'attend/attended/attending sign/signed/signing learn/learned/learning record/recorded/recording submit/submitted/submitting see/saw/seeing watch/watched/watching read/read/reading'
)
  .split(' ')
  .map((forms) => forms.split('/') as [string, string, string]);
const BASE = new Map(
  VERBS.flatMap(([base, past, gerund]) => [base, past, gerund].map((form) => [form, base] as const)),
);
BASE.set('gotten', 'get');
const BASES = VERBS.map(([base]) => base).join('|');
const PASTS = [...VERBS.map(([, past]) => past), 'gotten'].join('|');
const GERUNDS = VERBS.map(([, , gerund]) => gerund).join('|');

/** Verbs that differ between a plan and its outcome. */
const SAME_DEED: Readonly<Record<string, string>> = {
  open: 'start',
  launch: 'start',
  buy: 'get',

  write: 'finish',
};

const goal = (verb: string, object: string): string => {
  const said = BASE.get(verb.toLowerCase()) ?? '';
  const head = normal(
    firstClause(object).split(
      / (?:at|in|on|from|about|by|near|over|during|to|last|next|this|yesterday|today|tomorrow) /i,
    )[0] ?? '',
  )
    .split(' ')
    .filter(
      (word) =>
        !/^(?:my|their|his|her|our|own|new|first|second|another|up|out|some|few|more|little|small|big|great|cool|amazing|more|couple|of|local|really|finally|for|own)$/.test(
          word,
        ),
    );
  // "working on opening a studio" is done when the studio has opened.
  const inner = said === 'finish' ? BASE.get(head[0] ?? '') : undefined;
  const what = inner === undefined ? head : head.slice(1);
  const base = SAME_DEED[inner ?? said] ?? inner ?? said;
  // The kind identifies a business: "a dance studio" is the studio of later statements. An endorsement deal is one.
  const kind = what.at(-1) ?? '';
  if (base === 'start' && BUSINESS.test(kind)) return `start ${kind}`;
  if (base === 'get' && what.length > 1 && /^(?:deal|offer|contract|sponsorship)s?$/.test(kind)) what.pop();
  if (base === 'get') what.push((what.pop() ?? '').replace(/(?<=[^s])s$/, ''));
  return what.length === 0 || what.length > 4 ? '' : `${base} ${what.join(' ')}`;
};
const BUSINESS =
  /^(?:studio|shop|store|boutique|restaurant|caf[eé]|bakery|company|business|gym|practice|clinic|salon|brand|channel|blog|podcast|agency|bar|farm)$/;
const plan = (who: string, what: string, state: 'planned' | 'done' | 'cancelled'): Slot | null =>
  what === '' ? null : slot(who, `plan: ${what}`, state);

const PLACE = String.raw`((?:the )?\p{Lu}[\p{L}'’-]*(?: \p{Lu}[\p{L}'’-]*){0,2})`;
const LEAD = '(?:has |have |just |finally |recently |already |also |really |both ){0,4}';

/**
 * Trips and undertakings: a plan is replaced by its outcome. A completed action stays true, whatever is planned later.
 */
export const PLANS: readonly SlotRule[] = [
  [
    new RegExp(
      String.raw`^(.{1,60}?) ${LEAD}cancell?ed (?:their |his |her |the |a )?(?:trip|flight|visit|holiday|vacation|plans?|journey) to ${PLACE}`,
      'u',
    ),
    (who = '', where = '') => plan(who, `trip to ${normal(where)}`, 'cancelled'),
  ],
  [
    new RegExp(
      String.raw`^(.{1,60}?) is ${LEAD}(?:going|flying|travell?ing|driving|heading)(?: on a trip| back)? to ${PLACE}`,
      'u',
    ),
    (who = '', where = '') => plan(who, `trip to ${normal(where)}`, 'planned'),
  ],
  [
    new RegExp(
      String.raw`^(.{1,60}?) (?:plans to|is planning to|is planning on|is going to|wants to|hopes to|is hoping to|will|is planning a trip to|has booked a trip to|is going on a trip to) (?:visit |go to |travel to |fly to |tour )?${PLACE}`,
      'u',
    ),
    (who = '', where = '') => plan(who, `trip to ${normal(where)}`, 'planned'),
  ],
  [
    new RegExp(
      String.raw`^(.{1,60}?) ${LEAD}(?:went|flew|travell?ed|drove|visited|been(?= (?:back )?to)|returned from|got back from|came back from|toured)(?: on a trip| back)?(?: to)? ${PLACE}`,
      'u',
    ),
    (who = '', where = '') => plan(who, `trip to ${normal(where)}`, 'done'),
  ],
  [
    new RegExp(
      String.raw`^(.{1,60}?) (?:plans to|is planning to|is going to|wants to|hopes to|is hoping to|will|would love to|would like to|is trying to|is looking to|is about to|needs to|has to|is excited to) ${LEAD}(${BASES}) (.{1,250})$`,
      'i',
    ),
    (who = '', verb = '', what = '') => plan(who, goal(verb, what), 'planned'),
  ],
  [
    new RegExp(
      String.raw`^(.{1,60}?) is (?:also |now |still )?(?:thinking (?:of|about)|considering|planning on|looking into|looking forward to) (${GERUNDS}) (.{1,250})$`,
      'i',
    ),
    (who = '', verb = '', what = '') => plan(who, goal(verb, what), 'planned'),
  ],
  [
    /^(.{1,60}?) is (?:also |now |still |currently |finally )*(?:about to )?(?:starting|opening|launching|setting up) ((?:an?|their|his|her) .{1,250})$/i,
    (who = '', what = '') => plan(who, goal('start', what), 'planned'),
  ],
  [
    /^(.{1,60}?) (?:now |finally |is living (?:their|his|her) dream (?:by|of) )*(?:has|owns?|owning|having|runs?|running|is running) (?:their|his|her) own (.{1,250})$/i,
    (who = '', what = '') => {
      const started = goal('start', what);
      return BUSINESS.test(started.slice('start '.length)) ? plan(who, started, 'done') : null;
    },
  ],
  [
    new RegExp(
      String.raw`^(.{1,60}?) is (?:also |now |still |currently ){0,4}(?:(?:looking|searching|hunting|hoping) for|looking into|on the (?:hunt|lookout) for) (?:an? |the |their )?(.{1,250})$`,
      'i',
    ),
    (who = '', what = '') => plan(who, goal('get', what), 'planned'),
  ],
  [
    new RegExp(String.raw`^(.{1,60}?) ${LEAD}found (?:an? |the |their )(.{1,250})$`, 'i'),
    (who = '', what = '') => plan(who, goal('get', what), 'done'),
  ],
  [
    new RegExp(String.raw`^(.{1,60}?) ${LEAD}cancell?ed (?:their |his |her |the |a )?(.{1,250})$`, 'i'),
    (who = '', what = '') => plan(who, normal(firstClause(what)), 'cancelled'),
  ],
  [
    new RegExp(
      String.raw`^(.{1,60}?) (?:is|has been) (?:also |now |still |currently ){0,4}(?:working on|writing|making|building|finishing|finishing up) (.{1,250})$`,
      'i',
    ),
    (who = '', what = '') => plan(who, goal('finish', what), 'planned'),
  ],
  [
    new RegExp(String.raw`^(.{1,60}?) ${LEAD}(${PASTS}) (.{1,250})$`, 'i'),
    (who = '', verb = '', what = '') => plan(who, goal(verb, what), 'done'),
  ],
];
