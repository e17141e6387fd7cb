import { denied, slot, type Slot, type SlotRule } from './slot-text.js';

/** Normalises a diet to one word: "doesn't eat any animal products" is vegan. */
const diet = (who: string, what: string): Slot | null => slot(who, 'diet', what);
const allergy = (who: string, to: string): Slot | null => slot(who, `allergy to ${singular(to)}`, 'yes');
const singular = (text: string): string =>
  text
    .toLowerCase()
    .replace(/^(?:the|an?|all|some) /, '')
    .replace(/(?<=[^s])s$/, '')
    .trim();
const SHORT = '([\\p{L}-]+(?: [\\p{L}-]+)?)';

export const DIET_AND_HEALTH: readonly SlotRule[] = [
  [
    /^(.{1,60}?) (?:has |have )?(?:is|became|went|turned|become|gone) (?:now |an? |strictly |still ){0,4}(vegan|vegetarian|pescatarian)\b/i,
    (who = '', what = '') => diet(who, what),
  ],
  [
    /^(.{1,60}?) (?:is not|isn't|is no longer) (?:an? )?(vegan|vegetarian|pescatarian)\b/i,
    (who = '', what = '') => denied(who, 'diet', what),
  ],
  [
    /^(.{1,60}?) (?:does not|doesn't|never|stopped) eat(?:s|ing)? (?:any )?animal products\b/i,
    (who = '') => diet(who, 'vegan'),
  ],
  [
    /^(.{1,60}?) (?:does not|doesn't|never|stopped|no longer) eat(?:s|ing)? (?:any )?meat\b/i,
    (who = '') => diet(who, 'vegetarian'),
  ],
  [/^(.{1,60}?) eats? (?:\w+ )?meat\b/i, (who = '') => diet(who, 'eats meat')],
  [
    new RegExp(String.raw`^(.{1,60}?) (?:is|are) (?:not|no longer) allergic to ${SHORT}(?=$|[,;])`, 'iu'),
    (who = '', to = '') => denied(who, `allergy to ${singular(to)}`, 'yes'),
  ],
  [
    new RegExp(
      String.raw`^(.{1,60}?) (?:is|are) (?:also |very |really |severely )*allergic to ${SHORT}(?=$|[,;])`,
      'iu',
    ),
    (who = '', to = '') => allergy(who, to),
  ],
  [
    new RegExp(String.raw`^(.{1,60}?) (?:has|have) an? (?:severe |bad |mild )?${SHORT} allergy(?=$|[,;])`, 'iu'),
    (who = '', to = '') => allergy(who, to),
  ],
  [
    /^(.{1,60}?) (?:has |have |just |finally |recently ){0,4}(?:quit|stopped|gave up|given up) smoking\b/i,
    (who = '') => slot(who, 'smoking', 'no'),
  ],
  [/^(.{1,60}?) (?:does not|doesn't|no longer|never) smokes?\b/i, (who = '') => slot(who, 'smoking', 'no')],
  [/^(.{1,60}?) smokes?(?=$|[ ,;])/i, (who = '') => slot(who, 'smoking', 'yes')],
];
