import { withoutEnd } from '@turnkeeper/domain';
import type { Lexicon, NumberWords } from './languages/lexicon.js';

/** A code or number as it is written, and where it was said. */
export interface Spoken {
  /** Without spaces; letters in upper case. */
  readonly value: string;
  readonly start: number;
  readonly end: number;
  readonly digits: number;
  /** Whether any part of it was spoken as a word, e.g. "double five". */
  readonly inWords: boolean;
}

interface Token {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** "71-AA-208" is written as one code. */
const WRITTEN = String.raw`(?<![\p{L}\p{N}-])(?=[A-Z0-9-]*\d)(?=[A-Z0-9-]*[A-Z])[A-Z0-9]+(?:-[A-Z0-9]+)+(?![\p{L}\p{N}-])`;
const TOKEN = new RegExp(
  String.raw`${WRITTEN}|\p{Script=Han}|[\p{L}\p{M}]+(?:['’-][\p{L}\p{M}]+)*|\p{N}+|[^\s\p{L}\p{M}\p{N}]`,
  'gu',
);
const NATO = new Set(
  'alpha alfa bravo charlie delta echo foxtrot golf hotel india juliet juliett kilo lima mike november oscar papa quebec romeo sierra tango uniform victor whiskey xray x-ray yankee zulu'.split(
    ' ',
  ),
);
/** May stand inside a code without being part of it. */
const PAUSE =
  /^(?:[,.…，、]|uh|um|er|uhm|then|eh|äh|dann|euh|luego|ờ|rồi|呃|嗯|space|capital|uppercase|lowercase|letter|number|small)$/i;
const CORRECTION = /^(?:sorry|no|wait|actually|perdón|nein|entschuldigung|pardon|non|não|desculpe|nhầm|不对|不)$/i;

/**
 * The codes and numbers in a text, spelled and spoken in any mixture: "n g double four 7 1 2 b" is `NG44712B`,
 * "eighty one" is `81`. The parts of one code may be separated by spaces, commas and hesitation.
 */
export const spokenIn = (text: string, { numbers, code }: Lexicon): Spoken[] => {
  const tokens = [...text.matchAll(TOKEN)].map(({ 0: token, index }): Token => ({
    text: token,
    start: index,
    end: index + token.length,
  }));
  const found: Spoken[] = [];
  for (let at = 0; at < tokens.length;) {
    const run = new Run(tokens, at, numbers, code === 'zh');
    const read = run.read();
    if (read === null) at += 1;
    else {
      found.push(read.spoken);
      at = read.next;
    }
  }
  return found;
};

/** Whether a correction stands between two codes, so that the second takes the place of the first. */
export const isCorrectedBetween = (text: string, one: Spoken, other: Spoken): boolean =>
  (text.slice(one.end, other.start).match(TOKEN) ?? []).some((word) => CORRECTION.test(word));

const NO_PREFIX =
  /^(?:ID|NO|NR|PIN|OK|TV|AM|PM|CVV|CVC|SSN|EX|EXT|TEL|USD|EUR|GBP|CNY|VND|THE|AND|IS|AT|IN|ON|FOR|TO)$/;
/** A digit stands at most so often in a row. */
const MOST_TIMES = 4;

/** One code from a token on. */
class Run {
  private value = '';
  private digits = 0;
  private letters = 0;
  private inWords = false;
  private end: number;
  private at: number;
  /** The token after the last part of the code. */
  private next: number;

  constructor(
    private readonly tokens: readonly Token[],
    from: number,
    private readonly numbers: NumberWords,
    private readonly isChinese: boolean,
  ) {
    this.at = from;
    this.next = from;
    this.end = tokens[from]?.start ?? 0;
  }

  read(): { readonly spoken: Spoken; readonly next: number } | null {
    const start = this.tokens[this.at]?.start ?? 0;
    while (this.at < this.tokens.length) {
      const part = this.part();
      if (part !== null) {
        this.add(part);
        continue;
      }
      // A pause counts only where the code goes on.
      if (this.value === '' || !PAUSE.test(this.word(0)) || this.isDecimal()) break;
      this.at += 1;
    }
    if (this.digits === 0 && this.letters < 2) return null;
    const value = this.letters === 0 ? this.value.replaceAll('O', '0') : this.value;
    const { end, next, digits, inWords } = this;
    return { spoken: { value: withoutEnd(value, /[-./]/), start, end, digits, inWords }, next };
  }

