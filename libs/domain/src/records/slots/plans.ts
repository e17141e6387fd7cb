import { firstClause, normal, slot, type Slot, type SlotRule, valued } from './slot-text.js';

/** Forms of verbs that people use for plans and later for their outcome: base, past, "-ing". */
const VERBS = (
  'start/started/starting open/opened/opening buy/bought/buying adopt/adopted/adopting join/joined/joining finish/finished/finishing publish/published/publishing ' +
  'write/wrote/writing launch/launched/launching host/hosted/hosting organize/organized/organizing visit/visited/visiting take/took/taking run/ran/running build/built/building ' +
  'sell/sold/selling hire/hired/hiring paint/painted/painting apply/applied/applying create/created/creating make/made/making get/got/getting try/tried/trying ' +
  'attend/attended/attending sign/signed/signing learn/learned/learning record/recorded/recording submit/submitted/submitting see/saw/seeing watch/watched/watching read/read/reading ' +
  'design/designed/designing film/filmed/filming knit/knitted/knitting sew/sewed/sewing renovate/renovated/renovating restore/restored/restoring plant/planted/planting ' +
  'cook/cooked/cooking bake/baked/baking repair/repaired/repairing fix/fixed/fixing donate/donated/donating climb/climbed/climbing hike/hiked/hiking meet/met/meeting ' +
  'enter/entered/entering foster/fostered/fostering release/released/releasing install/installed/installing replace/replaced/replacing perform/performed/performing ' +
  'present/presented/presenting quit/quit/quitting celebrate/celebrated/celebrating enroll/enrolled/enrolling'
)
  .split(' ')
  .map((forms) => forms.split('/') as [string, string, string]);
const BASE = new Map(
  VERBS.flatMap(([base, past, gerund]) => [base, past, gerund].map((form) => [form, base] as const)),
);
BASE.set('gotten', 'get');
BASE.set('learnt', 'learn');
for (const [british, american] of [
  ['organise', 'organize'],
  ['organised', 'organize'],
  ['organising', 'organize'],
  ['enrol', 'enroll'],
] as const)
  BASE.set(british, american);
const BASES = [...VERBS.map(([base]) => base), 'organise', 'enrol'].join('|');
const PASTS = [...VERBS.map(([, past]) => past), 'gotten', 'learnt', 'organised'].join('|');
const GERUNDS = [...VERBS.map(([, , gerund]) => gerund), 'organising'].join('|');

/** Verbs that differ between a plan and its outcome. */
const SAME_DEED: Readonly<Record<string, string>> = {
  open: 'start',
  launch: 'start',
  buy: 'get',
  ...Object.fromEntries(
    'write make build create design film record knit sew paint renovate restore'
      .split(' ')
      .map((verb) => [verb, 'finish']),
  ),
};

