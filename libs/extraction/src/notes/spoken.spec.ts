import { describe, expect, it } from 'vitest';
import { DE } from './languages/de.js';
import { EN } from './languages/en.js';
import { ES } from './languages/es.js';
import { FR } from './languages/fr.js';
import type { Lexicon } from './languages/lexicon.js';
import { PT } from './languages/pt.js';
import { LEXICONS } from './languages/language.js';
import { VI } from './languages/vi.js';
import { ZH } from './languages/zh.js';
import { notesIn } from './notes.js';
import { spokenIn } from './spoken.js';

/** Pseudo-random, the same in every run. */
const randomFrom = (seed: number) => (below: number) => {
  seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
  return Math.floor((seed / 2_147_483_648) * below);
};

interface Speech {
  readonly lexicon: Lexicon;
  readonly question: string;
  readonly digits: readonly string[];
  /** Two digits said as one number, by that number. */
  readonly pair: (tens: number, units: number) => string | null;
  readonly double: string | null;
  readonly letters: boolean;
  readonly joiner: string;
}

const words = (text: string) => text.split(' ');
const EN_TENS = words('twenty thirty forty fifty sixty seventy eighty ninety');
const ES_TENS = words('treinta cuarenta cincuenta sesenta setenta ochenta noventa');
const DE_TENS = words('zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig');
const DE_UNITS = words('ein zwei drei vier fünf sechs sieben acht neun');
const PT_TENS = words('vinte trinta quarenta cinquenta sessenta setenta oitenta noventa');

const english = words('zero one two three four five six seven eight nine');
const spanish = words('cero uno dos tres cuatro cinco seis siete ocho nueve');
const portuguese = words('zero um dois três quatro cinco seis sete oito nove');
const vietnamese = words('không một hai ba bốn năm sáu bảy tám chín');
const chinese = words('零 一 二 三 四 五 六 七 八 九');

const SPEECHES: readonly Speech[] = [
  {
    ...{
      lexicon: EN,
      question: 'What is your policy number?',
      digits: english,
      double: 'double',
      letters: true,
      joiner: ' ',
    },
    pair: (tens, units) => (tens < 2 || units === 0 ? null : `${EN_TENS[tens - 2]} ${english[units]}`),
  },
  {
    ...{
      lexicon: ES,
      question: '¿Cuál es su número de póliza?',
      digits: spanish,
      double: 'doble',
      letters: true,
      joiner: ' ',
    },
    pair: (tens, units) => (tens < 3 || units === 0 ? null : `${ES_TENS[tens - 3]} y ${spanish[units]}`),
  },
  {
    lexicon: DE,
    question: 'Wie lautet Ihre Versicherungsnummer?',
    digits: words('null eins zwei drei vier fünf sechs sieben acht neun'),
    ...{ double: 'doppel', letters: true, joiner: ' ' },
    pair: (tens, units) => (tens < 2 || units === 0 ? null : `${DE_UNITS[units - 1]}und${DE_TENS[tens - 2]}`),
  },
  {
    ...{
      lexicon: PT,
      question: 'Qual é o número da sua apólice?',
      digits: portuguese,
      double: null,
      letters: false,
      joiner: ' ',
    },
    pair: (tens, units) => (tens < 2 || units === 0 ? null : `${PT_TENS[tens - 2]} e ${portuguese[units]}`),
  },
  {
    lexicon: FR,
    question: 'Quel est votre numéro de police ?',
    digits: words('zéro un deux trois quatre cinq six sept huit neuf'),
    ...{ double: null, letters: false, joiner: ' ' },
    pair: (tens, units) =>
      tens === 8 && units > 1
        ? `quatre-vingt-${words('un deux trois quatre cinq six sept huit neuf')[units - 1]}`
        : null,
  },
  {
    ...{
      lexicon: VI,
      question: 'Anh cho em xin số hợp đồng ạ?',
      digits: vietnamese,
      double: null,
      letters: false,
      joiner: ' ',
    },
    pair: (tens, units) => (tens < 2 || units < 2 ? null : `${vietnamese[tens]} mươi ${vietnamese[units]}`),
  },
  {
    ...{ lexicon: ZH, question: '请问您的保单号是多少？', digits: chinese, double: null, letters: false, joiner: '' },
    pair: () => null,
  },
];

