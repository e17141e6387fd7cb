import { MONTHS } from '@turnkeeper/domain';
import { ADVERBS, breaksAfter, isName, isNumber, NEEDS_NAME, TIME_NOUNS, type Token } from './tokens.js';
import { verbOf } from './verbs.js';
import { wordSet } from '../text/word-set.js';

/** Nouns that "the" alone identifies: a person has one, or it stands for its whole kind. */
const KNOWN = wordSet(
  // Home, and places that a person goes to regularly.
  'home house apartment flat ferry twins garden yard backyard kitchen bathroom bedroom couch sofa bed oven stove fridge car bus train plane airport station road street highway ' +
    'neighborhood neighbourhood city town village downtown countryside country suburb office school kindergarten daycare university college campus library gym pool park playground ' +
    'field court pitch rink track stage church mosque temple synagogue hospital clinic dentist doctor vet pharmacy supermarket grocery groceries store mall market bank shop salon ' +
    'museum zoo studio aquarium theater theatre cinema opera movie shelter farm barn border bakery kitchen court keyboard ' +
    'planetarium cellar attic basement garage shed porch balcony roof hallway loft pub canal harbour harbor port bridge motorway library council rink ' +
    // Nature.
    'beach lake river sea ocean coast shore island mountain hill forest wood woods desert jungle trail sun moon sky star rain snow wind weather air water earth planet environment nature ' +
    'outdoors wilderness sunset sunrise sand wave heat cold dark screen everyday grind unknown hustle universe tree campfire fire ' +
    // Society.
    'family fam gang kid child children baby parent wife husband government police army military navy media news internet web radio tv television press law economy community ' +
    'poor homeless elderly rich youth world industry public business past future present holiday pandemic lockdown flu covid ' +
    // Instruments and chores.
    'piano guitar violin drum cello flute trumpet saxophone clarinet ukulele bass harp accordion banjo mandolin oboe harmonica trombone tuba organ viola recorder bagpipe dishes laundry cooking cleaning trash lawn chore mail phone clock ' +
    // One at a time in a life.
    'job internship apprenticeship scholarship lease mortgage loan visa passport licence license surgery operation wedding honeymoon divorce funeral pregnancy tattoo ' +
    // Fixed expressions.
    'way time chance opportunity moment rest most top end start beginning middle edge bottom back front side inside outside ground floor works hunt lookout word truth basics ropes ' +
    'lead pressure power courage right ability energy patience creativity urge need confidence importance joy beauty spotlight habit mood lot long meantime road positive simple small little big',
);
export const GENERIC =
  /^(?:good|great|nice|awesome|amazing|fun|better|bad|wonderful|fantastic|beautiful|incredible|special|important|interesting|exciting|big|huge|small|little|different|happy|tough|hard|easy|perfect|real|true|right|wrong|whole|full|inspiring|challenging|relaxing|unforgettable|crazy|wild|other|same|local|regional|national|international|annual|first|second|third|fourth|fifth|final|last|next|only|ice|many|few|more|very|all|deep|intense|cute|yummy|tasty|delicious|pretty|gorgeous|stunning|cosy|cozy|final|recent|exact|entire|tiny|main|actual|current|latest|upcoming|original|usual|long|short|cool|super|epic|unique|lovely|favou?rite|magical|emotional|powerful|new|old|own|dairy-free|gluten-free|sugar-free|vegan|vegetarian|healthy|homemade)$/;
/** Words that end a noun phrase. */
const FUNCTION =
  /^(?:a|an|the|this|that|these|those|my|our|your|his|her|its|their|me|us|him|them|it|i|we|you|he|she|they|myself|ourselves|and|or|but|so|because|cause|if|when|while|where|whenever|who|whom|whose|which|what|how|why|to|of|in|on|at|for|from|with|by|about|into|over|under|after|before|since|until|till|than|as|up|out|off|down|around|through|along|near|behind|between|across|during|without|outside|here|there|then|is|are|was|were|am|be|been|has|have|had|do|does|did|will|would|can|could|should|may|might|must|not|both|plus|though|although|like|named|called|too|yet|already|afterwards?|later|again|alone|instead|anyway|tho|tomorrow|tonight|yesterday|online|outside|inside|abroad|twice|thrice)$/;
/** Words after a noun that say which one is meant. */
const QUALIFIES =
  /^(?:of|in|at|for|from|with|on|about|called|named|who|whom|whose|that|which|where|to|near|by|behind|between|under|across|it|you|i|we|he|she|they|my|his|her|their|than|outside|around|like|towards?)$/;
/** "the event with my cousin", "the show on Monday", "the event by myself": about the verb, not the noun. */
const ABOUT_THE_VERB = new RegExp(
  String.raw`^(?:with (?:my|our|his|her|some|friends|family)|on (?:\p{L}+day|weekends)|in (?:\d{4}|${MONTHS.join('|')})|by (?:myself|ourselves|hand|car|bus|train)|at (?:first|last|once|all|least))\b`,
  'u',
);

/** What is made for people: "the recipe for my family" does not say which. */
const FOR_PEOPLE = /^for (?:my|our|his|her|their|some|friends|family|everyone|everybody|dinner|lunch|breakfast)\b/;
const SERVED = /^(?:recipe|dish|dessert|treat|snack|meal|drink|photo|picture|pic|song|video|list|piece)(?:e?s)?$/;

