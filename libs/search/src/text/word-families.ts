import { stemOf } from './tokenise.js';

/** English verbs and nouns with forms that the stemmer leaves apart. Forms that are other words too (rose, bit) are left out. */
const IRREGULAR = `
  go went gone, get got gotten, make made, come came, become became, overcome overcame, take took taken,
  retake retook retaken, undertake undertook undertaken, give gave given, forgive forgave forgiven, see saw seen,
  know knew known, grow grew grown, throw threw thrown, blow blew blown, fly flew flown, draw drew drawn,
  withdraw withdrew withdrawn, show shown, sew sewn, mow mown, think thought, bring brought, catch caught, fight fought,
  seek sought, teach taught, find found, bind bound, lose lost, win won, shine shone, shoot shot, sit sat, sell sold,
  tell told, say said, pay paid, hear heard, mean meant, dream dreamt, learn learnt, burn burnt, spell spelt, smell smelt,
  deal dealt, build built, rebuild rebuilt, send sent, spend spent, lend lent, bend bent, leave left, feel felt, keep kept,
  sleep slept, sweep swept, weep wept, creep crept, kneel knelt, meet met, feed fed, lead led, breed bred, hold held,
  stand stood, understand understood, run ran, begin began begun, swim swam swum, sing sang sung, ring rang rung,
  drink drank drunk, sink sank sunk, shrink shrank shrunk, drive drove driven, ride rode ridden, rise risen,
  write wrote written, rewrite rewrote rewritten, speak spoke spoken, break broke broken, choose chose chosen,
  freeze froze frozen, steal stole stolen, wake woke woken, weave wove woven, wear wore worn, tear tore torn,
  swear swore sworn, eat ate eaten, fall fell fallen, beat beaten, forget forgot forgotten, hide hid hidden, bite bitten,
  stick stuck, strike struck, dig dug, hang hung, swing swung, spin spun, slide slid, light lit, undergo underwent undergone,
  redo redid redone, man men, woman women, person people, foot feet, tooth teeth, mouse mice, goose geese, wife wives,
  knife knives, wolf wolves, shelf shelves, half halves, loaf loaves, calf calves, thief thieves, scarf scarves
`;

/** British and American. */
const SPELLINGS = `
  color colour, favor favour, favorite favourite, neighbor neighbour, flavor flavour, honor honour, humor humour,
  labor labour, behavior behaviour, harbor harbour, rumor rumour, theater theatre, center centre, meter metre, liter litre,
  gray grey, program programme, jewelry jewellery, pajamas pyjamas, realize realise, recognize recognise,
  apologize apologise, organize organise, practice practise, catalog catalogue, dialog dialogue, mustache moustache,
  donut doughnut, yogurt yoghurt, license licence, defense defence, cozy cosy, ok okay
`;

/** Short and long names of the same thing. Synonyms in general made searches worse. */
const NAMES = `
  mom mum mother mommy mummy mama, dad father daddy papa, grandma grandmother granny, grandpa grandfather granddad,
  child children kid, grandchild grandchildren grandkid, brother bro, sister sis, husband hubby,
  photo photograph picture pic, movie film, tv television telly, bike bicycle, motorbike motorcycle,
  phone telephone cellphone smartphone, fridge refrigerator, doctor dr physician, vet veterinarian, car automobile,
  truck lorry, plane airplane aeroplane, advertisement advert ad, math mathematics maths, information info, couch sofa,
  ship shipping shipment delivery deliver, university uni, laboratory lab, gym gymnasium, exam examination, trash garbage rubbish, buy bought purchase
`;

/** English words that count as one. */
export interface WordFamily {
  /** One of the stems. */
  readonly name: string;
  readonly stems: readonly string[];
}

let byStem: ReadonlyMap<string, WordFamily> | undefined;

const load = (): ReadonlyMap<string, WordFamily> => {
  const families = WORD_FAMILIES.map((words): WordFamily => {
    const stems = [...new Set(words.map((word) => stemOf(word, 'en')))];
    return { name: stems[0] ?? '', stems };
  });
  return new Map(families.flatMap((family) => family.stems.map((stem) => [stem, family] as const)));
};

export const WORD_FAMILIES: readonly (readonly string[])[] = [IRREGULAR, SPELLINGS, NAMES]
  .flatMap((list) => list.split(','))
  .map((words) => words.trim().split(/\s+/u));

/** The family of an English stem; for most stems, only that stem. */
export const familyOf = (stem: string): WordFamily => {
  byStem ??= load();
  return byStem.get(stem) ?? { name: stem, stems: [stem] };
};
