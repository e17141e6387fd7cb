import { isFood, listedIn } from './foods.js';

const ALLERGIC =
  /^(?:(?:are you |anything you are |what are you )allergic(?: to(?: anything(?: else)?| something| any \p{L}+)?)?|(?:do you have |have you got )?any (?:\p{L}+ ){0,2}allergies(?: to anything)?)$/iu;
const INTOLERANT =
  /^(?:(?:do you have |have you got )?any (?:food )?(allergies or )?(?:food )?intolerances|are you (allergic or )?intolerant(?: to(?: anything)?)?)$/iu;

/** "Are you allergic to anything?" – "Yeah penicillin, I get a rash." */
export const allergicTo = (asked: string, said: string): string | null => {
  const question = asked.replace(/\byou['’]re\b/i, 'you are');
  const [intolerance, ...either] = INTOLERANT.exec(question) ?? [];
  if (intolerance === undefined && !ALLERGIC.test(question)) return null;
  const listed = listedIn(said, isFood);
  if (listed === null) return null;
  if (intolerance !== undefined)
    return `I am ${either.some((word) => word !== undefined) ? 'allergic or intolerant' : 'intolerant'} to ${listed.named}`;
  return `I am allergic to ${listed.named}${listed.except === null ? '' : `, but not to ${listed.except}`}`;
};

export const examples = [
  ['Are you allergic to anything?', 'Yeah latex, I get a rash.', 'I am allergic to latex'],
  ['Do you have any food allergies?', 'Walnuts and sesame.', 'I am allergic to walnuts and sesame'],
  ['Are you allergic to anything else?', 'Pollen.', 'I am allergic to pollen'],
  [
    'What are you allergic to?',
    'Strawberries, raw tomatoes and wasp stings.',
    'I am allergic to strawberries, raw tomatoes and wasp stings',
  ],
  ['What are you allergic to?', 'Crab but not fish', 'I am allergic to crab, but not to fish'],
  ['Any food allergies or intolerances?', 'Gluten', 'I am allergic or intolerant to gluten'],
  ['Do you have any intolerances?', 'Lactose.', 'I am intolerant to lactose'],
  ['Are there any allergies?', 'Soy.', 'I am allergic to soy'],
  ['Any allergies?', 'Peanuts and courgettes', 'I am allergic to peanuts and courgettes'],
  ['Any allergies?', 'Just cats, unfortunately.', 'I am allergic to cats'],
  ['Are you allergic to anything?', 'Nope.', 'I am not allergic to anything'],
  ['Are you allergic to anything?', 'Never.', 'I am not allergic to anything'],
  ['Are you allergic to anything?', 'Yes.', null],
  ['Are you allergic to anything?', 'Possibly.', null],
  ['Are you allergic to anything?', 'Hmm, hold on.', null],
  ['Are you allergic to anything?', 'No nuts, please.', null],
  ['Do you have any allergies?', 'Next question.', null],
  ['Do you have any allergies?', 'Seasonal.', null],
  ['Do you have any allergies?', 'Hardly any.', null],
  ['Do you have any allergies?', 'Yes.', 'I have allergies'],
  ['Do you have any allergies?', 'Not that I know of.', null],
  ['Do you have any allergies?', 'My son does.', null],
  ['Do you have any allergies?', 'Yes, several.', null],
] as const satisfies readonly (readonly [string, string, string | null])[];
