import { MONTHS } from '../../text/months.js';
import { normal } from './slot-text.js';

/**
 * What tells an event, a work or an application from others of its kind. It is part of the slot's value, after the state:
 * `planned moved ana's birthday at oslo 2026 may`, `begun second called waves`.
 */
export interface Which {
  readonly state: string;
  /** It was moved to another month. */
  readonly isMoved: boolean;
  readonly owner: string | null;
  readonly ordinal: string | null;
  readonly words: readonly string[];
  readonly place: string | null;
  readonly title: string | null;
}

/** In "debate club", "visa office" and "honeymoon photo" the noun before it only describes something else. */
export const NO_NOUN = String.raw`(?=$|[^\p{L}\p{N} ’'-]| [–-]| (?:in|on|at|for|with|and|to|of|by|from|near|around|over|about|during|inspired|this|last|next|that|which|who|where|when|while|because|since|so|but|or|as|if|until|after|before|coming|happening|taking|again|soon|later|now|just|recently|lately|today|tomorrow|yesterday|tonight|together|too|also|is|was|will|are|has|had|they|their|he|she|the|an?|called|named|held|hosted|up|down|here|there|then|trip|event|day|night|week|weekend|season|series|final|finals|got|went|turned|were|have|two|three|four|several)\b)`;

/** Words before a noun that do not tell it from others. */
const GENERIC =
  /^(?:own|big|little|small|local|nearby|annual|upcoming|great|amazing|fun|cool|awesome|nice|really|super|huge|tiny|whole|recent|wonderful|lovely|beautiful|exciting|special|important|major|good|dream|video|full|entire|current|finished|completed|epic|just|very|so|such|most|more|all|one|two|three|few|couple|year|years|week|month|\d.*)$/;
const ORDINAL = /^(?:first|second|third|fourth|fifth|last|other|old)$/;
/** Another novel is not the first one. */
const LATER = /^(?:another|next|new)$/;
/** Where a noun phrase begins. */
const BEFORE_NOUNS =
  /^(?:an?|the|my|our|this|that|these|those|some|several|any|for|at|in|on|to|of|with|from|and|or|by|about|into|over|as|is|are|was|were|has|have|had|been|be|got|get|gotten|went|took|won|lost|held|ran|did|threw|wrote|made|sold|will|plans?|wants?|hopes?|finished|completed|attended|hosted|celebrated|passed|failed|organi[sz]ed|published|released|submitted|sent|pitched|accepted|landed|attend|host|have|run|win|take|pass|plan|organi[sz]e|write|finish|make|start|begin|join|enter|going|having|hosting|organi[sz]ing|planning|attending|preparing|practi[cs]ing|participating|taking|getting|running|studying|training|writing|making|filming|finishing|editing|revising|drafting|recording|working|competing|waiting|excited|ready|up|together|researching|comparing|considering|applying|looking)$/;
const MOST_WORDS = 3;
const OWN = 'own';

/** The names and adjectives around the first mention of a noun in a sentence. */
const around = (sentence: string, noun: string) => {
  const found = new RegExp(String.raw`(?<![\p{L}\p{N}-])${noun}s?(?![\p{L}\p{N}-])${NO_NOUN}`, 'iu').exec(sentence);
  return found === null
    ? null
    : {
        before: sentence.slice(0, found.index).trim().split(' '),
        after: sentence.slice(found.index + found[0].length),
      };
};

