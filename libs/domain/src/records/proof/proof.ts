import { type DateWords, dateWordsOf, datesFollow, withoutDates } from './dates.js';
import { allStems, contentStems, numbersIn, stemOf } from './words.js';

/** A message's words in the form that proof needs. Built once per message, however many facts cite it. */
export interface Said {
  readonly stems: ReadonlySet<string>;
  readonly numbers: ReadonlySet<string>;
  readonly dates: DateWords;
}

/** @param at when it was said, ISO 8601 */
export const saidIn = (content: string, at: string): Said => ({
  stems: allStems(content),
  numbers: numbersIn(content),
  dates: dateWordsOf(content, at),
});

/** Why the cited words do not support a fact. */
export type Unproven = 'quote_does_not_carry' | 'number_not_in_source' | 'name_not_in_source';

/** One shared word is enough for a short fact; a longer fact needs one per this many of its own words. */
const WORDS_PER_SHARED = 6;
const MONTH_OR_DAY =
  /^(?:january|february|march|april|may|june|july|august|september|october|november|december|monday|tuesday|wednesday|thursday|friday|saturday|sunday|christmas|easter)$/;
/** Names that extractors use for the speakers, and words that start a sentence. */
const NO_NAME = new Set(
  'user users assistant agent customer speaker người i the a an in on at over since from during after before until when while his her their they she he it there this that recently currently now'.split(
    ' ',
  ),
);
/** Verbs whose subject is a person: the word before one is a name, even though every sentence starts with a capital. */
const PERSONS_VERB = /^(?:lives|works|likes|loves|hates|owns|wants|plans|prefers|moved|married|adopted|knows)$/i;
/** German capitalises every noun, so a capital does not indicate a name. */
const GERMAN = /\b(?:der|die|das|und|ist|hat|nicht|ein|eine|mit|für|wohnt|arbeitet|mag)\b/i;

/**
 * Checks a fact against the text that it cites. The quotes must share a minimum number of content words with it, and
 * its numbers and names must occur in the cited messages. A word at the start of the sentence counts as a name only if
 * it owns or does something.
 *
 * @param quotes the quotes of all its sources
 * @param cited the messages that they come from
 * @param speakers names of the speakers, which need no source
 * @param restated the existing record that the fact restates; its words need no source either
 */
export const unprovenIn = (
  text: string,
  quotes: readonly string[],
  cited: readonly Said[],
  speakers: readonly string[] = [],
  restated = '',
): Unproven | null => {
  const names = allStems(speakers.join(' '));
  const old = allStems(restated);
  const own = [...contentStems(withoutDates(text))].filter((stem) => !names.has(stem));
  const quoted = contentStems(quotes.join(' '));
  const numbers = new Set([...numbersIn(restated), ...cited.flatMap((message) => [...message.numbers])]);
  const shared = own.filter(
    (stem) => quoted.has(stem) || old.has(stem) || (/^\d+$/.test(stem) && numbers.has(stem)),
  ).length;
  if (shared < Math.ceil(own.length / WORDS_PER_SHARED)) return 'quote_does_not_carry';
  if (
    !datesFollow(
      text,
      cited.map(({ dates }) => dates),
      numbers,
    )
  )
    return 'number_not_in_source';
  if ([...numbersIn(withoutDates(text))].some((number) => !numbers.has(number))) return 'number_not_in_source';
  const isSaid = (name: string): boolean =>
    names.has(name) || old.has(name) || cited.some(({ stems }) => stems.has(name));
  return namesIn(text).every(isSaid) ? null : 'name_not_in_source';
};

/** Stems of the names in a text. */
const namesIn = (text: string): string[] => {
  if (GERMAN.test(text)) return [];
  const names: string[] = [];
  let starts = true;
  const tokens = text.normalize('NFKC').split(/\s+/);
  for (const [index, token] of tokens.entries()) {
    const word = /\p{Lu}[\p{L}\p{M}\p{N}]*/u.exec(token)?.[0] ?? '';
    const isCapital = word !== '' && /^[^\p{L}]*\p{Lu}/u.test(token);
    const lower = word.toLowerCase();
    const isOwner = /['’]s\b/u.test(token) || PERSONS_VERB.test(tokens[index + 1] ?? '');
    if (isCapital && lower.length > 1 && !NO_NAME.has(lower) && !MONTH_OR_DAY.test(lower) && (!starts || isOwner))
      names.push(stemOf(lower));
    starts = /[.!?:"“»]$/u.test(token);
  }
  return names;
};