/** A code and one way to say it. */
const said = ({ digits, pair, double, letters, joiner }: Speech, random: (below: number) => number) => {
  const parts: string[] = [];
  let code = '';
  if (letters)
    for (let count = 2 + random(2); count > 0; count -= 1) {
      const letter = 'bcdfghjklmnpqrstvwxz'.charAt(random(20));
      code += letter.toUpperCase();
      parts.push(letter);
    }
  let last = -1;
  for (let count = 5 + random(4); count > 0; count -= 1) {
    // Two equal digits or two tens in a row could be said in another way as well.
    let digit = random(10);
    if (digit === last) digit = (digit + 1) % 10;
    last = digit;
    const units = (digit + 1 + random(8)) % 10;
    const asPair = random(4) === 0 ? pair(digit, units) : null;
    const way = random(5);
    if (asPair !== null) {
      code += `${digit}${units}`;
      parts.push(asPair);
      last = units;
    } else if (way === 0 && double !== null) {
      code += `${digit}${digit}`;
      parts.push(double, digits[digit] as string);
    } else if (way === 1 && joiner !== '') {
      code += String(digit);
      parts.push(String(digit));
    } else {
      code += String(digit);
      parts.push(digits[digit] as string);
    }
  }
  return { code, speech: parts.join(joiner) };
};

const CASES = SPEECHES.flatMap((speech) => {
  const random = randomFrom(7 + speech.lexicon.code.charCodeAt(0));
  return Array.from({ length: 60 }, () => ({
    ...said(speech, random),
    language: speech.lexicon.code,
    question: speech.question,
  }));
});

const lexiconOf = (code: string): Lexicon => LEXICONS.find((lexicon) => lexicon.code === code.toLowerCase()) ?? EN;

const messageOf = (role: string, content: string, sequence: number) => ({
  ...{ eventId: `e${sequence}`, sequence, role, content },
  ...{ speaker: null, at: '2026-03-04T12:00:00Z', source: null },
});

describe('spoken numbers', () => {
  it('are noted as they were said, with the written form beside them', () => {
    expect(CASES.length).toBeGreaterThanOrEqual(400);
    const wrong = CASES.flatMap(({ code, speech, language, question }) => {
      const messages = [messageOf('assistant', question, 1), messageOf('user', speech, 2)];
      const { notes } = notesIn(messages, []);
      const texts = notes.map(({ candidate }) => candidate.text);
      const values = notes.map(({ candidate }) => candidate.attribute?.value);
      expect(texts).toEqual([`Asked "${question}", User said: "${speech}"`]);
      return values[0] === code ? [] : [`${language}: ${speech} is ${code}, not ${values[0]}`];
    });
    expect(wrong).toEqual([]);
  });

  it.each([
    ['EN', 'it is n g double four 7 1 2 b', 'NG44712B'],
    ['EN', 'n as in november, g as in golf, four four seven', 'NG447'],
    ['EN', 'november golf 4 4 seven', 'NG447'],
    ['EN', 'oh seven seven double oh nine one two three four', '0770091234'],
    ['EN', 'triple two nineteen eighty four', '2221984'],
    ['EN', 'a b dash one two', 'AB-12'],
    ['EN', 'AC-1047', 'AC-1047'],
    ['EN', 'eighty one', '81'],
    ['EN', 'four hundred and twenty one', '421'],
    ['EN', 'uh 4 4, um, 7', '447'],
    ['ES', 'ochenta y uno', '81'],
    ['DE', 'einundachtzig', '81'],
    ['FR', 'soixante-douze quatre-vingt-un', '7281'],
    ['PT', 'meia sete', '67'],
    ['VI', 'tám mươi mốt', '81'],
    ['VI', 'mười hai', '12'],
    ['ZH', '八十一', '81'],
    ['ZH', '幺三八', '138'],
  ])('%s: %s', (code, text, value) => {
    expect(spokenIn(text, lexiconOf(code))[0]?.value).toBe(value);
  });

  it.each([
    ['EN', 'I need a table'],
    ['EN', 'i am a nurse'],
    ['DE', 'ich habe einen Hund'],
    ['ES', 'y a mi me gusta'],
    ['ZH', '我想订位'],
  ])('%s: none in %s', (code, text) => {
    expect(spokenIn(text, lexiconOf(code))).toEqual([]);
  });
});
