import { detectLanguage, type Language } from '../text/languages.js';
import { isMisspelt } from '../text/similar-words.js';
import { stopWordsOf } from '../text/stop-words.js';
import { foldDiacritics, stemOf, wordsOf } from '../text/tokenise.js';
import { familyOf } from '../text/word-families.js';
import { rarityOf } from '../text/word-rarity.js';
import { dateWindows, type DateWindow } from './dates.js';
import { isNoWord, likelyMeant } from './respell.js';

/** Properties of the searched turns that affect how a question is parsed. */
export interface QueryContext {
  /** Languages of the turns, most frequent first. Never empty. */
  readonly languages: readonly Language[];
  /** Names of the speakers, in lower case. */
  readonly speakers: readonly string[];
  /** Years of the turns. */
  readonly years: readonly number[];
}

/** A word to search for. */
export interface QueryTerm {
  readonly term: string;
  /** Stems of its forms, the one of the question first; each matches. */
  readonly stems: readonly string[];
  /** The word, if it is none of English. */
  readonly doubtful?: string;
  /** Stems of words that it may be a misspelling of, the likeliest first. The first one that a turn has matches. */
  readonly meant?: readonly string[];
}

export interface TurnQuery {
  /** Without duplicates. */
  readonly terms: readonly QueryTerm[];
  /** How rare each term is in everyday speech, in its most frequent form: see `rarityOf`. */
  readonly rarities: ReadonlyMap<string, number>;
  /** The question asks for a time. */
  readonly asksWhen: boolean;
  readonly windows: readonly DateWindow[];
  /** The speaker that the question names, or the role that it implies; null if none or several. */
  readonly speaker: { readonly name: string } | { readonly role: 'user' | 'assistant' } | null;
}

/** Words that frame a question and do not occur in answers. */
const FRAME = new Set(
  `kind kinds type types sort sorts many much often long name names named according mention mentioned ways way one thing
   things something someone recently certain specific`.split(/\s+/u),
);
const YEAR = /^20\d\d$/u;
const ASKS_WHEN =
  /^\W*(?:when\b|(?:what|which) (?:day|date|month|year|time|week|holiday)\b|around which\b|how long\b|since when\b|in (?:what|which) (?:month|year)\b)|(?:khi nào|bao giờ|lúc nào|ngày nào|tháng nào|năm nào|hôm nào|khi nao|bao gio|ngay nao|什么时候|何时|哪天|哪一天|几月|哪年|哪个月|多久)/iu;
/** "What did I just say my address is?" and "When is my appointment?" ask for the present. */
const ASKS_OF_PAST =
  /^\W*when (?:was|were)\b|\b(?:used to|previously|formerly|in the past|did (?!\S+ (?:just |ever )?(?:say|tell|mention|give)\b))|(?:trước đây|ngày trước|hồi trước)|(?:以前|曾经|过去)/iu;
const ME = /\b(?:i|me|my|mine|myself)\b/iu;
const YOU = /\b(?:you|your|yours)\b/iu;
/** Of a longer query only the rarest words are searched for: each further one costs as much and tells less. */
const MAX_WORDS = 10;
const LOOK_AT = 4_000;

/**
 * Parses a question: the terms to search for, whose turns, and from when. Names, years and framing words are not used
 * as terms, unless nothing else is left.
 */
export const readTurnQuery = (asked: string, context: QueryContext): TurnQuery => {
  const speakers = new Set(context.speakers);
  const question = withNames(asked, context.speakers);
  const terms = queryTerms(question, context.languages, speakers);
  return {
    terms: terms.map(({ rarity: _, ...term }) => term),
    rarities: new Map(terms.map(({ term, rarity }) => [term, rarity])),
    asksWhen: ASKS_WHEN.test(question),
    windows: dateWindows(question, context.years),
    speaker: speakerOf(question, speakers),
  };
};

/** The question with the speakers' names as they are spelt. */
const withNames = (question: string, speakers: readonly string[]): string => {
  const names = speakers.flatMap((name) => name.split(/\s+/u));
  return question.slice(0, LOOK_AT).replace(/\p{L}{4,}/gu, (word) => {
    const asked = word.toLowerCase();
    return isNoWord(asked) ? (names.find((name) => isMisspelt(asked, name)) ?? word) : word;
  });
};

/**
 * The terms of which the turns have no form, with the words that they may be misspellings of; null if there are none such.
 *
 * @param isFound whether any turn has a stem
 */