const goal = (verb: string, object: string): string => {
  const said = BASE.get(verb.toLowerCase()) ?? '';
  const thing = said === 'learn' ? object.replace(/^(?:how )?to (?:play |speak )?/i, '') : object;
  const head = normal(
    firstClause(thing).split(
      / (?:at|in|on|from|about|by|near|over|during|to|last|next|this|yesterday|today|tomorrow|(?<!\b(?:couple|lots?|plenty|pair|set|bunch|group|piece|series|number|loads) )of) /i,
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
  const forWhom = /^[^,;]{1,80}? for (\p{Lu}[\p{L}-]*)/u.exec(thing)?.[1]?.toLowerCase();
  const inner = said === 'finish' ? BASE.get(head[0] ?? '') : undefined;
  const what = inner === undefined ? head : head.slice(1);
  const base = SAME_DEED[inner ?? said] ?? inner ?? said;
  // The kind identifies a business: "a dance studio" is the studio of later statements. An endorsement deal is one.
  const kind = what.at(-1) ?? '';
  if (base === 'start' && BUSINESS.test(kind)) return `start ${kind}`;
  // "signed up for a pottery class", "started a pottery class".
  if (COURSE.test(kind) && what.length > 1) return TO_ATTEND.test(said) ? `take ${what.slice(-2).join(' ')}` : '';
  if (/^(?:get|adopt)$/.test(base) && PET.has(kind)) return `adopt ${PET.get(kind) ?? ''}`;
  if (base === 'get' && what.length > 1 && /^(?:deal|offer|contract|sponsorship)s?$/.test(kind)) what.pop();
  if (base === 'get') what.push((what.pop() ?? '').replace(/(?<=[^s])s$/, ''));
  return what.length === 0 || what.length > 4
    ? ''
    : `${base} ${what.join(' ')}${forWhom === undefined ? '' : ` for ${forWhom}`}`;
};
const BUSINESS =
  /^(?:studio|shop|store|boutique|restaurant|caf[eé]|bakery|company|business|gym|practice|clinic|salon|brand|channel|blog|podcast|agency|bar|farm)$/;
const COURSE = /^(?:class|course|lesson|lessons|classes|courses)$/;
const TO_ATTEND = /^(?:take|start|join|attend|finish|enroll|get)$/;
const PET: ReadonlyMap<string, string> = new Map(
  'dog/dog puppy/dog pup/dog cat/cat kitten/cat kitty/cat rabbit/rabbit turtle/turtle hamster/hamster parrot/parrot'
    .split(' ')
    .map((pair) => pair.split('/') as [string, string]),
);
const plan = (who: string, what: string, state: 'planned' | 'begun' | 'done' | 'cancelled'): Slot | null =>
  what === '' ? null : slot(who, `plan: ${what}`, state);

/** "Their love of baking" and "the baking hobby" are one passion; another one is told apart by the value. */
const turned = (who: string, thing: string, what: string, state: 'planned' | 'begun' | 'done'): Slot | null => {
  const words = normal(thing).split(' ');
  const isPassion = PASSION.test(thing);
  const filled = plan(who, `turn ${isPassion ? 'passion' : (words.at(-1) ?? '')} into ${normal(what)}`, state);
  const named = words.filter(
    (word) => isPassion && !PASSION.test(word) && !/^(?:their|his|her|the|for|of)$/.test(word),
  );
  return valued(filled, ...named.map((word) => word.replace(/(?<=\p{L}{3})(?:ing|es|e|s)$/u, '')));
};
const PASSION = /\b(?:passions?|loves?|hobby|hobbies)\b/i;

const PREMISES = '(?:place|spot|space|location|venue|building|property|premises)';
const SKILLS =
  /^(?:piano|guitar|violin|cello|drums|flute|trumpet|saxophone|clarinet|ukulele|bass|harp|chess|poker|\p{L}{4,}(?:ese|ish|ian|ench|erman|utch|eek|bic|ic))$/u;
/** "Is making pottery" is an occupation, which one pot does not end. */
const ONE_THING = '(?:an?|the|their|his|her|another|this)';
const PLACE = String.raw`((?:the )?\p{Lu}[\p{L}'’-]*(?: \p{Lu}[\p{L}'’-]*){0,2})`;
const LEAD = '(?:has |have |just |finally |recently |already |also |really |both ){0,4}';

/** "Now runs their own bakery": it has opened. Loving the work may be said before that. */
export const OWN_BUSINESS: readonly SlotRule[] = [
  [
    /^(.{1,60}?) (?:now |finally |is living (?:their|his|her) dream (?:by|of) )*(?:has|owns?|owning|having|runs?|running|is running) (?:their|his|her) own (.{1,250})$/i,
    (who = '', what = '') => {
      const started = goal('start', what);
      return BUSINESS.test(started.slice('start '.length)) ? plan(who, started, 'done') : null;
    },
  ],
];

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
      String.raw`^(.{1,60}?) (?:(?:plans|wants|hopes|would love|would like|is (?:planning|going|hoping|excited|about)) to|is (?:planning on|thinking (?:of|about)|looking forward to) (?:visiting|going to|travell?ing to)|will|is planning a trip to|has booked a trip to|is going on a trip to) (?:visit |go to |travel to |fly to |tour )?${PLACE}`,
      'u',
    ),
    (who = '', where = '') => plan(who, `trip to ${normal(where)}`, 'planned'),
  ],
  [
    new RegExp(
      String.raw`^(.{1,60}?) ${LEAD}(?:went|flew|travell?ed|drove|visited|been(?= (?:back )?to)|returned from|got back from|came back from|toured|arrived in|landed in|is back from|took an? (?:[\p{L}-]+ ){0,2}trip(?= to)|spent (?:(?:an?|the|their|some|two|three|four|five|six|ten|few|couple|of|last|past|whole|long|great|lovely|\d+) ){1,4}(?:days?|nights?|weeks?|weekends?|holidays?|vacation|honeymoon) in)(?: (?:on |from )?(?:an?|their) (?:[\p{L}-]+ ){0,2}trip| back)?(?: to)? ${PLACE}`,
      'u',
    ),
    (who = '', where = '') => plan(who, `trip to ${normal(where)}`, 'done'),
  ],
  [
    new RegExp(
      String.raw`^(.{1,60}?) (?:hasn['’]t|haven['’]t|has not|has never|have never)(?: yet| ever)? been to ${PLACE}`,
      'u',
    ),
    (who = '', where = '') => plan(who, `trip to ${normal(where)}`, 'planned'),
  ],
  [
    new RegExp(
      String.raw`^(.{1,60}?) (?:hasn['’]t|haven['’]t|has not|has never|have never)(?: yet| ever)? (${PASTS}) (.{1,250}?)(?: yet| before)?$`,
      'i',
    ),
    (who = '', verb = '', what = '') => plan(who, goal(verb, what), 'planned'),
  ],
  [
    new RegExp(
      String.raw`^(.{1,60}?) (?:plans to|is planning to|is going to|wants to|hopes to|is hoping to|will|would love to|would like to|is trying to|is looking to|is aiming to|is about to|is ready to|is set to|is keen to|is eager to|intends to|decided to|needs to|has to|is excited to) ${LEAD}(${BASES}) (.{1,250})$`,
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
    /^(.{1,60}?) (?:is |plans to |wants to |hopes to )(?:also |now |still |currently |finally |aiming to |trying to |planning to |hoping to )*(turn|turned|turning) (.{2,60}?) into (an? .{1,60})$/i,
    (who = '', verb = '', thing = '', what = '') => turned(who, thing, what, verb === 'turn' ? 'planned' : 'begun'),
  ],
  [
    /^(.{1,60}?) (?:has |just |finally |successfully )*turned (.{2,60}?) into (an? .{1,60})$/i,
    (who = '', thing = '', what = '') => turned(who, thing, what, 'done'),
  ],
  [
    new RegExp(
      String.raw`^(.{1,60}?) (?:(?:is|has been) (?:also |now |still |currently ){0,4}(?:(?:looking|searching|hunting) for|on the (?:hunt|lookout) for)|(?:has |just |finally |even ){0,3}found) (?:an? |the )(?:[\p{L}-]+ ){0,2}?${PREMISES} (?:to (?:open|start|launch|run|set up|host)|for) (.{1,250})$`,
      'iu',
    ),
    (who = '', what = '') => {
      const started = goal('start', what);
      return BUSINESS.test(started.slice('start '.length)) ? plan(who, started, 'planned') : null;
    },
  ],
  [
    new RegExp(
      String.raw`^(.{1,60}?) (?:is|has been) (?:also |now |still |currently ){0,4}(?:(?:looking|searching|hunting|hoping|saving|saving up) for|looking into|on the (?:hunt|lookout) for) (?:an? |the |their )?(.{1,250})$`,
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
      String.raw`^(.{1,60}?) (?:is|has been) (?:also |now |still |currently ){0,4}(?:working on (?=(?:${GERUNDS}|${ONE_THING}) )|(?:writing|making|building|finishing|finishing up|designing|filming|recording|knitting|sewing|painting|renovating|restoring) (?=${ONE_THING} ))(.{1,250})$`,
      'i',
    ),
    (who = '', what = '') => {
      const finished = goal('finish', what);
      // Designing a course is not taking it.
      return finished.startsWith('take ') ? null : plan(who, finished, 'begun');
    },
  ],
  [
    /^(.{1,60}?)(?: (?:has |just |recently |also )*(?:signed up|enrolled|registered) (?:for|in)|['’]s .{1,40}? invited (?:them|him|her) to) (.{1,250})$/i,
    (who = '', what = '') => {
      const course = goal('take', what);
      return COURSE.test(course.split(' ').at(-1) ?? '') ? plan(who, course, 'planned') : null;
    },
  ],
  [
    /^(.{1,60}?) (?:is|has been|has started|just started|started) (?:also |now |still |currently |just )*learning (.{1,250})$/i,
    (who = '', what = '') => plan(who, goal('learn', what), 'begun'),
  ],
  [
    /^(.{1,60}?) (?:now |can now |can |already )*(?:plays?|speaks?) (.{1,40}?)(?: fluently| well| now){0,2}$/i,
    (who = '', what = '') => (SKILLS.test(normal(what)) ? plan(who, `learn ${normal(what)}`, 'done') : null),
  ],
  [
    /^(.{1,60}?) (?:is|has been) (?:also |now |still |currently )*taking (an? .{1,250})$/i,
    (who = '', what = '') => {
      const course = goal('take', what);
      return COURSE.test(course.split(' ').at(-1) ?? '') ? plan(who, course, 'begun') : null;
    },
  ],
  [
    new RegExp(String.raw`^(.{1,60}?) ${LEAD}(${PASTS}) (.{1,250})$`, 'i'),
    (who = '', verb = '', what = '') => plan(who, goal(verb, what), 'done'),
  ],
];
