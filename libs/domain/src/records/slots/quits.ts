import { denied, firstClause, normal, slot, type Slot, type SlotRule } from './slot-text.js';

const LEAD = '(?:has |have |just |finally |recently |now |also |already |completely |really ){0,4}';
const ENDED = '(?:quit|stopped|gave up|given up|cut out)';
const DRINKS =
  '(?:beer|wine|alcohol|coffee|tea|soda|cola|coke|whisky|whiskey|vodka|gin|rum|spirits|liquor|booze|milk|juice|caffeine|soft drinks|energy drinks)';
const EATEN =
  '(?:sugar|chocolate|sweets|candy|crisps|chips|bread|dairy|cheese|eggs|fast food|junk food|gluten|red meat|pork|snacks)';
/** "Stopped drinking coffee after lunch" and "quit beer for a month" end less than the habit. */
const PARTLY =
  /\b(?:after|before|at|in|on|during|every|much|many|when|while|except|unless|with|for|until|till|temporarily|this|by|again)\b/i;
/** Verbs in "-e", whose third person is not the stem of the "-ing" form and an "s". */
const E_STEM =
  /^(?:smok|vap|tak|mak|cycl|bik|driv|writ|rid|us|bak|danc|practi[sc]|skat|div|hik|juggl|exercis|commut|donat|shar|prepar)$/;
const DOUBLED = /([^aeiouls])\1$/;

const thirdPerson = (gerund: string): string => {
  const stem = gerund.toLowerCase().replace(/ing$/, '').replace(DOUBLED, '$1');
  if (E_STEM.test(stem)) return `${stem}es`;
  if (/(?:[sxz]|ch|sh|o)$/.test(stem)) return `${stem}es`;
  return /[^aeiou]y$/.test(stem) ? `${stem.slice(0, -1)}ies` : `${stem}s`;
};

/** The slot of "how often": `never`. "Stopped drinking" means alcohol. */
const never = (who: string, verb: string, rest: string): Slot | null => {
  if (PARTLY.test(rest.replace(/^ (?:to|at|in|on) /, ' '))) return null;
  const what = normal(firstClause(rest)).replace(/ (?:altogether|completely|entirely|any ?more)$/, '');
  const object = what === '' && verb === 'drinks' ? 'alcohol' : what;
  return slot(who, `how often ${verb} ${object}`.trim(), 'never');
};
const planned = (filled: Slot | null): Slot | null =>
  filled === null ? null : { ...filled, value: `planned ${filled.value}` };

const quitting = (before: string, ended: string, make = (filled: Slot | null) => filled): SlotRule[] => [
  [
    new RegExp(String.raw`^(.{1,60}?) ${before}${ended} (${DRINKS})((?: .{1,80})?)$`, 'iu'),
    (who = '', what = '', rest = '') => make(never(who, 'drinks', ` ${what}${rest}`)),
  ],
  [
    new RegExp(String.raw`^(.{1,60}?) ${before}${ended} (${EATEN})((?: .{1,80})?)$`, 'iu'),
    (who = '', what = '', rest = '') => make(never(who, 'eats', ` ${what}${rest}`)),
  ],
  [
    new RegExp(String.raw`^(.{1,60}?) ${before}${ended} (\p{Ll}{2,}ing)((?: .{1,80})?)$`, 'u'),
    (who = '', gerund = '', rest = '') => make(never(who, thirdPerson(gerund), rest)),
  ],
];

/** "Wants to quit beer" ends when it is done. */
export const PLANNED_QUITS: readonly SlotRule[] = quitting(
  '(?:wants to|plans to|hopes to|would like to|will|is (?:now |still |also )?(?:going to|trying to|planning to|hoping to)) (?:finally )?',
  '(?:quit|stop|give up|cut out)',
  planned,
);

/** A habit that ended: "quit beer" ends "drinks beer every day", and "stopped going to the gym" how often they went. */
export const QUITS: readonly SlotRule[] = [
  ...quitting(LEAD, ENDED),
  [
    /^(.{1,60}?) (?:does not|doesn't|never|no longer) (drink|eat)s? ((?:\p{L}+ ){0,2}?\p{L}+)(?: any ?more)?$/iu,
    (who = '', verb = '', what = '') => never(who, `${verb.toLowerCase()}s`, ` ${what}`),
  ],
  [
    /^(.{1,60}?) no longer (goes|plays|takes|runs|swims|cycles|uses|drives|attends|trains|rides|visits|watches|reads)((?: .{1,80})?)$/iu,
    (who = '', verb = '', rest = '') => never(who, verb.toLowerCase(), rest),
  ],
  [
    /^(.{1,60}?) (?:still |also |now |usually )?(drinks|eats) ((?:\p{L}+ )?\p{L}+)$/iu,
    (who = '', verb = '', what = '') => denied(who, `how often ${verb.toLowerCase()} ${normal(what)}`, 'never'),
  ],
];
