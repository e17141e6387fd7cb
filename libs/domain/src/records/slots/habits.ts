import { firstClause, normal, slot, type SlotRule } from './slot-text.js';

const OFTEN =
  '(every (?:single )?(?:day|morning|evening|night|week|weekend|month|year|\\p{L}+day)|daily|weekly|(?:only )?(?:once|twice|three times|four times|five times|a few times|\\d times) (?:a|per) (?:day|week|month|year)|on (?:weekends|weekdays|\\p{L}+days)|(?:only )?on (?:weekends|\\p{L}+days))';
const LEADING = /^(?:only|now|still|usually|always|often|just|also) /;

/** How often a person does something: "goes to the gym once a week" replaces "goes to the gym every day". */
export const HABITS: readonly SlotRule[] = [
  [
    new RegExp(
      String.raw`^(\p{Lu}[\p{L}'’]*(?: \p{L}+){0,2}?) ((?:(?:only|now|still|usually|always|often|just|also) )*\p{Ll}+s (?:\p{L}+ ){0,4}?)${OFTEN}(?: now| these days)?$`,
      'u',
    ),
    (who = '', what = '', often = '') => {
      let bare = normal(firstClause(what));
      while (LEADING.test(bare)) bare = bare.replace(LEADING, '');
      bare = bare.replace(/ only$/, '');
      return bare === '' ? null : slot(who, `how often ${bare}`, often.replace(/^only /i, ''));
    },
  ],
];
