/** The words of one language that notes depend on. A language without a lexicon is read with the signals that need none. */
export interface Lexicon {
  readonly code: LanguageCode;
  /** Words without content of their own; they also tell the language. */
  readonly stop: ReadonlySet<string>;
  /** Greetings, thanks, fillers and backchannel. A message of these and stop words alone says nothing. */
  readonly idle: ReadonlySet<string>;
  /** What friends tell each other of feelings and hopes. Between people, a message of these alone says nothing. */
  readonly feelings?: ReadonlySet<string>;
  /**
   * Offers of help, farewells, and what is over in a minute ("one moment"); an answer to an offer needs no question
   * beside it.
   */
  readonly smallTalk: RegExp;
  /** Asks for something without a question mark. */
  readonly asks: RegExp;
  /** The speaker's self. */
  readonly self: RegExp;
  /** A wish, a request or a need. */
  readonly wants: RegExp;
  /** A like, dislike, habit or constraint. */
  readonly prefers: RegExp;
  /** What the speaker is going to do. */
  readonly plans: RegExp;
  /** What an agent did or promises to do for the other side. */
  readonly commits: RegExp;
  /** What an agent tells the other side to do: "please bring". */
  readonly instructs: RegExp;
  /** The listener: "you", "your". */
  readonly addresses: RegExp;
  /** Consent at the start of a message. */
  readonly agrees: RegExp;
  /** Denial at the start of a message. */
  readonly denies: RegExp;
  /** A value is put in place of another one. */
  readonly corrects: RegExp;
  /** A further value beside another one, or one that holds no longer. */
  readonly another: RegExp;
  /** Whose value it is, if not the speaker's; the first group is quoted as the subject. */
  readonly ofOther: RegExp;
  /** Words for days that depend on when they were said. */
  readonly relativeDay: RegExp;
  /** Before a name: "my name is". */
  readonly beforeName: RegExp;
  /** Before the place where the speaker lives now; the value follows. */
  readonly beforeHome: RegExp;
  readonly numbers: NumberWords;
}

export type LanguageCode = 'en' | 'es' | 'de' | 'fr' | 'pt' | 'vi' | 'zh';

/** How numbers and codes are spoken. */
export interface NumberWords {
  /** Digits, tens, and compounds that are one word. */
  readonly values: ReadonlyMap<string, number>;
  /** Multiply what stands before them: "hundred". */
  readonly scales: ReadonlyMap<string, number>;
  /** Two words that are one number: "quatre vingt". */
  readonly pairs?: ReadonlyMap<string, number>;
  /** Tens to which numbers up to 19 are added ("soixante-douze"), or which no list of compounds completes ("mười hai"). */
  readonly longTens?: readonly number[];
  /** Between tens and units, and within numbers: "ochenta y uno". */
  readonly and: ReadonlySet<string>;
  /** "double", "triple": how often the next character stands. */
  readonly repeat: ReadonlyMap<string, number>;
  /** Between how often a digit stands and the digit: "三个五", "hai số năm", "dreimal die fünf". */
  readonly counter?: ReadonlySet<string>;
  /** Spoken punctuation: "dash", "at", "dot". */
  readonly signs: ReadonlyMap<string, string>;
  /** "n as in November", "b for bravo". */
  readonly asIn: RegExp;
}

const list = (text: string): readonly string[] => text.split(/\s+/).filter((word) => word !== '');
export const setOf = (text: string): ReadonlySet<string> => new Set(list(text));
/** `a=1 b=2`; `_` in a key is a space. */
export const mapOf = (text: string): ReadonlyMap<string, string> =>
  new Map(
    list(text).map((pair): [string, string] => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]),
  );
export const countsOf = (text: string): ReadonlyMap<string, number> =>
  new Map([...mapOf(text)].map(([word, count]) => [word, Number(count)]));
/** `zero one two` counted from a start in steps. */
export const counted = (text: string, from = 0, step = 1): ReadonlyMap<string, number> =>
  new Map(
    list(text).flatMap((words, index) => words.split('/').map((word): [string, number] => [word, from + index * step])),
  );

/** Whole words or phrases, in any case. `|` separates them. */
export const words = (alternatives: string, flags = 'iu'): RegExp =>
  new RegExp(`(?<![\\p{L}\\p{N}])(?:${alternatives})(?![\\p{L}\\p{N}])`, flags);
/** The same at the start of a text. */
export const opening = (alternatives: string): RegExp =>
  new RegExp(`^[\\s¿¡"“«]*(?:${alternatives})(?![\\p{L}\\p{N}])`, 'iu');
