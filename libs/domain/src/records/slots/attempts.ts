import { normal, slot, type Slot, type SlotRule, valued } from './slot-text.js';
import { NO_NOUN, whichIn } from './which.js';

/** What a person applies for. The kind identifies the attempt: "a design internship" is answered by "the internship". */
const KIND =
  '(internship|apprenticeship|scholarship|fellowship|residency|grant|loan|mortgage|visa|college|university|adoption agency|adoption agencies|job|program|course)';
const OF_A_KIND = String.raw`(?:(?:an?|the|their|his|her|some|several) )?(?:(?!for |with |from )[\p{L}-]+ ){0,3}?${KIND}${NO_NOUN}`;
const NAME = String.raw`(\p{Lu}[\p{L}\p{N}&'’-]*(?: \p{Lu}[\p{L}\p{N}&'’-]*)?)`;
/** One name: "brands like Orchid and Maple" are not decided by a deal with one of them. */
const ONE_NAME = String.raw`${NAME}(?![\p{L}\p{N}&'’-]| (?:and|or|&) |, \p{Lu})`;
const TEST = String.raw`(?:[\p{L}-]+ ){0,3}?([\p{L}-]+ test)\b`;
const LEAD = '(?:has |have |just |finally |recently |already |also |currently |still |really ){0,4}';

const attempt = (who: string, what: string, state: 'open' | 'planned' | 'done'): Slot | null =>
  slot(who, `plan: ${normal(what).replace(/ies$/, 'y')}`, state);

const rule = (pattern: string, state: 'planned' | 'done', what = (named: string) => named): SlotRule => [
  new RegExp(`^(.{1,60}?) ${LEAD}${pattern}`, 'u'),
  (who = '', named = '') => attempt(who, what(named), state),
];
/** An attempt can say which one it is: a job at Maple is not the one at Orchid, nor a law course one in design. */
const ruleAt = (pattern: string, state: 'open' | 'planned' | 'done'): SlotRule => [
  new RegExp(String.raw`^(.{1,60}?) ${LEAD}(${pattern})(?:[^,;.]{0,40}? (?:at|with|from) ${NAME})?`, 'u'),
  (who = '', phrase = '', named = '', place = '') => {
    const at = place === '' ? '' : `at ${normal(place)}`;
    return valued(attempt(who, named, state), whichIn(phrase, named, who), at);
  },
];
const deal = (name: string): string => `deal with ${name}`;
const pass = (test: string): string => `pass ${test}`;

const BODY =
  '(ankle|knee|wrist|arm|leg|foot|hand|finger|toe|back|shoulder|elbow|hip|neck|rib|hamstring|collarbone|nose|jaw|eye)s?';
const DEVICE =
  '(car|bike|bicycle|van|truck|laptop|computer|phone|tablet|camera|washing machine|dishwasher|fridge|oven|boiler|heating|roof|printer|tv|guitar|piano)';
const recover = (part: string): string => `recover from injured ${part.toLowerCase()}`;
const repair = (device: string): string => `repair ${device.toLowerCase()}`;
const ADVISERS =
  'leaders|boss|manager|landlord|landlady|lawyer|accountant|doctor|therapist|counselor|counsellor|advisor|adviser|teacher|principal|professor|coach|agent|publisher|banker|bank|investors|insurance|council|mayor|vet|dentist|surgeon|recruiter|broker|realtor|architect|contractor';
const talk = (adviser: string): string => `talk to ${adviser}`;
const BABY = 'have baby';
const OF_A_BABY =
  '(?:(?:new|newborn|little|tiny|sweet|cute|adorable|healthy|happy|beautiful|lovely|wonderful|perfect|precious|first|second|third|fourth|baby) ){0,3}';

/**
 * What stays open until it is decided or fixed: applications, negotiations, failed tests, talks, candidacies,
 * pregnancies, injuries and broken things.
 */
