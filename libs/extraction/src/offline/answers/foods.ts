import { wordSet } from '../text/word-set.js';

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

const FOODS: ReadonlySet<string> = wordSet(
  'lamb mutton veal duck goose turkey bacon ham sausage liver offal steak sugar salt bread pasta noodle food cilantro',
  'coriander broccoli spinach cabbage cauliflower kale courgette zucchini beetroot cucumber lettuce salad olive tofu',
  'sushi yoghurt yogurt cream oil spice vegetable sweet candy crisp chip cake pastry anchovy octopus caffeine tea juice',
  'cola coke soda whisky whiskey vodka gin rum cider pulse legume grain leek radish turnip pumpkin raisin snail',
);

/** "Spicy food", "walnuts": also everything edible that people are allergic to. */
export const isFood = (item: string): boolean => {
  const last = (item.split(' ').at(-1) ?? '').toLowerCase();
  return isAllergen(item) || [last, last.replace(/es$/, ''), last.replace(/s$/, '')].some((form) => FOODS.has(form));
};

const OPEN =
  /\b(?:not|no|never|hardly|nothing|maybe|except|about|of|love|like|have|had|my|his|her|our|ask|why|what|sorry)\b/i;

/**
 * The things that a short answer lists: "Fish but not shellfish". Returns null if it says anything else.
 *
 * @param isKind whether an item is one of the things that were asked about
 */
export const listedIn = (
  said: string,
  isKind: (item: string) => boolean,
): { readonly named: string; readonly except: string | null } | null => {
  const bare = said
    .replace(/^(?:(?:yes|yeah|yea|yep|yup|unfortunately|only|just|mainly|mostly|to)\b[,! ]+)+/i, '')
    .replace(/,? (?:and |but )?(?:i|it|that|they)\b.*$/i, '')
    .replace(/,? (?:unfortunately|sadly|mainly|mostly|please)$/i, '')
    .trim();
  const [, all = bare, except = null] = /^(.+?),? (?:but )?not (?:to )?(.+)$/i.exec(bare) ?? [];
  const isListed = (list: string): boolean =>
    /^\p{L}[\p{L}-]+(?:(?:, | and |, and | or | )\p{L}[\p{L}-]+){0,5}$/u.test(list) &&
    !OPEN.test(list) &&
    list.split(/,? and |, | or /).every(isKind);
  return isListed(all) && (except === null || isListed(except))
    ? { named: `${all.charAt(0).toLowerCase()}${all.slice(1)}`, except }
    : null;
};
