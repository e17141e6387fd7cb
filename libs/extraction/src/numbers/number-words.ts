import { LEXICONS } from '../notes/languages/language.js';
import { counted, countsOf, type LanguageCode, type NumberWords } from '../notes/languages/lexicon.js';

/** The number words of one language that a fact's numbers are checked with. */
export interface CheckedWords extends NumberWords {
  readonly code: LanguageCode;
  /** Marks the language: words and signs that occur in most of its sentences. */
  readonly sign: RegExp;
  /** Halves and quarters: "half past four", "halb fünf", "six and a half". */
  readonly fractions: RegExp;
  /** Says that an hour from one to eleven may be after noon. */
  readonly afternoon: RegExp;
  /** Numbers that mean something else where no number stands beside them: "không" is "not", "năm" is "year". */
  readonly unsure?: RegExp;
}

/** What a language has beside the numbers of its lexicon. */
interface Further extends Pick<CheckedWords, 'sign' | 'fractions' | 'afternoon' | 'unsure'> {
  readonly values?: ReadonlyMap<string, number>;
  readonly scales?: ReadonlyMap<string, number>;
}

const FURTHER: Readonly<Record<LanguageCode, Further>> = {
  en: {
    sign: /[a-z]/i,
    values: new Map([
      ...counted(
        'o first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth/dozen thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth',
      ),
      ['thirtieth', 30],
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
  },
  es: {
    sign: /[ñ¿¡áíóú]|\b(?:el|la|los|que|una?|por|para|con|mi|es)\b/i,
    values: new Map([
      ...countsOf('primero=1 primera=1 docena=12'),
      ...counted(
        'doscientos/doscientas trescientos/trescientas cuatrocientos/cuatrocientas quinientos/quinientas seiscientos/seiscientas setecientos/setecientas ochocientos/ochocientas novecientos/novecientas',
        200,
        100,
      ),
    ]),
    fractions: /(?<!\p{L})(?:medi[ao]|cuartos?)(?!\p{L})/giu,
    afternoon: /\b(?:tarde|noche|y media|y cuarto|menos cuarto)\b/i,
  },
  fr: {
    sign: /[àâçèêëîïôùû]|\b(?:le|les|des|est|je|une?|pour|avec|mon|ma)\b/i,
    values: countsOf('premier=1 première=1 douzaine=12'),
    fractions: /(?<!\p{L})(?:demie?|quarts?)(?!\p{L})/giu,
    afternoon: /\b(?:après-midi|soir|heures?|demie|quart)\b/i,
  },
  pt: {
    sign: /[ãõçáâêíóôú]|\b(?:o|os|que|uma?|por|para|com|meu|é|não)\b/i,
    values: new Map([
      ...countsOf('primeiro=1 primeira=1 dúzia=12'),
      ...counted(
        'duzentos/duzentas trezentos/trezentas quatrocentos/quatrocentas quinhentos/quinhentas seiscentos/seiscentas setecentos/setecentas oitocentos/oitocentas novecentos/novecentas',
        200,
        100,
      ),
    ]),
    fractions: /(?<!\p{L})(?:mei[ao]|quartos?)(?!\p{L})/giu,
    afternoon: /\b(?:tarde|noite|e meia|e quarto)\b/i,
  },
  vi: {
    sign: /[ăđơưạảấầẩẫậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹ]/i,
    unsure: /^(?:không|năm)$/,
    fractions: /(?<!\p{L})(?:rưỡi|nửa)(?!\p{L})/giu,
    afternoon: /(?<!\p{L})(?:chiều|tối|giờ)(?!\p{L})/iu,
  },
  zh: {
    sign: /\p{Script=Han}/u,
    values: countsOf('兩=2'),
    scales: countsOf('万=10000 萬=10000'),
    fractions: /半/g,
    afternoon: /下午|晚上|点|點/,
  },
};

/** "siebenundzwanzigsten": German ordinals of its numbers. */
const ordinalsOf = (values: ReadonlyMap<string, number>): [string, number][] =>
  [...values, ...countsOf('ers=1 drit=3 sieb=7 ach=8')].flatMap(([word, value]) =>
    ['te', 'ten', 'ter', 'tes', 'tem'].map((end): [string, number] => [word + (value < 20 ? '' : 's') + end, value]),
  );

export const NUMBER_WORDS: readonly CheckedWords[] = LEXICONS.map(({ code, numbers }) => {
  const { values = [], scales = [], ...rest } = FURTHER[code];
  const all = new Map([...numbers.values, ...values]);
  return {
    ...{ code, ...numbers, ...rest, scales: new Map([...numbers.scales, ...scales]) },
    values: code === 'de' ? new Map([...all, ...ordinalsOf(all)]) : all,
  };
});
