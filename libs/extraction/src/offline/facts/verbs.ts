/**
 * What a verb is good for in a fact.
 *
 * - `event`: something that happened or is planned ("adopted a dog")
 * - `state`: something that lasts ("own a boat")
 * - `taste`: a like or dislike
 * - `light`: says little by itself ("have", "make", "get"), so that its object has to carry the fact
 */
export type VerbClass = 'event' | 'state' | 'taste' | 'light';

export interface VerbForm {
  readonly base: string;
  readonly kind: VerbClass;
  readonly form: 'base' | 'third' | 'past' | 'gerund';
}

/** `base` or `base/past` or `base/past/participle` for irregular verbs. */
const EVENT =
  'move relocate adopt buy/bought sell/sold join start begin/began/begun finish complete graduate marry divorce retire resign ' +
  'quit/quit leave/left/left lose/lost win/won visit travel fly/flew/flown drive/drove/driven go/went/gone attend volunteer enroll enrol apply ' +
  'hire book order cancel postpone rent lease paint draw/drew/drawn write/wrote/written publish record release perform ' +
  'build/built design create launch open close found host organize organise donate raise adopt rescue foster ' +
  'break/broke/broken injure hurt/hurt sprain twist recover learn/learned train compete race hike camp climb swim/swam/swum run/ran/run ' +
  'cook bake grill plant grow/grew/grown knit sew craft carve sculpt photograph film audition interview sign register ' +
  'meet/met date propose engage elope separate celebrate lecture present submit pitch invest earn save borrow ' +
  'receive inherit land accept decline reject pass fail switch change stop resume return renovate repair fix replace upgrade ' +
  'discover explore watch read/read see/saw/seen play listen eat/ate/eaten drink/drank/drunk try visit tour shop deliver ' +
  'teach/taught/taught coach mentor study practice practise research develop direct compose choreograph schedule reschedule ' +
  'downsize expand decorate redecorate wear/wore/worn borrow lend/lent bring/brought spend/spent hang/hung mail send/sent ' +
  'fall/fell/fallen crash beat/beat/beaten score place qualify tie break audition rehearse pick choose/chose/chosen name call catch/caught ' +
  'pursue plan attempt sponsor promote demote fire transfer migrate immigrate emigrate arrive depart check-in swap trade collect ' +
  'invite surprise interview diagnose operate give/gave/given set/set put/put throw/threw/thrown come/came/come ' +
  'code program assemble restore refinish stain install remodel hike kayak canoe ski surf dive snorkel sail row cycle bike skate jog walk ride/rode/ridden dance sing/sang/sung act meditate babysit';
const STATE =
  'live reside stay work own belong speak/spoke/spoken know-how drive wear attend run teach/taught/taught study major specialize specialise volunteer ' +
  'smoke commute rent keep/kept/kept lead/led manage co-own foster raise train weigh suffer take-care subscribe use earn cost avoid owe support';
const TASTE = 'stand love like enjoy adore hate dislike detest loathe despise prefer crave fancy';
const LIGHT =
  'have/had get/got make/made take/took/taken do/did/done find/found need want hope decide look think/thought tell/told say/said ask feel/felt hear/heard become/became';

const parse = (words: string, kind: VerbClass): [string, VerbForm][] =>
  words.split(' ').flatMap((entry) => {
    const [base = '', past, participle] = entry.split('/');
    const pasts = past === undefined ? [regularPast(base)] : [past, participle ?? past];
    return [
      [base, { base, kind, form: 'base' }],
      [third(base), { base, kind, form: 'third' }],
      [gerund(base), { base, kind, form: 'gerund' }],
      ...pasts.map((text): [string, VerbForm] => [text, { base, kind, form: 'past' }]),
    ] as [string, VerbForm][];
  });

const DOUBLED =
  /^(?:plan|stop|shop|run|swim|get|quit|win|put|set|cut|knit|jog|hit|sit|let|swap|drop|begin|refer|program|babysit)$/;
const doubled = (base: string): string => (DOUBLED.test(base) ? base + base.slice(-1) : base);

export const regularPast = (base: string): string =>
  base.endsWith('e') ? `${base}d` : /[^aeiou]y$/.test(base) ? `${base.slice(0, -1)}ied` : `${doubled(base)}ed`;
const third = (base: string): string =>
  base === 'have'
    ? 'has'
    : /(?:s|x|z|ch|sh|o)$/.test(base)
      ? `${base}es`
      : /[^aeiou]y$/.test(base)
        ? `${base.slice(0, -1)}ies`
        : `${base}s`;
const gerund = (base: string): string => (/[^eyo]e$/.test(base) ? `${base.slice(0, -1)}ing` : `${doubled(base)}ing`);

/** British spellings and other second forms. */
const OTHER_FORMS: readonly (readonly [string, string, VerbForm['form']])[] = [
  ['cancelled', 'cancel', 'past'],
  ['cancelling', 'cancel', 'gerund'],
  ['travelled', 'travel', 'past'],
  ['travelling', 'travel', 'gerund'],
  ['practised', 'practise', 'past'],
  ['learnt', 'learn', 'past'],
  ['gotten', 'get', 'past'],
  ['gone', 'go', 'past'],
  ['enrolled', 'enroll', 'past'],
  ['enrolling', 'enroll', 'gerund'],
  ['dying', 'die', 'gerund'],
];

/** Every form of every verb that a fact may rest on. Earlier lists win. */
const FORMS: ReadonlyMap<string, VerbForm> = new Map([
  ...parse(LIGHT, 'light').reverse(),
  ...parse(EVENT, 'event').reverse(),
  ...parse(STATE, 'state').reverse(),
  ...parse(TASTE, 'taste').reverse(),
  ...OTHER_FORMS.map(([text, base, form]) => [text, { base, kind: 'event', form }] as [string, VerbForm]),
]);

export const verbOf = (word: string): VerbForm | null => FORMS.get(word.toLowerCase()) ?? null;

const PASTS: ReadonlyMap<string, string> = new Map(
  [...EVENT.split(' '), ...STATE.split(' '), ...LIGHT.split(' ')].flatMap((entry) => {
    const [base = '', past] = entry.split('/');
    return past === undefined ? [] : [[base, past] as const];
  }),
);
/** "move" → "moved", "go" → "went". */
export const pastOf = (base: string): string => PASTS.get(base) ?? regularPast(base);
