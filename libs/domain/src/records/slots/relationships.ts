import { denied, slot, type SlotRule } from './slot-text.js';

const STATE = '(single|married|engaged|divorced|widowed|separated)';

export const RELATIONSHIPS: readonly SlotRule[] = [
  [
    /^(.{1,60}?) (?:is|are) (?:now |still |currently )*(?:dating|in a relationship)\b/i,
    (who = '') => slot(who, 'marital status', 'partnered'),
  ],
  [
    /^(.{1,60}?) (?:just |finally |recently )*married (?=\p{Lu}|their|his|her)(?!(?:their|his|her) (?:first|second|third|late|ex|former)\b)(?!.*\b\d{4}$)/u,
    (who = '') => slot(who, 'marital status', 'married'),
  ],
  [/^(.{1,60}?) (?:is|are) getting married\b/i, (who = '') => slot(who, 'marital status', 'engaged')],
  [
    new RegExp(String.raw`^(.{1,60}?) (?:is|are) (?:not|no longer) ${STATE}\b`, 'i'),
    (who = '', state = '') => denied(who, 'marital status', state),
  ],
  [
    new RegExp(String.raw`^(.{1,60}?) (?:isn't|aren't) ${STATE}\b`, 'i'),
    (who = '', state = '') => denied(who, 'marital status', state),
  ],
  [
    /^(.{1,60}?) (?:has |have |just |recently |finally ){0,4}(?:broke|broken|split|breaking) up\b/i,
    (who = '') => slot(who, 'marital status', 'single'),
  ],
  [
    new RegExp(
      String.raw`^(.{1,60}?) (?:has |have |just |recently |finally ){0,4}(?:got |gotten |is |are |was )(?:now |recently |happily |already |still )*${STATE}(?=$|[,; (])(?! (?:in|out|off|to (?:the|an?) (?:idea|job)))`,
      'i',
    ),
    (who = '', state = '') => slot(who, 'marital status', state),
  ],
  [
    /^(.{1,60}?) (?:now )?(?:has|is seeing|is dating|met|found) (?:an? )?(?:new |lovely |great )?(girlfriend|boyfriend|partner)\b/i,
    (who = '') => slot(who, 'marital status', 'partnered'),
  ],
];
