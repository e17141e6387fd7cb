/**
 * The role of a verb in a fact.
 *
 * - `event`: past or planned event ("adopted a dog")
 * - `state`: lasting state ("own a boat")
 * - `taste`: like or dislike
 * - `light`: has little meaning by itself ("have", "make", "get"), so its object must state the fact
 */
export type VerbClass = 'event' | 'state' | 'taste' | 'light';

export interface VerbForm {
  readonly base: string;
  readonly kind: VerbClass;
  readonly form: 'base' | 'third' | 'past' | 'gerund';
  /** Recognised only by its ending. */
  readonly isGuess?: true;
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
  'code program assemble restore refinish stain install remodel hike kayak canoe ski surf dive snorkel sail row cycle bike skate jog walk ride/rode/ridden dance sing/sang/sung act meditate babysit ' +
  'hold/held hit/hit talk chat turn chase face shut/shut snap challenge contact reorganize reorganise roast whip wrap stumble figure push network draft reset/reset ' +
  'lift stretch explain encourage express gather share fight/fought document frame restock advertise market partner collaborate drop distribute serve deploy ' +
  'enlist evacuate tackle overcome/overcame/overcome transition struggle experiment tweak update mix upload post stream show/showed/shown add brainstorm connect ' +
  'unwind/unwound escape bond balance commit devote dedicate ace fish glaze hunt sort clean pack unpack bury lay/laid feed/fed brush groom walk blend reconnect ' +
  'offer provide help reach step motivate inspire remind cause damage destroy steal/stole/stolen rob interact revamp customize customise pen edit revise ' +
  'announce guide contribute tinker sketch doodle crochet embroider weave/wove/woven brew forage fundraise campaign protest vote trek paddle juggle tutor blog journal ' +
  'translate illustrate animate declutter upcycle recycle compost skateboard snowboard backpack hitchhike skydive wrestle squat referee intern freelance ' +
  'fracture dislocate remarry befriend carpool homeschool refinance whittle weld varnish mow harvest memorize memorise breed/bred/bred sightsee ' +
  'retake/retook/retaken redo/redid/redone die email skype remember forget/forgot/forgotten visualize visualise incorporate rely respect recommend';
const STATE =
  'live reside stay work own belong speak/spoke/spoken know-how drive wear attend run teach/taught/taught study major specialize specialise volunteer ' +
  'smoke commute rent keep/kept/kept lead/led manage co-own foster raise train weigh suffer take-care know/knew/known subscribe use earn cost avoid owe support';
const TASTE =
  'stand love like enjoy adore hate dislike detest loathe despise prefer crave fancy cherish treasure admire';
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
  /^(?:plan|stop|shop|snap|whip|wrap|chat|drop|step|commit|rob|run|swim|get|quit|win|put|set|cut|knit|jog|hit|sit|let|swap|drop|begin|refer|program|babysit|blog|squat)$/;
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

/** British spellings and other variants. */
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

/** Every form of every verb that can state a fact. Earlier lists take precedence. */
const FORMS: ReadonlyMap<string, VerbForm> = new Map([
  ...parse(LIGHT, 'light').reverse(),
  ...parse(EVENT, 'event').reverse(),
  ...parse(STATE, 'state').reverse(),
  ...parse(TASTE, 'taste').reverse(),
  ...OTHER_FORMS.map(([text, base, form]) => [text, { base, kind: 'event', form }] as [string, VerbForm]),
]);

/** Words that look like a past event verb or follow "be" without describing an event. */
const NO_EVENT =
  /^(?:agre|appreciat|wonder|seem|guess|believ|trust|notic|mention|promis|imagin|expect|deserv|realiz|realis|lov|bless|amaz|excit|interest|inspir|challeng|will|encourag|thrill|stok|pump|motivat|determin|relax|reward|overwhelm|stress|exhaust|tir|scar|worri|surpris|impress|touch|mov|satisfy|satisfi|pleas|delight|disappoint|frustrat|embarrass|confus|fascinat|honor|honour|shock|bor|depress|encourag|talent|gift|skill|inde|ne|wait|joke|kidd|mean|see|hop|wish|go|be|do|say|think|feel|look|tell|mak|hav|com|try|tak|giv|keep|bet|bring|thank|hugg|bump|swamp|hook|concern)(?:ed|ing)$/;

/**
 * Recognises an event verb that is not listed by its ending: "-ed", or "-ing" after "be". Less reliable than a listed
 * verb, so the rest of the clause must have more content.
 */
export const guessedVerb = (word: string, isBehindBe: boolean): VerbForm | null => {
  if (word.length < 6 || NO_EVENT.test(word)) return null;
  if (word.endsWith('ed')) return { base: word, kind: 'event', form: 'past', isGuess: true };
  return isBehindBe && word.endsWith('ing') ? { base: word, kind: 'event', form: 'gerund', isGuess: true } : null;
};

export const verbOf = (word: string): VerbForm | null => FORMS.get(word.toLowerCase()) ?? null;

const BE_OR_HAVE = /^(?:is|was|are|were|isn['’]t|wasn['’]t|has|had)$/i;
/** Whether one of the words states something: in "my name is Bob" and "my sister married Karl", not in "my friend Ana". */
export const hasFiniteVerb = (words: readonly string[]): boolean =>
  words.some((word) => BE_OR_HAVE.test(word) || /^(?:third|past)$/.test(verbOf(word)?.form ?? ''));

const PASTS: ReadonlyMap<string, string> = new Map(
  [...EVENT.split(' '), ...STATE.split(' '), ...LIGHT.split(' ')].flatMap((entry) => {
    const [base = '', past] = entry.split('/');
    return past === undefined ? [] : [[base, past] as const];
  }),
);
/** "move" → "moved", "go" → "went". */
export const pastOf = (base: string): string => PASTS.get(base) ?? regularPast(base);
