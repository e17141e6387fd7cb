import { slot, type Slot, type SlotRule, normal } from './slot-text.js';

/** Attributes with one value per person at a time. All others may have several values. */
const SINGLE_ATTRIBUTES: ReadonlySet<string> = new Set(
  (
    'name|full name|first name|last name|nickname|age|birthday|address|home address|delivery address|email|email address|e mail|phone number|phone|mobile number|number|' +
    'job|job title|employer|hometown|home town|time zone|timezone|native language|shoe size|rent|budget|salary|major|landlord|blood type|passport number|licence plate'
  ).split('|'),
);
const SAME_ATTRIBUTE: Readonly<Record<string, string>> = {
  'e mail': 'email',
  'email address': 'email',
  phone: 'phone number',
  'mobile number': 'phone number',
  'full name': 'name',
  'job title': 'job',
  'home town': 'hometown',
  timezone: 'time zone',
};

const attribute = (who: string, what: string, value: string): Slot | null => {
  const bare = normal(what)
    .replace(/^(?:new|current|old|latest|real|all time) /, '')
    .replace('favourite', 'favorite')
    .replace(/\bcolor\b/, 'colour')
    .replace(/\btheater\b/, 'theatre')
    .replace(/\blicense\b/, 'licence');
  if (!SINGLE_ATTRIBUTES.has(bare) && !/^favorite \p{L}+(?: \p{L}+)?$/u.test(bare)) return null;
  if (/^(?:old|former)\b/i.test(what.trim()) || /^(?:to|that|when|how|being|not)\b/i.test(value.trim())) return null;
  return slot(who, SAME_ATTRIBUTE[bare] ?? bare, value);
};

const COUNTED =
  'cats?|dogs?|pets?|kids?|children|sons?|daughters?|brothers?|sisters?|siblings?|turtles?|cars?|bikes?|houses?|grandchildren|puppies|kittens|employees|roommates?';

const COUNTS = 'one two three four five six seven eight nine ten'.split(' ');
const ORDINALS = ['first', 'second', 'third', 'fourth', 'fifth'];
const countOf = (value: string): number =>
  [COUNTS.indexOf(value) + 1, ORDINALS.indexOf(value) + 1].find((count) => count > 0) ?? Number(value);

/** Whether a number of pets, children or things replaces an earlier one. "A third cat" can only raise it. */
export const changesCount = (older: string, newer: string): boolean =>
  ORDINALS.includes(newer) ? countOf(newer) > countOf(older) : countOf(newer) !== countOf(older);

export const IDENTITY: readonly SlotRule[] = [
  [
    /^(.{1,60}?)(?:'s|’s|s') ([^,;]{2,40}?) (?:is|was changed to|changed to) (?:now )?(.{1,250})$/i,
    (who = '', what = '', value = '') => attribute(who, what, value),
  ],
  [
    /^(.{1,60}?)(?:'s|’s|s') (\p{L}+) (?:is|are) (?:called|named) (.{1,250})$/iu,
    (who = '', what = '', name = '') => slot(`${who}'s ${what}`, 'name', name),
  ],
  [/^(.{1,60}?) is called (.{1,250})$/i, (who = '', name = '') => slot(who, 'name', name)],
  [/^(.{1,60}?) wants to be called (.{1,250})$/i, (who = '', name = '') => slot(who, 'nickname', name)],
  [
    /^(.{1,60}?) (?:is|turned) (?:now |already )?(\d{1,3})(?: years? old)?(?: now)?(?=$|[,;(])/i,
    (who = '', age = '') => slot(who, 'age', age),
  ],
  [
    new RegExp(
      String.raw`^(.{1,60}?) (?:has |just |recently |finally )*(?:got|gotten|adopted|bought|welcomed) an? (second|third|fourth|fifth) (${COUNTED})(?=$|[,;:]| (?:now|called|named|and|from|to|as|for)\b)`,
      'i',
    ),
    (who = '', ordinal = '', what = '') => slot(who, `number of ${what.toLowerCase()}`, ordinal),
  ],
  [
    new RegExp(
      String.raw`^(.{1,60}?) (?:now )?(?:has|have|owns?) (\d+|one|two|three|four|five|six|seven|eight|nine|ten) (${COUNTED})(?=$|[,;:]| (?:now|called|named|and)\b)`,
      'i',
    ),
    (who = '', count = '', what = '') => slot(who, `number of ${what.toLowerCase().replace(/(?<=[^s])s$/, '')}`, count),
  ],
];
