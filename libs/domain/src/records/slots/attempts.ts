import { normal, slot, type Slot, type SlotRule } from './slot-text.js';

/** What one applies for. The kind identifies the attempt: "a design internship" is answered by "the internship". */
const KIND =
  '(internship|apprenticeship|scholarship|fellowship|residency|grant|loan|mortgage|visa|college|university|adoption agency|adoption agencies|job|program|course)';
const OF_A_KIND = String.raw`(?:(?:an?|the|their|his|her|some|several) )?(?:(?!for |with |from )[\p{L}-]+ ){0,3}?${KIND}\b`;
const NAME = String.raw`(\p{Lu}[\p{L}\p{N}&'’-]*(?: \p{Lu}[\p{L}\p{N}&'’-]*)?)`;
const TEST = String.raw`(?:[\p{L}-]+ ){0,3}?([\p{L}-]+ test)\b`;
const LEAD = '(?:has |have |just |finally |recently |already |also |currently |still |really ){0,4}';

const attempt = (who: string, what: string, state: 'planned' | 'done'): Slot | null =>
  slot(who, `plan: ${normal(what).replace(/ies$/, 'y')}`, state);

const rule = (pattern: string, state: 'planned' | 'done', what = (named: string) => named): SlotRule => [
  new RegExp(`^(.{1,60}?) ${LEAD}${pattern}`, 'u'),
  (who = '', named = '') => attempt(who, what(named), state),
];
const deal = (name: string): string => `deal with ${name}`;
const pass = (test: string): string => `pass ${test}`;

/**
 * Attempts whose outcome others decide: applications, negotiations, tests. They are open until answered, and a failed
 * test until it is passed.
 */
export const ATTEMPTS: readonly SlotRule[] = [
  rule(
    String.raw`(?:(?:is )?appl(?:ied|ying) (?:for|to)|(?:had|has|has got) an interview (?:for|at|with)|is (?:interviewing (?:for|at|with)|waiting to hear (?:back )?(?:from|about))) ${OF_A_KIND}`,
    'planned',
  ),
  rule(
    String.raw`(?:(?:got|gotten|was|were|is|been) (?:accepted|admitted|hired|selected|chosen|approved|rejected|turned down|denied) (?:for|to|into|by|from)|got (?:an? (?:no|yes|offer|rejection|acceptance) (?:for|from)|into)|passed|is (?:finally |now )?in) ${OF_A_KIND}`,
    'done',
  ),
  rule(
    String.raw`is ${LEAD}(?:talking to|negotiating with|in (?:talks|discussions|negotiations) with|considering (?:[\p{L}-]+ ){0,2}(?:brands|companies|sponsors|publishers|labels|clubs|teams|agencies) (?:like|such as)) ${NAME}`,
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
];
