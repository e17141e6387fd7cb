import { hasFiniteVerb } from '../facts/verbs.js';

const ALLERGIC =
  /^(?:(?:are you |is there anything you are |what are you |anything you are )allergic(?: to(?: anything(?: else)?| something| any \p{L}+)?)?|(?:do you have |have you got )?any (?:\p{L}+ ){0,2}allergies(?: to anything)?)$/iu;
/** "Are you allergic to anything?" – "Yeah penicillin, I get a rash." */
export const allergicTo = (asked: string, said: string): string | null => {
  if (!ALLERGIC.test(asked.replace(/\byou['’]re\b/i, 'you are'))) return null;
  const named = said
    .replace(/^(?:yes|yeah|yea|yep|yup|unfortunately|only|just|to)\b[,! ]+/gi, '')
    .replace(/,? (?:and |but )?(?:i|it|that|they)\b.*$/i, '')
    .trim();
  const isList = /^\p{L}[\p{L}-]+(?:(?:, | and |, and | )\p{L}[\p{L}-]+){0,5}$/u.test(named);
  return !isList ||
    hasFiniteVerb(named.split(' ')) ||
    /\b(?:not|no|none|nothing|some|something|several|many|few|lots|maybe|don't|sure|well|yes|know|think|sometimes|fever|asthma|my|his|her|our|ask|why|what|sorry|thanks?)\b/i.test(
      named,
    )
    ? null
    : `I am allergic to ${named.charAt(0).toLowerCase()}${named.slice(1)}`;
};

export const examples = [
  ['Are you allergic to anything?', 'Yeah latex, I get a rash.', 'I am allergic to latex'],
  ['Do you have any food allergies?', 'Walnuts and sesame.', 'I am allergic to walnuts and sesame'],
  ['Are you allergic to anything else?', 'Pollen.', 'I am allergic to pollen'],
  ['Do you have any allergies?', 'Yes.', 'I have allergies'],
  ['Do you have any allergies?', 'Not that I know of.', null],
  ['Do you have any allergies?', 'My son does.', null],
  ['Do you have any allergies?', 'Yes, several.', null],
] as const satisfies readonly (readonly [string, string, string | null])[];