export const respeltTerms = (
  terms: readonly QueryTerm[],
  isFound: (stem: string) => boolean,
): readonly QueryTerm[] | null => {
  const isMissing = ({ doubtful, stems }: QueryTerm) => doubtful !== undefined && !stems.some(isFound);
  return terms.some(isMissing)
    ? terms.map((term) =>
        isMissing(term)
          ? { ...term, meant: likelyMeant(term.doubtful as string).map((word) => stemOf(word, 'en')) }
          : term,
      )
    : null;
};

/** The question asks for what happened, not only for what is true now. */
export const asksOfPast = (question: string): boolean => ASKS_OF_PAST.test(question);

interface RatedTerm extends QueryTerm {
  readonly rarity: number;
}

const queryTerms = (question: string, languages: readonly Language[], speakers: ReadonlySet<string>): RatedTerm[] => {
  let terms: RatedTerm[] = [];
  const nameParts = new Set([...speakers].flatMap((name) => [name, ...name.split(/\s+/u)]).map(foldDiacritics));
  // Stop words of the question's language are no words of the turns' other languages either. A question whose language
  // is not recognised has none: "son" is a word in English, but not in Spanish.
  const stopInQuestion = stopWordsOf(detectLanguage(question, 'xx'));
  for (const language of languages) {
    const stop = stopWordsOf(language);
    const words = wordsOf(question, language);
    const telling = words.filter((word) => !stop.has(word) && !stopInQuestion.has(word));
    const unnamed = telling.filter((word) => !nameParts.has(foldDiacritics(word)));
    const best = unnamed.filter((word) => !FRAME.has(word) && !YEAR.test(word));
    const chosen = [best, unnamed, telling].find((some) => some.length > 0) ?? [];
    const found = new Map<string, RatedTerm>();
    for (const word of chosen) {
      const term = termOf(word, language);
      if (!found.has(term.term)) found.set(term.term, term);
    }
    const rarities = new Map(Array.from(found.values(), (term) => [term, term.rarity]));
    for (const [term] of rarest(rarities)) terms = withTerm(terms, term);
  }
  return terms;
};

/** Adds a term. A word that is already known from another language stays one term, with the stems of both. */
const withTerm = (terms: readonly RatedTerm[], added: RatedTerm): RatedTerm[] => {
  const [first, ...others] = terms.filter(({ stems }) => stems.some((stem) => added.stems.includes(stem)));
  if (first === undefined) return [...terms, added];
  const stems = [...new Set([first, ...others, added].flatMap((term) => term.stems))];
  return terms.filter((term) => !others.includes(term)).map((term) => (term === first ? { ...first, stems } : term));
};

const termOf = (word: string, language: Language): RatedTerm => {
  const stem = stemOf(word, language);
  const family = language === 'en' ? familyOf(stem) : { name: stem, stems: [stem] };
  const stems = [stem, ...family.stems.filter((other) => other !== stem)];
  // A stem is often a form itself: rarities are those of words.
  const rarity = Math.min(...[word, ...stems].map((form) => rarityOf(form, language)));
  return { term: family.name, stems, rarity, ...(language === 'en' && isNoWord(word) ? { doubtful: word } : {}) };
};

/** The entries with the greatest values, in their order if there are few. */
const rarest = <K>(rarities: ReadonlyMap<K, number>): Iterable<readonly [K, number]> =>
  rarities.size <= MAX_WORDS ? rarities : [...rarities].sort(([, a], [, b]) => b - a).slice(0, MAX_WORDS);

/** A query as it is, or the rarest words of a long one. */
export const shortened = (query: string): string => {
  const rarities = new Map<string, number>();
  for (const part of query.slice(0, LOOK_AT).split(/\s+/u)) {
    const [word] = wordsOf(part, 'en');
    if (word !== undefined && !stopWordsOf('en').has(word)) rarities.set(part, rarityOf(word, 'en'));
  }
  return rarities.size <= MAX_WORDS ? query : Array.from(rarest(rarities), ([part]) => part).join(' ');
};

/** The side that the question asks about by a pronoun ("my mother"); null if none, both, or a speaker's name. */
export const sideAsked = (question: string, speakers: readonly string[]): 'user' | 'assistant' | null => {
  const asked = speakerOf(question.slice(0, LOOK_AT), new Set(speakers));
  return asked !== null && 'role' in asked ? asked.role : null;
};

const speakerOf = (question: string, speakers: ReadonlySet<string>): TurnQuery['speaker'] => {
  const said = ` ${question
    .toLowerCase()
    .replace(/['’]s\b/gu, '')
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, ' ')} `;
  const named = [...speakers].filter((name) => said.includes(` ${name} `));
  if (named.length === 1) return { name: named[0] as string };
  if (named.length > 1) return null;
  const me = ME.test(question);
  return me === YOU.test(question) ? null : { role: me ? 'user' : 'assistant' };
};
