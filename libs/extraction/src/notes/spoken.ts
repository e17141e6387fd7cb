import { withoutEnd } from '@turnkeeper/domain';
import { spelledAt } from '../numbers/spelled.js';
import type { Lexicon, NumberWords } from './languages/lexicon.js';
import { remembered } from './remembered.js';

/** A code or number as it is written, and where it was said. */
export interface Spoken {
  /** Without spaces; letters in upper case. */
  readonly value: string;
  readonly start: number;
  readonly end: number;
  readonly digits: number;
}

interface Token {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** "71-AA-208" is written as one code. */
const WRITTEN = String.raw`(?<![\p{L}\p{N}-])(?=[A-Z0-9-]*\d)(?=[A-Z0-9-]*[A-Z])[A-Z0-9]+(?:-[A-Z0-9]+)+(?![\p{L}\p{N}-])`;
/** A hyphen between letters joins number words: "thirty-four". */
const TOKEN = new RegExp(
  String.raw`${WRITTEN}|\p{Script=Han}|[\p{L}\p{M}]+(?:['’][\p{L}\p{M}]+)*|\p{N}+|(?!(?<=[\p{L}\p{M}])-\p{L})[^\s\p{L}\p{M}\p{N}]`,
  'gu',
);
const NATO =
  /^(?:alpha|alfa|bravo|charlie|delta|echo|foxtrot|golf|hotel|india|juliett?|kilo|lima|mike|november|oscar|papa|quebec|romeo|sierra|tango|uniform|victor|whiskey|xray|yankee|zulu)$/;
/** May stand inside a code without being part of it. */
const PAUSE =
  /^(?:[,.…，、]|uh|um|er|uhm|then|eh|äh|dann|euh|luego|ờ|rồi|呃|嗯|space|capital|uppercase|lowercase|letter|number|small)$/;
const CORRECTION = /^(?:sorry|no|wait|actually|perdón|nein|entschuldigung|pardon|non|não|desculpe|nhầm|不对|不)$/i;
const NO_PREFIX =
  /^(?:ID|NO|NR|PIN|OK|TV|AM|PM|CVV|CVC|SSN|EX|EXT|TEL|USD|EUR|GBP|CNY|VND|THE|AND|IS|AT|IN|ON|FOR|TO)$/;
/** A digit stands at most so often in a row. */
const MAX_TIMES = 4;
const DIGITS = /^\p{N}+$/u;

/**
 * The codes and numbers in a text, spelled and spoken in any mixture: "n g double four 7 1 2 b" is `NG44712B`,
 * "eighty one" is `81`. The parts of one code may be separated by spaces, commas and hesitation.
 */
export const spokenIn = remembered((text: string, { numbers }: Lexicon): readonly Spoken[] => {
  const reader = new CodeReader(text, numbers);
  const found: Spoken[] = [];
  for (let at = 0; at < reader.length;) {
    const read = reader.codeAt(at);
    if (read !== null) found.push(read.spoken);
    at = read?.next ?? at + 1;
  }
  return found;
});

/** Whether a correction stands between two codes, so that the second takes the place of the first. */
export const isCorrectedBetween = (text: string, one: Spoken, other: Spoken): boolean =>
  (text.slice(one.end, other.start).match(TOKEN) ?? []).some((word) => CORRECTION.test(word));

/** Some characters of a code, and how many tokens say them. */
interface Part {
  readonly characters: string;
  readonly used: number;
}

class CodeReader {
  private readonly tokens: readonly Token[];
  private readonly words: readonly string[];

  constructor(
    text: string,
    private readonly numbers: NumberWords,
  ) {
    this.tokens = [...text.matchAll(TOKEN)].map(({ 0: token, index }) => ({
      text: token,
      start: index,
      end: index + token.length,
    }));
    this.words = this.tokens.map((token) => token.text.toLowerCase());
  }

  get length(): number {
    return this.tokens.length;
  }

  /** The code that begins at a token, and the token after it. */
  codeAt(from: number): { readonly spoken: Spoken; readonly next: number } | null {
    let [code, next] = ['', from];
    for (let at = from; at < this.length;) {
      const part = this.partAt(at, code !== '');
      if (part !== null) {
        code += part.characters;
        next = at += part.used;
      } else if (code !== '' && PAUSE.test(this.word(at)) && !this.isDecimal(at)) at += 1;
      else break;
    }
    const digits = code.replace(/\D/g, '').length;
    const letters = code.replace(/[^\p{L}]/gu, '').length;
    const [first, last] = [this.tokens[from], this.tokens[next - 1]];
    if (first === undefined || last === undefined || (digits === 0 && letters < 2)) return null;
    const value = withoutEnd(letters === 0 ? code.replaceAll('O', '0') : code, /[-./]/);
    return { spoken: { value, start: first.start, end: last.end, digits }, next };
  }