/** Nouns that say little with an adjective alone: "a new show", "a delicious treat". */
export const isVague = (tokens: readonly Token[], at: number): boolean => {
  const head = phraseAt(tokens, at).at(-1)?.key ?? '';
  return (
    (NEEDS_NAME.has(head) ||
      /^(?:treats?|dish|recipe|meal|snack|tourney|tournament|contest|spot|event|activity|chapter|phase|adventure|cause|topic|tool|resource|opportunity|venue|tradition|item|quote|area|person|guy|lady|book|level)$/.test(
        head,
      )) &&
    !isIdentified(tokens, at)
  );
};

/** The words of the noun phrase after its article at `at`. */
export const phraseAt = (tokens: readonly Token[], at: number): Token[] => {
  const phrase: Token[] = [];
  for (let next = at + 1; next < tokens.length && phrase.length < MAX_WORDS; next += 1) {
    const token = tokens[next] as Token;
    if (token.key === '' || FUNCTION.test(token.key) || (ADVERBS.has(token.key) && token.key !== 'super')) break;
    if (phrase.length > 0 && (isVerbForm(token.key) || isVerbOf(phrase.at(-1), token))) break;
    // "the gang last weekend", "the boss right now"
    const after = tokens[next + 1]?.key ?? '';
    if (
      phrase.length > 0 &&
      /^(?:last|next|every|right)$/.test(token.key) &&
      (after === 'now' || TIME_NOUNS.has(after))
    )
      break;
    phrase.push(token);
    if (breaksAfter(token) || /[.!?)]$/.test(token.text)) break;
  }
  return phrase;
};

/**
 * Whether the noun phrase that begins with "the" at `at` says what it means: by a name, a distinguishing word ("the
 * chess tournament"), words after it ("the recipe of my aunt"), or because there is only one ("the sea").
 */
export const isIdentified = (tokens: readonly Token[], at: number): boolean => {
  const phrase = phraseAt(tokens, at);
  const last = phrase.at(-1);
  // "was rejected by the producers": the verb says who they are.
  if (last === undefined || tokens[at - 1]?.key === 'by') return true;
  const end = at + 1 + phrase.length;
  const joined = /^(?:and|or|&)$/.test(tokens[end]?.key || (tokens[end]?.text ?? ''))
    ? endOfNouns(tokens, end + 1)
    : end;
  const isClosed = /[.!?),;:–—]$/.test(tokens[joined - 1]?.text ?? '');
  const behind = isClosed ? undefined : tokens[joined];
  // "I wanted the painting to be calm" does not say which painting.
  const isWanted = behind?.key === 'to' && /^(?:want|need|like)(?:s|ed)?$/.test(tokens[at - 1]?.key ?? '');
  if (isWanted && !KNOWN.has(last.key)) return false;
  const after = behind === undefined ? '' : `${behind.key} ${tokens[joined + 1]?.key ?? ''}`;
  if (
    behind !== undefined &&
    ((QUALIFIES.test(behind.key) &&
      !ABOUT_THE_VERB.test(after) &&
      !(SERVED.test(last.key) && FOR_PEOPLE.test(after))) ||
      isName(behind, 1) ||
      /^["“(]/.test(behind.text))
  )
    return true;
  // "the people living nearby", "the cake baked by Ana".
  if (behind !== undefined && isVerbForm(behind.key)) return true;
  const nouns = phrase.filter(({ key }, index) => index === 0 || !TIME_NOUNS.has(key));
  const head = nouns.at(-1) as Token;
  return (
    phrase.some(
      (token) =>
        isName(token, 1) || (isNumber(token.key) && !GENERIC.test(token.key)) || /["“&]|['’]s$|['’]$/.test(token.text),
    ) ||
    nouns.slice(0, -1).some(({ key }) => /[^r]est$|^(?:best|worst|most|least)$/.test(key)) ||
    /^(?:best|worst|most|least|latest|rest)$/.test(head.key) ||
    TIME_NOUNS.has(head.key.replace(/s$/, '')) ||
    (TIME_NOUNS.has(last.key) && isNumber(phrase[0]?.key ?? '')) ||
    /^(?:days?|hours?|minutes?|decades?)$/.test(head.key) ||
    KNOWN.has(head.key) ||
    KNOWN.has(head.key.replace(/ies$/, 'y').replace(/s$/, '')) ||
    KNOWN.has(head.key.replace(/es$/, '')) ||
    nouns.slice(0, -1).some(({ key }) => !GENERIC.test(key)) ||
    before(tokens, at, head.key)
  );
};
const MAX_WORDS = 6;

/** "the songs and old poems that I wrote": the words behind the second noun apply to both. */
const endOfNouns = (tokens: readonly Token[], from: number): number => {
  let end = from;
  while (end < tokens.length && end - from < MAX_WORDS && !FUNCTION.test(tokens[end]?.key ?? '')) {
    if (verbOf(tokens[end]?.key ?? '') !== null) break;
    end += 1;
  }
  return end;
};

const isVerbForm = (key: string): boolean => {
  const verb = verbOf(key);
  return verb !== null && (verb.form === 'past' || verb.form === 'gerund');
};

/** "the colors make", "the place looks". */
const isVerbOf = (noun: Token | undefined, { key }: Token): boolean =>
  noun !== undefined && verbOf(key) !== null && (NEEDS_NAME.has(noun.key) || /[^s]s$/.test(noun.key));

/** "I adopted a dog and took the dog to the sea". */
const before = (tokens: readonly Token[], at: number, noun: string): boolean =>
  tokens.slice(0, at).some(({ key }) => key === noun);