  /** "49.90" and "1,280" are amounts. */
  private isDecimal(): boolean {
    const [sign, next] = [this.tokens[this.at], this.tokens[this.at + 1]];
    return (
      /^[.,]$/.test(sign?.text ?? '') &&
      sign?.start === this.end &&
      sign.end === next?.start &&
      /^\p{N}/u.test(next.text)
    );
  }

  private add(part: string): void {
    this.value += part;
    this.digits += part.replace(/\D/g, '').length;
    this.letters += part.replace(/[^\p{L}]/gu, '').length;
    this.next = this.at;
    this.end = this.tokens[this.at - 1]?.end ?? this.end;
  }

  private word(offset: number): string {
    return this.tokens[this.at + offset]?.text.toLowerCase() ?? '';
  }

  /** The characters that the next tokens say; null if they are not part of a code. */
  private part(): string | null {
    const word = this.word(0);
    const { repeat, signs } = this.numbers;
    const times = repeat.get(word);
    if (times !== undefined) {
      const from = this.at;
      this.at += this.isCounter(1) ? 2 : 1;
      const one = this.single();
      if (one === null) {
        this.at = from;
        return null;
      }
      this.inWords = true;
      return one.repeat(times);
    }
    const counted = this.counted();
    if (counted !== null) return counted;
    const sign = signs.get(word) ?? (/^[-/]$/.test(word) ? word : undefined);
    if (
      sign !== undefined &&
      this.value !== '' &&
      /[-/.]/.test(sign) &&
      (this.isPart(1) || (PAUSE.test(this.word(1)) && this.isPart(2)))
    ) {
      this.at += 1;
      return sign === '.' ? '.' : sign;
    }
    return this.isChinese ? (this.chineseNumber() ?? this.single()) : (this.number() ?? this.single());
  }

  private isCounter(offset: number): boolean {
    return this.numbers.counter?.has(this.word(offset)) === true;
  }

  /** Within a code, "three fives" is 555. */
  private counted(): string | null {
    const { units } = this.numbers;
    const times = Number(units.get(this.word(0)));
    const digit = units.get(this.word(2));
    const isCounted = this.value !== '' && times > 1 && times <= MOST_TIMES && this.isCounter(1);
    if (!isCounted || digit?.length !== 1) return null;
    this.at += 3;
    this.inWords = true;
    return digit.repeat(times);
  }

  private isPart(offset: number): boolean {
    const word = this.word(offset);
    const { units, tens, repeat } = this.numbers;
    return /^\p{N}+$/u.test(word) || units.has(word) || tens.has(word) || repeat.has(word) || /^[a-z]$/.test(word);
  }

  /** One digit or letter. */
  private single(): string | null {
    const word = this.word(0);
    if (/^\p{N}+$/u.test(word)) {
      this.at += 1;
      return word.normalize('NFKC');
    }
    if (/-/.test(word) && /\d/.test(word)) {
      this.at += 1;
      return word.toUpperCase();
    }
    const digit = this.numbers.units.get(word);
    if (digit !== undefined && digit.length === 1) {
      this.at += 1;
      this.inWords = true;
      return digit;
    }
    if (/^[a-z]$/.test(word) && this.isSpelled(word)) {
      this.at += 1;
      if (this.numbers.asIn.test(this.word(0))) this.at += /^as$/.test(this.word(0)) ? 3 : 2;
      return word.toUpperCase();
    }
    if (NATO.has(word) && (this.value !== '' || NATO.has(this.word(1)) || this.isPart(1))) {
      this.at += 1;
      return word.charAt(0).toUpperCase();
    }
    // "SN 604 118"
    if (this.value === '' && this.isPrefix()) {
      this.at += 1;
      return word.toUpperCase();
    }
    // "NG44712B" and "ng447" are one word with digits; `TOKEN` splits it.
    if (/^[a-z]{1,4}$/.test(word) && this.isJoined()) {
      this.at += 1;
      return word.toUpperCase();
    }
    return null;
  }