  private word(at: number): string {
    return this.words[at] ?? '';
  }

  /** "49.90" and "1,280" are amounts. */
  private isDecimal(at: number): boolean {
    const [before, sign, after] = [this.tokens[at - 1], this.tokens[at], this.tokens[at + 1]];
    return (
      /^[.,]$/.test(sign?.text ?? '') && touch(before, sign) && touch(sign, after) && /^\p{N}/u.test(this.word(at + 1))
    );
  }

  /** @param isInside whether a part of the same code stands before it */
  private partAt(at: number, isInside: boolean): Part | null {
    const word = this.word(at);
    const { values, counter, repeat, signs } = this.numbers;
    const times = repeat.get(word);
    if (times !== undefined) {
      const used = counter?.has(this.word(at + 1)) === true ? 2 : 1;
      const one = this.singleAt(at + used, isInside);
      return one === null ? null : { characters: one.characters.repeat(times), used: used + one.used };
    }
    // "three fives"
    const count = values.get(word) ?? 0;
    const digit = values.get(this.word(at + 2)) ?? 10;
    if (isInside && count > 1 && count <= MAX_TIMES && counter?.has(this.word(at + 1)) === true && digit < 10)
      return { characters: String(digit).repeat(count), used: 3 };
    const sign = signs.get(word) ?? word;
    const goesOn = this.isPart(at + 1) || (PAUSE.test(this.word(at + 1)) && this.isPart(at + 2));
    if (isInside && /^[-/.]$/.test(sign) && goesOn && !PAUSE.test(word)) return { characters: sign, used: 1 };
    const number = spelledAt(this.words, at, this.numbers);
    if (number !== null) return { characters: String(number.value), used: number.used };
    return this.singleAt(at, isInside);
  }

  private isPart(at: number): boolean {
    const word = this.word(at);
    return DIGITS.test(word) || this.numbers.values.has(word) || this.numbers.repeat.has(word) || /^[a-z]$/.test(word);
  }

  /** Written digits, one spoken digit, or letters. */
  private singleAt(at: number, isInside: boolean): Part | null {
    const word = this.word(at);
    const digit = this.numbers.values.get(word) ?? 10;
    if (DIGITS.test(word)) return { characters: word.normalize('NFKC'), used: 1 };
    if (digit < 10) return { characters: String(digit), used: 1 };
    if (/^[a-z]$/.test(word) && this.isSpelled(at, isInside)) {
      const asIn = this.numbers.asIn.test(this.word(at + 1)) ? (this.word(at + 1) === 'as' ? 3 : 2) : 0;
      return { characters: word.toUpperCase(), used: 1 + asIn };
    }
    if (NATO.test(word) && (NATO.test(this.word(at + 1)) || NATO.test(this.word(at - 1))))
      return { characters: word.charAt(0).toUpperCase(), used: 1 };
    const isCode =
      (/-/.test(word) && /\d/.test(word)) || (!isInside && this.isPrefix(at)) || this.isJoined(at, isInside);
    return isCode ? { characters: word.toUpperCase(), used: 1 } : null;
  }

  /** Whether a letter stands for itself: "a" and "I" are words, unless a code is around them. */
  private isSpelled(at: number, isInside: boolean): boolean {
    if (this.numbers.asIn.test(this.word(at + 1))) return true;
    const isWord = /^[aioeyu]$/.test(this.word(at));
    if (isInside) return !isWord || this.isPart(at + 1) || at + 1 >= this.length || /^[.,!?]$/.test(this.word(at + 1));
    return this.isPart(at + 1) && (!isWord || /^(?:[a-z]|\p{N}+)$/u.test(this.word(at + 1)));
  }

  /** Capitals before a number are part of it, unless they say what kind of number it is: "SN 604 118". */
  private isPrefix(at: number): boolean {
    const [word, next] = [this.tokens[at]?.text ?? '', this.word(at + 1)];
    return /^[A-Z]{2,3}$/.test(word) && !NO_PREFIX.test(word) && /^\p{N}{2,}$/u.test(next);
  }

  /** Letters beside digits without a space: `TOKEN` splits "NG44712B". */
  private isJoined(at: number, isInside: boolean): boolean {
    const [before, token, after] = [this.tokens[at - 1], this.tokens[at], this.tokens[at + 1]];
    if (!/^[a-z]{1,4}$/.test(this.word(at))) return false;
    const isHyphen = after?.text === '-' && DIGITS.test(this.word(at + 2));
    return (
      (isInside && touch(before, token) && /[\p{N}-]/u.test(this.word(at - 1))) ||
      (touch(token, after) && (isHyphen || DIGITS.test(this.word(at + 1))))
    );
  }
}

/** Whether nothing stands between two tokens. */
const touch = (one: Token | undefined, other: Token | undefined): boolean =>
  one !== undefined && one.end === other?.start;
