import { type DateWords, dateWordsOf, datesFollow, withoutDates } from './dates.js';
import { allStems, contentStems, numbersIn, stemOf } from './words.js';

/** The words of a message, as far as proof needs them. Made once for each message, however many facts cite it. */
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

/** Why the words that a fact cites do not prove it. */
export type Unproven = 'quote_does_not_carry' | 'number_not_in_source' | 'name_not_in_source';

/** One shared word proves a short fact; a longer one needs one for every so many words of its own. */
const WORDS_PER_SHARED = 6;
const MONTH_OR_DAY =
  /^(?:january|february|march|april|may|june|july|august|september|october|november|december|monday|tuesday|wednesday|thursday|friday|saturday|sunday|christmas|easter)$/;
/** Names that extractors give to who speaks, and words that open a sentence. */
const NO_NAME = new Set(
  'user users assistant agent customer speaker người i the a an in on at over since from during after before until when while his her their they she he it there this that recently currently now'.split(
    ' ',
  ),
);
/** What only somebody does: what stands in front of it is a name, though every sentence begins with a capital. */
const PERSONS_VERB = /^(?:lives|works|likes|loves|hates|owns|wants|plans|prefers|moved|married|adopted|knows)$/i;
/** German writes every noun with a capital: there a capital tells no name. */
const GERMAN = /\b(?:der|die|das|und|ist|hat|nicht|ein|eine|mit|für|wohnt|arbeitet|mag)\b/i;

/**
 * Holds a fact against the words that it cites: its quotes share a minimum of content words with it, and its numbers and
 * names stand in the messages cited. Of a name in front of the sentence only one that owns or does something is seen as
 * a name.
 *
 * @param quotes the quotes of all its sources
 * @param cited the messages that they are from
 * @param speakers names of those who speak, which need no source
 * @param restated the existing record that the fact restates; its words need none either
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

/** The names of a text, by their stems. */
const namesIn = (text: string): string[] => {
  if (GERMAN.test(text)) return [];
  const names: string[] = [];
  let starts = true;
  const tokens = text.normalize('NFKC').split(/\s+/);
  for (const [index, token] of tokens.entries()) {
    const word = /\p{Lu}[\p{L}\p{M}]*/u.exec(token)?.[0] ?? '';
    const isCapital = word !== '' && /^[^\p{L}]*\p{Lu}/u.test(token);
    const lower = word.toLowerCase();
    const isOwner = /['’]s\b/u.test(token) || PERSONS_VERB.test(tokens[index + 1] ?? '');
    if (isCapital && lower.length > 1 && !NO_NAME.has(lower) && !MONTH_OR_DAY.test(lower) && (!starts || isOwner))
      names.push(stemOf(lower));
    starts = /[.!?:"“»]$/u.test(token);
  }
  return names;
};