  /** Whether a letter stands for itself: "a" and "I" are words, unless a code is around them. */
  private isSpelled(letter: string): boolean {
    if (this.numbers.asIn.test(this.word(1))) return true;
    const isWord = /^[aioeyu]$/.test(letter);
    // Since the part before it, there were only pauses.
    if (this.value !== '')
      return !isWord || this.isPart(1) || this.at + 1 >= this.tokens.length || /^[.,!?]$/.test(this.word(1));
    return this.isPart(1) && (!isWord || /^(?:[a-z]|\p{N}+)$/u.test(this.word(1)));
  }

  /** Capitals before a number are part of it, unless they say what kind of number it is. */
  private isPrefix(): boolean {
    const [word, next] = [this.tokens[this.at]?.text ?? '', this.tokens[this.at + 1]];
    return /^[A-Z]{2,3}$/.test(word) && !NO_PREFIX.test(word) && /^\p{N}{2,}$/u.test(next?.text ?? '');
  }

  private isJoined(): boolean {
    const token = this.tokens[this.at];
    const [before, after] = [this.tokens[this.at - 1], this.tokens[this.at + 1]];
    if (token === undefined) return false;
    const touches = (one: Token | undefined, other: Token | undefined): boolean =>
      one !== undefined && other !== undefined && one.end === other.start;
    return (
      (touches(before, token) && /[\p{N}-]/u.test(before?.text ?? '') && this.value !== '') ||
      (touches(token, after) && /^[\p{N}]/u.test(after?.text ?? '')) ||
      (touches(token, after) && after?.text === '-' && /^\p{N}/u.test(this.tokens[this.at + 2]?.text ?? ''))
    );
  }

  /** A number of words: "eighty one", "four hundred and twenty", "two thousand". */
  private number(): string | null {
    const { units, tens, hundred, thousand } = this.numbers;
    const from = this.at;
    const below = this.belowHundred();
    if (below === null) return null;
    let value = below;
    const isMany = (word: string): boolean => hundred.has(word) || thousand.has(word);
    if (!isMany(this.word(0))) {
      this.inWords = true;
      return value;
    }
    let total = 0;
    let current = Number(value);
    while (isMany(this.word(0))) {
      if (hundred.has(this.word(0))) {
        this.at += 1;
        current *= 100;
      } else {
        this.at += 1;
        total += current * 1000;
        current = 0;
      }
      const beforeAnd = this.at;
      if (this.numbers.and.has(this.word(0))) this.at += 1;
      if (!units.has(this.word(0)) && !tens.has(this.word(0))) {
        this.at = beforeAnd;
        break;
      }
      const more = this.belowHundred();
      if (more === null) break;
      current += Number(more);
    }
    this.inWords = true;
    value = String(total + current);
    return this.at > from ? value : null;
  }

  private belowHundred(): string | null {
    const { units, tens, and } = this.numbers;
    const ten = tens.get(this.word(0));
    if (ten !== undefined) {
      this.at += 1;
      const offset = and.has(this.word(0)) ? 1 : 0;
      const unit = units.get(this.word(offset));
      if (unit !== undefined && unit.length === 1 && unit !== '0') {
        this.at += offset + 1;
        return String(Number(ten) + Number(unit));
      }
      return ten;
    }
    const unit = units.get(this.word(0));
    if (unit === undefined) return null;
    // Vietnamese: "tám mươi mốt".
    if (/^mươi$/.test(this.word(1)) && unit.length === 1) {
      const low = units.get(this.word(2));
      this.at += 2;
      if (low === undefined || low.length !== 1) return `${unit}0`;
      this.at += 1;
      return `${unit}${low}`;
    }
    this.at += 1;
    return unit;
  }

  /** "八十一", "三百二十"; single digits are read one by one. */
  private chineseNumber(): string | null {
    let run = '';
    while (/^[零〇一二两三四五六七八九十百千]$/.test(this.word(run.length))) run += this.word(run.length);
    if (!/[十百千]/.test(run)) return null;
    let [total, current] = [0, 0];
    for (const sign of run) {
      const scale = { 十: 10, 百: 100, 千: 1000 }[sign];
      if (scale === undefined) current = Number(this.numbers.units.get(sign) ?? 0);
      else {
        total += (current === 0 ? 1 : current) * scale;
        current = 0;
      }
    }
    this.at += run.length;
    this.inWords = true;
    return String(total + current);
  }
}
