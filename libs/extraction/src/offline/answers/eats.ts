import { isFood, listedIn } from './foods.js';

const AVOIDED =
  /^(?:any(?:thing| (?:foods?|ingredients?|drinks?))|what|(?:what|which) (?:foods?|ingredients?)) (?:do )?(?:you (avoid|don't eat|do not eat|can't eat|cannot eat|can't have|shouldn't eat|don't like|dislike)|(can't|don't) you eat)(?: at all)?$/i;
const REQUIREMENTS =
  /^(?:(?:do you have |have you got |what are )?(?:any|your) (?:special |other )?(?:dietary|diet|food) (?:requirements?|restrictions?|needs|preferences?)(?: for [\w' ]{3,40})?|do you (?:follow|have) (?:a|any) (?:special |particular )?diet|are you on (?:a|any) (?:special |particular )?diet)$/i;
const DIET =
  /^(?:i['’]?m |strictly )?((?:vegan|vegetarian|pescatarian|diabetic|coeliac|celiac|(?:lactose|gluten)[ -]intolerant)(?: and (?:vegan|vegetarian|pescatarian|diabetic|coeliac|celiac|(?:lactose|gluten)[ -]intolerant))?)$/i;
const FREE_OF = /^(halal|kosher|keto|paleo|low[ -]carb|\p{L}+[ -]free)$/iu;
const EATEN = /^do you (eat|drink|like) (.+)$/i;

/** Short answers about food: "Is there anything you don't eat?" – "Fish but not shellfish." */
export const eats = (asked: string, said: string): string | null =>
  avoided(asked, said) ?? requirements(asked, said) ?? eaten(asked, said);

const avoided = (asked: string, said: string): string | null => {
  const [phrase, verb, inverted] = AVOIDED.exec(asked) ?? [];
  const listed = phrase === undefined ? null : listedIn(said, isFood);
  if (listed === null) return null;
  const does = (verb ?? `${inverted ?? ''} eat`).toLowerCase();
  const named = does === 'avoid' || does === 'dislike' ? listed.named : listed.named.replace(/ and /g, ' or ');
  return `I ${does} ${named}${listed.except === null ? '' : `, but ${opposite(does)} ${listed.except}`}`;
};
const opposite = (does: string): string =>
  does === 'avoid' || does === 'dislike' ? 'not' : `I ${POSITIVE[does] ?? 'eat'}`;
const POSITIVE: Readonly<Record<string, string>> = {
  "can't eat": 'can eat',
  'cannot eat': 'can eat',
  "can't have": 'can have',
  "don't like": 'like',
};

const requirements = (asked: string, said: string): string | null => {
  if (!REQUIREMENTS.test(asked)) return null;
  const bare = said
    .replace(/^(?:(?:yes|yeah|yep|yup|just|only)\b[,! ]+)+/i, '')
    .replace(/,? please$/i, '')
    .replace(/ food$/i, '')
    .trim();
  const diet = DIET.exec(bare)?.[1];
  if (diet !== undefined) return `I am ${diet.toLowerCase()}`;
  const kind = FREE_OF.exec(bare)?.[1];
  if (kind !== undefined) return `I eat ${kind.toLowerCase()}`;
  const none = listedIn(/^no (.+)$/i.exec(bare)?.[1] ?? '', isFood);
  if (none !== null) return `I don't eat ${none.named.replace(/ and /g, ' or ')}`;
  const allergy = listedIn(/^(?:an? )?(.+) allergy$/i.exec(bare)?.[1] ?? '', isFood)?.named;
  if (allergy !== undefined) return `I have ${/^[aeiou]/.test(allergy) ? 'an' : 'a'} ${allergy} allergy`;
  // "Any food preferences?" – "Chicken." names what is eaten.
  const listed = /\b(?:requirement|restriction|need)s?\b/i.test(asked) ? listedIn(bare, isFood) : null;
  return listed === null || listed.except !== null ? null : `I avoid ${listed.named}`;
};

const eaten = (asked: string, said: string): string | null => {
  const [, verb, what = ''] = EATEN.exec(asked) ?? [];
  const but = /^(?:yes|yeah|yep|yup|i do|sure)[, ]+(?:but )?not (.+)$/i.exec(said)?.[1];
  const except = but === undefined || !isFood(what) ? null : listedIn(but, isFood);
  if (except !== null) return `I ${verb?.toLowerCase() ?? ''} ${what} but not ${except.named}`;
  const only = /^(?:only|just)\b/i.test(said) ? 'only ' : '';
  const listed = verb === undefined ? null : listedIn(said, isFood);
  if (listed === null) return null;
  const isAsked = what.split(/,? (?:or|and) |, /).some((item) => item.toLowerCase() === listed.named.toLowerCase());
  if (!isAsked && only === '') return null;
  return `I ${only}${verb?.toLowerCase()} ${listed.named}${listed.except === null ? '' : ` but not ${listed.except}`}`;
};

export const examples = [
  ['Are there any foods you avoid?', 'Fish but not shellfish', 'I avoid fish, but not shellfish'],
  ["Is there anything you don't eat?", 'Pork and mussels.', "I don't eat pork or mussels"],
  ["Anything you can't eat?", 'Nuts.', "I can't eat nuts"],
  [
    "Is there anything that you can't eat?",
    'Raw onions, but not cooked onions',
    "I can't eat raw onions, but I can eat cooked onions",
  ],
  ["What can't you eat?", 'Celery, sadly.', "I can't eat celery"],
  ['What foods do you avoid?', 'Red meat and sugar.', 'I avoid red meat and sugar'],
  ['Do you have any dietary requirements?', 'Gluten-free, please.', 'I eat gluten-free'],
  ['Do you have any dietary restrictions?', 'Vegan', 'I am vegan'],
  ['Do you have any dietary requirements for the dinner?', 'Vegetarian.', 'I am vegetarian'],
  ['Any dietary restrictions?', 'No pork', "I don't eat pork"],
  ['Any dietary needs?', 'A nut allergy.', 'I have a nut allergy'],
  ['Any dietary restrictions?', 'Gluten', 'I avoid gluten'],
  ['Any food preferences?', 'Chicken.', null],
  ['Do you follow a special diet?', 'Fish and vegetables.', null],
  ['Any dietary restrictions?', 'Halal food, please.', 'I eat halal'],
  ['Any dietary restrictions?', 'Hmm, why?', null],
  ['Any dietary restrictions?', 'Hold on.', null],
  ['Are there any foods you avoid?', 'Depends.', null],
  ['Are there any foods you avoid?', 'Airline food, haha', null],
  ['Do you eat meat or fish?', 'Fish but not meat.', 'I eat fish but not meat'],
  ['Do you eat meat or fish?', 'Only fish.', 'I only eat fish'],
  ['Do you eat meat?', 'Yes, but not pork.', 'I eat meat but not pork'],
  ['Do you eat meat?', 'Chicken?', null],
  ['Do you eat out?', 'Yes, but not bacon.', null],
  ['Do you drink wine or beer?', 'Beer.', 'I drink beer'],
] as const satisfies readonly (readonly [string, string, string | null])[];
