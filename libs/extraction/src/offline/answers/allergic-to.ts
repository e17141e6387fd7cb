import { wordSet } from '../text/word-set.js';

const ALLERGIC =
  /^(?:(?:are you |is there anything you are |what are you |anything you are )allergic(?: to(?: anything(?: else)?| something| any \p{L}+)?)?|(?:do you have |have you got )?any (?:\p{L}+ ){0,2}allergies(?: to anything)?)$/iu;

/** What people are allergic to. Any other short answer ("Nope.", "Hold on.") would become a false medical fact. */
const ALLERGENS: ReadonlySet<string> = wordSet(
  'nut almond cashew pistachio pecan sesame mustard celery lupin soy soya wheat gluten rye barley oat corn rice',
  'dairy milk lactose casein cheese butter whey egg fish salmon tuna cod seafood shrimp prawn crab lobster',
  'mussel clam oyster scallop squid meat pork beef chicken gelatin gelatine fruit citrus apple peach pear plum',
  'cherry apricot banana kiwi mango pineapple melon orange lemon lime grape fig date papaya avocado tomato potato',
  'pepper carrot onion garlic ginger cinnamon vanilla chocolate cocoa coffee honey alcohol wine beer yeast bean',
  'lentil pea chickpea mushroom aubergine eggplant coconut seed msg sulphite sulfite additive preservative',
  'cat dog horse rabbit hamster bird feather fur hair dander animal bee wasp hornet ant mosquito insect sting bite',
  'pollen grass hay birch hazel alder oak tree plant flower lily ivy dust mite mold mould smoke',
  'penicillin aspirin codeine morphine sulfa sulpha sulfonamide paracetamol acetaminophen naproxen antibiotic',
  'opioid iodine contrast insulin cortisone steroid painkiller anaesthetic anesthetic vaccine medication',
  'latex rubber nickel metal gold silver perfume fragrance detergent soap bleach sunscreen adhesive plaster wool glove venom',
);
const KINDS = /(?:cillin|mycin|cycline|floxacin|profen|caine|nut|berry|fish|weed)$/;

/** "tree nuts": the last word decides. */
const isAllergen = (item: string): boolean => {
  const last = (item.split(' ').at(-1) ?? '').toLowerCase();
  const forms = [last, last.replace(/ies$/, 'y'), last.replace(/es$/, ''), last.replace(/s$/, '')];
  return forms.some((form) => ALLERGENS.has(form) || KINDS.test(form));
};

/** "Are you allergic to anything?" – "Yeah penicillin, I get a rash." */
export const allergicTo = (asked: string, said: string): string | null => {
  if (!ALLERGIC.test(asked.replace(/\byou['’]re\b/i, 'you are'))) return null;
  const named = said
    .replace(/^(?:(?:yes|yeah|yea|yep|yup|unfortunately|only|just|mainly|mostly|to)\b[,! ]+)+/i, '')
    .replace(/,? (?:and |but )?(?:i|it|that|they)\b.*$/i, '')
    .replace(/,? (?:unfortunately|sadly|mainly|mostly)$/i, '')
    .trim();
  const isList = /^\p{L}[\p{L}-]+(?:(?:, | and |, and | )\p{L}[\p{L}-]+){0,5}$/u.test(named);
  const isOpen =
    /\b(?:not|no|never|hardly|nothing|maybe|except|about|of|love|like|have|had|my|his|her|our|ask|why|what|sorry)\b/i;
  return isList && !isOpen.test(named) && named.split(/,? and |, /).every(isAllergen)
    ? `I am allergic to ${named.charAt(0).toLowerCase()}${named.slice(1)}`
    : null;
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
