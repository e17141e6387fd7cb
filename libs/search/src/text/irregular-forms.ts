/** English verbs and nouns with forms that no stemmer relates: base form first. */
const FORMS = `
  be was were been is are am being, have had has, do did done does, go went gone, get got gotten, make made,
  come came, become became, overcome overcame, take took taken, retake retook retaken, undertake undertook undertaken,
  give gave given, forgive forgave forgiven, see saw seen, know knew known, grow grew grown, throw threw thrown,
  blow blew blown, fly flew flown, draw drew drawn, withdraw withdrew withdrawn, show shown, sew sewn, mow mown,
  think thought, bring brought, buy bought, catch caught, fight fought, seek sought, teach taught,
  find found, bind bound, lose lost, win won, shine shone, shoot shot, sit sat, sell sold, tell told, say said, pay paid,
  lay laid, hear heard, mean meant, dream dreamt, learn learnt, burn burnt, spell spelt, smell smelt, deal dealt,
  build built, rebuild rebuilt, send sent, spend spent, lend lent, bend bent, leave left, feel felt, keep kept,
  sleep slept, sweep swept, weep wept, creep crept, kneel knelt, meet met, feed fed, lead led, breed bred, hold held,
  stand stood, understand understood, run ran, begin began begun, swim swam swum, sing sang sung, ring rang rung,
  drink drank drunk, sink sank sunk, shrink shrank shrunk, spring sprang sprung, drive drove driven, ride rode ridden,
  rise rose risen, write wrote written, rewrite rewrote rewritten, speak spoke spoken, break broke broken,
  choose chose chosen, freeze froze frozen, steal stole stolen, wake woke woken, weave wove woven, wear wore worn,
  tear tore torn, swear swore sworn, eat ate eaten, fall fell fallen, beat beaten, forget forgot forgotten,
  hide hid hidden, bite bit bitten, stick stuck, strike struck, dig dug, hang hung, swing swung, spin spun, slide slid,
  light lit, undergo underwent undergone, redo redid redone,
  child children, man men, woman women, person people, foot feet, tooth teeth, mouse mice, goose geese, wife wives,
  knife knives, wolf wolves, shelf shelves, half halves, loaf loaves, calf calves, thief thieves, scarf scarves
`;

const BASES: ReadonlyMap<string, string> = new Map(
  FORMS.split(',').flatMap((entry) => {
    const [base = '', ...others] = entry.trim().split(/\s+/);
    return others.map((form): [string, string] => [form, base]);
  }),
);

/** `bought` becomes `buy`, `children` becomes `child`; any other word is unchanged. */
export const baseFormOf = (word: string): string => BASES.get(word) ?? word;