const OF_A_PERSON = /^ (?:for|of) (?:(?:their|his|her) (\p{Ll}+)|(\p{Lu}[\p{L}’'-]*))/u;
const IN_A_PLACE =
  /^(?: (?:event|day|night|series))? (?:in|at|near) (?:the )?(\p{Lu}[\p{L}’'-]*(?: \p{Lu}[\p{L}’'-]*)?)/u;
const CALLED =
  /^ (?:called |named |titled )?["“]([^"“”]{2,60})["”]|^ (?:called|named|titled) (\p{Lu}[\p{L}’'-]*(?: \p{Lu}[\p{L}’'-]*){0,3})/u;

/**
 * What a sentence says about which one is meant, as the part of a slot's value after the state.
 *
 * @param who the person whom the sentence is about
 * @param isWork "a new novel" is not the first one, whereas a new tournament may be
 */
export const whichIn = (sentence: string, noun: string, who: string, isWork = false): string => {
  const found = around(sentence, noun);
  if (found === null) return '';
  const words: string[] = [];
  let [owner, ordinal] = ['', ''];
  for (const written of found.before.toReversed()) {
    const word = sameWord(normal(written.replace(/['’]s?$/, '')));
    if (/['’]s?$/.test(written) || /^(?:their|his|her)$/.test(word)) {
      owner = /^(?:their|his|her)$/.test(word) || word === normal(who) ? OWN : word;
      break;
    }
    if (isWork && LATER.test(word)) ordinal = 'another';
    if (
      word === '' ||
      BEFORE_NOUNS.test(written.toLowerCase()) ||
      /[,;:]$/.test(written) ||
      words.length === MOST_WORDS
    )
      break;
    if (ORDINAL.test(word)) ordinal = word;
    else if (!GENERIC.test(word) && !LATER.test(word)) words.push(word);
  }
  const person = OF_A_PERSON.exec(found.after);
  if (person !== null && owner === '') owner = normal(person[1] ?? person[2] ?? '');
  const place = normal(IN_A_PLACE.exec(found.after)?.[1] ?? '');
  const called = CALLED.exec(found.after);
  const title = normal(called?.[1] ?? called?.[2] ?? '');
  return [
    owner === '' ? '' : `${owner}'s`,
    ordinal,
    ...words.toReversed(),
    place === '' || MONTHS.includes(place) ? '' : `at ${place}`,
    title === '' ? '' : `called ${title}`,
  ]
    .filter((part) => part !== '')
    .join(' ');
};

/** "An arts show" and "an art show", "a gaming contest" and "a game contest". */
const sameWord = (word: string): string => SAME_WORD[word] ?? word.replace(/(?<=\p{L}{2}[^s])s$/u, '');
const SAME_WORD: Readonly<Record<string, string>> = {
  gaming: 'game',
  videogame: 'game',
  esports: 'game',
  lgbt: 'lgbtq',
  lgbtqia: 'lgbtq',
  queer: 'lgbtq',
  trans: 'lgbtq',
  transgender: 'lgbtq',
  maths: 'math',
  mathematics: 'math',
  theatre: 'theater',
};

const MONTH = new RegExp(String.raw` \d{4} (?:${MONTHS.join('|')})$`);
const YEAR = new RegExp(String.raw`^(\S+) (\d{4})(?= |$)(?! (?:${MONTHS.join('|')})$)`);

/** The year that alone dates a value ("done 2019"); null if there is none, or a month with it. */
export const yearIn = (value: string): number | null => {
  const year = YEAR.exec(value)?.[2];
  return year === undefined ? null : Number(year);
};
export const withYear = (value: string, year: string): string => value.replace(/^\S+/, (state) => `${state} ${year}`);
export const withoutYear = (value: string): string => value.replace(YEAR, '$1');

/** Reads a value back. */
export const whichOf = (value: string): Which => {
  const [named = '', title = null] = withoutYear(value)
    .replace(MONTH, '')
    .split(/ called (.+)$/);
  const [described = '', place = null] = named.split(/ at (.+)$/);
  const [state = '', ...rest] = described.split(' ');
  const words = rest.filter(
    (word) => word !== 'moved' && !ORDINAL.test(word) && word !== 'another' && !word.endsWith("'s"),
  );
  return {
    state,
    isMoved: rest[0] === 'moved',
    owner: rest.find((word) => word.endsWith("'s")) ?? null,
    ordinal: rest.find((word) => ORDINAL.test(word) || word === 'another') ?? null,
    words,
    place,
    title,
  };
};

/** Whether both values say which one is meant, and not the same. */
export const isAnother = (one: Which, other: Which): boolean =>
  differ(one.owner, other.owner) ||
  differ(one.title, other.title) ||
  (one.place !== null && other.place !== null && !overlap(one.place.split(' '), other.place.split(' '))) ||
  (differ(one.ordinal, other.ordinal) &&
    !(
      (one.ordinal === 'another' && other.ordinal !== 'first' && other.ordinal !== 'old') ||
      (other.ordinal === 'another' && one.ordinal !== 'first' && one.ordinal !== 'old')
    )) ||
  !overlap(one.words, other.words);

const differ = (one: string | null, other: string | null): boolean => one !== null && other !== null && one !== other;

/** "The math exam" can be "the exam" and "the big math exam", but not "the physics exam". */
const overlap = (one: readonly string[], other: readonly string[]): boolean =>
  one.every((word) => other.includes(word)) || other.every((word) => one.includes(word));

/** Whether both values name it, with the same words. */
export const isNamedAlike = (one: Which, other: Which): boolean =>
  one.owner === other.owner && one.words.length > 0 && one.words.join(' ') === other.words.join(' ');
