import { LEXICONS } from '../notes/languages/language.js';
import { counted, countsOf, type LanguageCode, setOf } from '../notes/languages/lexicon.js';

/** The number words of one language. */
export interface NumberWords {
  /** Marks the language: words and signs that occur in most of its sentences. */
  readonly sign: RegExp;
  readonly values: ReadonlyMap<string, number>;
  /** Multiply what stands before them. */
  readonly scales: ReadonlyMap<string, number>;
  /** May stand between tens and units, or between hundreds and tens. */
  readonly and: ReadonlySet<string>;
  /** The next digit is said this number of times. */
  readonly repeats: ReadonlyMap<string, number>;
  /** Halves and quarters: "half past four", "halb fünf", "six and a half". */
  readonly fractions: RegExp;
  /** Says that an hour from one to eleven may be after noon. */
  readonly afternoon: RegExp;
  /** Words that are read as several ("zweihundertvierzig"), or several that are read as one ("quatre-vingt"). */
  readonly rewritten: readonly (readonly [RegExp, string])[];
  /** Tens to which numbers up to 19 are added ("soixante-douze"). */
  readonly longTens: readonly number[];
  readonly nounsHaveCapitals: boolean;
}

/** What a language has beside the numbers of its lexicon. */
interface Further extends Pick<NumberWords, 'sign' | 'fractions' | 'afternoon'> {
  readonly values?: ReadonlyMap<string, number | string>;
  readonly scales?: ReadonlyMap<string, number>;
  readonly and?: ReadonlySet<string>;
  readonly rewritten?: NumberWords['rewritten'];
  readonly longTens?: readonly number[];
}

const FURTHER: Readonly<Record<LanguageCode, Further>> = {
  en: {
    sign: /[a-z]/i,
    values: new Map<string, number | string>([
      ...counted(
        'o first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth/dozen thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth',
      ),
      ['thirtieth', '30'],
    ]),
    scales: countsOf('grand=1000 k=1000 million=1000000'),
    fractions: /\b(?:half|quarters?)\b/gi,
    afternoon: /\b(?:p\.?m|afternoon|evening|tonight|o['’]clock|half|quarter|noon)\b/i,
  },
  de: {
    sign: /[äöüß]|\b(?:der|die|das|den|dem|und|ist|ich|nicht|mit|für|um|am|vom|zum|uhr)\b/i,
    values: countsOf('eine=1 einen=1 dutzend=12 dreissig=30'),
    fractions: /(?:halb|viertel)/gi,
    afternoon: /\b(?:nachmittags?|abends?|uhr|halb|viertel)\b/i,
    rewritten: [
      [/hundert|tausend/g, ' $& '],
      [/einhalb/g, ' halb'],
    ],
  },
  es: {
    sign: /[ñ¿¡áíóú]|\b(?:el|la|los|que|una?|por|para|con|mi|es)\b/i,
    values: new Map<string, number | string>([
      ...countsOf('primero=1 primera=1 docena=12 veintidos=22 veintitres=23 veintiseis=26'),
      ...counted(
        'cien/ciento doscientos/doscientas trescientos/trescientas cuatrocientos/cuatrocientas quinientos/quinientas seiscientos/seiscientas setecientos/setecientas ochocientos/ochocientas novecientos/novecientas',
        100,
        100,
      ),
    ]),
    fractions: /(?<!\p{L})(?:medi[ao]|cuartos?)(?!\p{L})/giu,
    afternoon: /\b(?:tarde|noche|y media|y cuarto|menos cuarto)\b/i,
  },
  fr: {
    sign: /[àâçèêëîïôùû]|\b(?:le|les|des|est|je|une?|pour|avec|mon|ma)\b/i,
    values: countsOf('premier=1 première=1 douzaine=12 dixsept=17 dixhuit=18 dixneuf=19 quatrevingt=80'),
    fractions: /(?<!\p{L})(?:demie?|quarts?)(?!\p{L})/giu,
    afternoon: /\b(?:après-midi|soir|heures?|demie|quart)\b/i,
    rewritten: [
      [/\bquatre[ -]vingts?\b/g, 'quatrevingt'],
      [/\bdix[ -](?=(?:sept|huit|neuf)\b)/g, 'dix'],
    ],
    longTens: [60, 80],
  },
  pt: {
    sign: /[ãõçáâêíóôú]|\b(?:o|os|que|uma?|por|para|com|meu|é|não)\b/i,
    values: new Map<string, number | string>([
      ...countsOf('primeiro=1 primeira=1 dúzia=12'),
      ...counted(
        'cem/cento duzentos/duzentas trezentos/trezentas quatrocentos/quatrocentas quinhentos/quinhentas seiscentos/seiscentas setecentos/setecentas oitocentos/oitocentas novecentos/novecentas',
        100,
        100,
      ),
    ]),
    fractions: /(?<!\p{L})(?:mei[ao]|quartos?)(?!\p{L})/giu,
    afternoon: /\b(?:tarde|noite|e meia|e quarto)\b/i,
  },
  vi: {
    sign: /[ăđơưạảấầẩẫậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹ]/i,
    scales: countsOf('mươi=10'),
    and: setOf('lẻ linh'),
    fractions: /(?<!\p{L})(?:rưỡi|nửa)(?!\p{L})/giu,
    afternoon: /(?<!\p{L})(?:chiều|tối|giờ)(?!\p{L})/iu,
  },
  zh: {
    sign: /\p{Script=Han}/u,
    values: countsOf('兩=2'),
    scales: countsOf('十=10 万=10000 萬=10000'),
    and: setOf(''),
    fractions: /半/g,
    afternoon: /下午|晚上|点|點/,
  },
};

/** "siebenundzwanzigsten": German ordinals of its numbers. */
const ordinalsOf = (values: ReadonlyMap<string, number>): [string, number][] =>
  [...values, ...countsOf('ers=1 drit=3 sieb=7 ach=8')].flatMap(([word, value]) =>
    ['te', 'ten', 'ter', 'tes', 'tem'].map((end): [string, number] => [word + (value < 20 ? '' : 's') + end, value]),
  );

export const NUMBER_WORDS: readonly (NumberWords & { readonly code: LanguageCode })[] = LEXICONS.map(
  ({ code, numbers }) => {
    const { values: more = new Map<string, number>(), scales: further = new Map(), ...rest } = FURTHER[code];
    const scales = new Map(
      [
        ...[...numbers.hundred].map((word) => [word, 100] as const),
        ...[...numbers.thousand].map((word) => [word, 1_000] as const),
        ...further,
      ].filter(([word]) => !more.has(word)),
    );
    const values = new Map(
      [...numbers.units, ...numbers.tens, ...more]
        .filter(([word]) => !scales.has(word))
        .map(([word, value]): [string, number] => [word, Number(value)]),
    );
    return {
      ...{ code, and: numbers.and, repeats: numbers.repeat, rewritten: [], longTens: [], ...rest, scales },
      values: code === 'de' ? new Map([...values, ...ordinalsOf(values)]) : values,
      nounsHaveCapitals: code === 'de',
    };
  },
);