export const ATTEMPTS: readonly SlotRule[] = [
  // People look for jobs repeatedly; a school or a loan is chosen before applying. "For the car" may be another loan.
  ruleAt(
    String.raw`(?:is|has been) ${LEAD}(?:researching|comparing|looking into|looking at|thinking (?:of|about) applying (?:for|to)|considering applying (?:for|to)|planning to apply (?:for|to)) ${OF_A_KIND.replace('|job|', '|')}(?!.* for )`,
    'open',
  ),
  ruleAt(
    String.raw`(?:(?:is )?appl(?:ied|ying) (?:for|to)|(?:had|has|has got) an? (?:[\p{L}-]+ )?interview (?:for|at|with)|is (?:interviewing (?:for|at|with)|waiting to hear (?:back )?(?:from|about))) ${OF_A_KIND}`,
    'planned',
  ),
  ruleAt(
    String.raw`(?:(?:got|gotten|was|were|is|been) (?:accepted|admitted|hired|selected|chosen|approved|rejected|turned down|denied) (?:for|to|into|by|from)|got (?:an? (?:no|yes|offer|rejection|acceptance) (?:for|from)|into)|is (?:finally |now )?in) ${OF_A_KIND}`,
    'done',
  ),
  ruleAt(String.raw`passed ${OF_A_KIND}`, 'done'),
  rule(
    String.raw`is ${LEAD}(?:talking to|negotiating with|in (?:talks|discussions|negotiations) with|(?:considering|negotiating|discussing) an? (?:[\p{L}-]+ ){0,2}deal with|considering (?:[\p{L}-]+ ){0,2}(?:brands|companies|sponsors|publishers|labels|clubs|teams|agencies) (?:like|such as)) ${ONE_NAME}`,
    'planned',
    deal,
  ),
  rule(
    String.raw`(?:signed(?: up)?(?: with)?|partnered with|teamed up with|(?:got|closed|signed|made|landed) an? (?:[\p{L}-]+ ){0,2}deal with) ${NAME}`,
    'done',
    deal,
  ),
  [
    new RegExp(
      String.raw`^(?:(?:[Ee]specially )?(?:[Aa]fter|[Ss]ince|[Bb]ecause|[Ww]hen) )?(\p{Lu}.{0,60}?) ${LEAD}(?:failed|flunked|did not pass|didn't pass) ${TEST}`,
      'u',
    ),
    (who = '', test = '') => attempt(who, pass(test), 'planned'),
  ],
  rule(String.raw`(?:passed|aced|cleared) ${TEST}`, 'done', pass),
  rule(
    String.raw`retook ${TEST} with (?:[\p{L}-]+ ){0,3}?(?:good|great|better|positive|excellent|amazing) `,
    'done',
    pass,
  ),
  rule(
    String.raw`(?:is ${LEAD}(?:going|planning|hoping|about) to|will|plans to|wants to|hopes to|needs to|has an?) (?:talk|chat|speak|meet|meeting|appointment) (?:to|with) (?:(?:an?|the|their|some) )?(?:(?!and )[\p{L}-]+ ){0,2}?(${ADVISERS})\b`,
    'planned',
    talk,
  ),
  rule(
    String.raw`(?:(?:has been|is|was) (?:[^,;.]{0,40}, )?(?:talking|chatting|speaking|meeting)|talked|chatted|spoke|met) (?:to|with) (?:(?:an?|the|their|some) )?(?:(?!and )[\p{L}-]+ ){0,2}?(${ADVISERS})\b`,
    'done',
    talk,
  ),
  rule(
    String.raw`(?:(?:is|are) ${LEAD}(expecting)(?: again| twins| (?:an?|their|our) [^,;]{0,30}(?:baby|child|boy|girl|son|daughter))?(?=$|[,; ]{1,2}(?:in|due|and|next|this|$))|(?:is|are|got) ${LEAD}(pregnant))\b`,
    'planned',
    () => BABY,
  ),
  rule(
    String.raw`(?:(?:had (?:(?:an?|their) )?${OF_A_BABY}(?:baby|twins)|(?:welcomed|gave birth to) (?:(?:an?|their) )?${OF_A_BABY}(?:baby|child|boy|girl|son|daughter|twins))(?=$|[,;]| (?:boy|girl|son|daughter|today|yesterday|last|this|named|called|on|at|and)\b)|gave birth(?=$|[,;]| (?:today|yesterday|last|on|at)\b))`,
    'done',
    () => BABY,
  ),
  rule(
    String.raw`(?:(?:is|has been) ${LEAD}(?:studying|preparing|practicing|practising) for) ${TEST}`,
    'planned',
    pass,
  ),
  ruleAt(String.raw`(?:has|had) an? (job) interview\b`, 'planned'),
  ruleAt(String.raw`(?:got|landed) the (?:[\p{L}-]+ )?(job|internship|scholarship|grant|loan|visa)\b(?! done)`, 'done'),
  rule(
    String.raw`(?:is an? (?:(?!former |past |ex-)[\p{L}-]+ )?student(?=$|[,;]| (?:at|in|and|now|who|studying)\b)|will graduate\b|is graduating\b)`,
    'planned',
    () => 'graduate',
  ),
  // A school or a year may be those of an earlier graduation.
  rule(
    String.raw`graduated(?=$|[,;]| (?:today|yesterday|last (?:week|month|\p{L}+day)|this (?:week|month|spring|summer|year)|with|and)\b)(?!.*(?:\bfrom\b|\d{4}))`,
    'done',
    () => 'graduate',
  ),
  rule(
    String.raw`(?:hurt|broke|sprained|injured|twisted|tore|fractured|dislocated|pulled) (?:(?:their|his|her|an?) )(?:left |right )?${BODY}\b`,
    'planned',
    recover,
  ),
  rule(
    String.raw`(?:recovered|healed|(?:is|are) (?:[\p{L}]+ )?(?:recovered|healed)) from (?:the|their|his|her|an?) (?:(?:broken|sprained|injured|torn|twisted) )?${BODY}\b`,
    'done',
    recover,
  ),
  [
    new RegExp(
      String.raw`^(.{1,60}?)['’]s? (?:left |right )?${BODY} (?:has |is |feels )(?:now |finally |fully |completely |all )*(?:healed|better|recovered|back to normal|fine again|good again)\b`,
      'iu',
    ),
    (who = '', part = '') => attempt(who, recover(part), 'done'),
  ],
  [
    new RegExp(
      String.raw`^(.{1,60}?)['’]s? (?:old )?${DEVICE} (?:has |just |recently |is |was |got |has been )*(?:broke down|broken down|broken|broke|crashed|died|stopped working|totaled|totalled|damaged)\b`,
      'iu',
    ),
    (who = '', device = '') => attempt(who, repair(device), 'planned'),
  ],
  [
    new RegExp(
      String.raw`^(.{1,60}?)['’]s? (?:old )?${DEVICE} (?:is|was|got|has been|works) (?:now |finally |already )*(?:fixed|repaired|working|again|up and running|as good as new)\b`,
      'iu',
    ),
    (who = '', device = '') => attempt(who, repair(device), 'done'),
  ],
  rule(
    String.raw`(?:is ${LEAD}(?:trying to get|getting|going to get|waiting to get)|needs to get|wants to get|has to get) (?:their|his|her|the) ${DEVICE} (?:fixed|repaired)\b`,
    'planned',
    repair,
  ),
  rule(
    String.raw`(?:(?:fixed|repaired|replaced) (?:their|his|her|the)|(?:got|had) (?:their|his|her|the)(?= [\p{L} ]+ (?:fixed|repaired|replaced)\b)) (?:old |broken )?${DEVICE}(?=$|[,;]| (?:fixed|repaired|replaced|themselves|with|at|in|on|by|and|again|after|last|this|yesterday|today|so)\b)`,
    'done',
    repair,
  ),
];
