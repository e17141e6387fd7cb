/** The number words of one language. Adding a language needs a line in each table. */
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
  readonly rewritten?: readonly (readonly [RegExp, string])[];
  /** Tens to which numbers up to 19 are added ("soixante-douze"). Default: none. */
  readonly longTens?: readonly number[];
  /** Default false. */
  readonly nounsHaveCapitals?: boolean;
}

/** @param from value of the first word; the next ones are `step` more each. Alternatives are joined by `/` */
const count = (words: string, from = 0, step = 1): [string, number][] =>
  words
    .split(' ')
    .flatMap((group, index) => group.split('/').map((word): [string, number] => [word, from + index * step]));

const map = (words: string): ReadonlyMap<string, number> =>
  new Map(
    words.split(' ').map((entry): [string, number] => {
      const [word = '', value = ''] = entry.split('=');
      return [word, Number(value)];
    }),
  );

const germanUnits = count(
  'null eins/ein/eine/einen zwei/zwo drei vier fünf sechs sieben acht neun zehn elf zwölf/dutzend dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn',
);
const germanTens = count('zwanzig dreißig/dreissig vierzig fünfzig sechzig siebzig achtzig neunzig', 20, 10);
/** "einundachtzig": German writes units before tens in one word. */
const germanPairs = count('ein zwei drei vier fünf sechs sieben acht neun', 1).flatMap(([unit, low]) =>
  germanTens.map(([ten, high]): [string, number] => [`${unit}und${ten}`, high + low]),
);
/** "siebenundzwanzigsten" */
const germanOrdinals = [
  ...germanUnits.map(([word, value]): [string, number] => [`${word}t`, value]),
  ...[...germanTens, ...germanPairs].map(([word, value]): [string, number] => [`${word}st`, value]),
  ...count('erst zweit dritt', 1),
  ...count('siebt acht', 7),
].flatMap(([stem, value]) => ['e', 'en', 'er', 'es', 'em'].map((end): [string, number] => [stem + end, value]));

/** "veintiuno" */
const spanishTwenties = count(
  'veintiuno/veintiún veintidós/veintidos veintitrés/veintitres veinticuatro veinticinco veintiséis/veintiseis veintisiete veintiocho veintinueve',
  21,
);

export const NUMBER_WORDS: readonly NumberWords[] = [
  {
    sign: /[a-z]/i,
    values: new Map([
      ...count(
        'zero/oh/o/nought one/first two/second three/third four/fourth five/fifth six/sixth seven/seventh eight/eighth nine/ninth ten/tenth eleven/eleventh twelve/twelfth/dozen thirteen/thirteenth fourteen/fourteenth fifteen/fifteenth sixteen/sixteenth seventeen/seventeenth eighteen/eighteenth nineteen/nineteenth',
      ),
      ...count('twenty/twentieth thirty/thirtieth forty fifty sixty seventy eighty ninety', 20, 10),
    ]),
    scales: map('hundred=100 thousand=1000 grand=1000 k=1000 million=1000000'),
    and: new Set(['and']),
    repeats: map('double=2 triple=3 treble=3'),
    fractions: /\b(?:half|quarters?)\b/gi,
    afternoon: /\b(?:p\.?m|afternoon|evening|tonight|o['’]clock|half|quarter|noon)\b/i,
  },
  {
    sign: /[äöüß]|\b(?:der|die|das|den|dem|und|ist|ich|nicht|mit|für|um|am|vom|zum|uhr)\b/i,
    values: new Map([...germanUnits, ...germanTens, ...germanPairs, ...germanOrdinals]),
    scales: map('hundert=100 tausend=1000'),
    and: new Set(['und']),
    repeats: map('doppel=2 zweimal=2 dreimal=3'),
    fractions: /(?:halb|viertel)/gi,
    afternoon: /\b(?:nachmittags?|abends?|uhr|halb|viertel)\b/i,
    rewritten: [
      [/hundert|tausend/g, ' $& '],
      [/einhalb/g, ' halb'],
    ],
    nounsHaveCapitals: true,
  },
  {
    sign: /[ñ¿¡áíóú]|\b(?:el|la|los|que|una?|por|para|con|mi|es)\b/i,
    values: new Map([
      ...count(
        'cero uno/un/una/primero/primera dos tres cuatro cinco seis siete ocho nueve diez once doce/docena trece catorce quince dieciséis/dieciseis diecisiete dieciocho diecinueve',
      ),
      ...count('veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa', 20, 10),
      ...count(
        'cien/ciento doscientos/doscientas trescientos/trescientas cuatrocientos/cuatrocientas quinientos/quinientas seiscientos/seiscientas setecientos/setecientas ochocientos/ochocientas novecientos/novecientas',
        100,
        100,
      ),
      ...spanishTwenties,
    ]),
    scales: map('mil=1000'),
    and: new Set(['y']),
    repeats: map('doble=2 triple=3'),
    fractions: /(?<!\p{L})(?:medi[ao]|cuartos?)(?!\p{L})/giu,
    afternoon: /\b(?:tarde|noche|y media|y cuarto|menos cuarto)\b/i,
  },
  {
    sign: /[àâçèêëîïôùû]|\b(?:le|les|des|est|je|une?|pour|avec|mon|ma)\b/i,
    values: new Map([
      ...count(
        'zéro un/une/premier/première deux trois quatre cinq six sept huit neuf dix onze douze/douzaine treize quatorze quinze seize dixsept dixhuit dixneuf',
      ),
      ...count('vingt trente quarante cinquante soixante', 20, 10),
      ['quatrevingt', 80],
    ]),
    scales: map('cent=100 cents=100 mille=1000'),
    and: new Set(['et']),
    repeats: map('double=2 triple=3'),
    fractions: /(?<!\p{L})(?:demie?|quarts?)(?!\p{L})/giu,
    afternoon: /\b(?:après-midi|soir|heures?|demie|quart)\b/i,
    rewritten: [
      [/\bquatre[ -]vingts?\b/g, 'quatrevingt'],
      [/\bdix[ -](?=(?:sept|huit|neuf)\b)/g, 'dix'],
    ],
    longTens: [60, 80],
  },
  {
    sign: /[ãõçáâêíóôú]|\b(?:o|os|que|uma?|por|para|com|meu|é|não)\b/i,
    values: new Map([
      ...count(
        'zero um/uma/primeiro/primeira dois/duas três/tres quatro cinco seis/meia sete oito nove dez onze doze/dúzia treze quatorze/catorze quinze dezesseis/dezasseis dezessete/dezassete dezoito dezenove/dezanove',
      ),
      ...count('vinte trinta quarenta cinquenta sessenta setenta oitenta noventa', 20, 10),
      ...count(
        'cem/cento duzentos/duzentas trezentos/trezentas quatrocentos/quatrocentas quinhentos/quinhentas seiscentos/seiscentas setecentos/setecentas oitocentos/oitocentas novecentos/novecentas',
        100,
        100,
      ),
    ]),
    scales: map('mil=1000'),
    and: new Set(['e']),
    repeats: map('duplo=2 triplo=3'),
    fractions: /(?<!\p{L})(?:mei[ao]|quartos?)(?!\p{L})/giu,
    afternoon: /\b(?:tarde|noite|e meia|e quarto)\b/i,
  },
  {
    sign: /[ăđơưạảấầẩẫậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹ]/i,
    values: new Map(count('không một/mốt hai ba bốn/tư năm/lăm sáu bảy tám chín mười')),
    scales: map('mươi=10 trăm=100 nghìn=1000 ngàn=1000'),
    and: new Set(['lẻ', 'linh']),
    repeats: new Map(),
    fractions: /(?<!\p{L})(?:rưỡi|nửa)(?!\p{L})/giu,
    afternoon: /(?<!\p{L})(?:chiều|tối|giờ)(?!\p{L})/iu,
  },
  {
    sign: /\p{Script=Han}/u,
    values: new Map(count('零/〇 一 二/两/兩 三 四 五 六 七 八 九')),
    scales: map('十=10 百=100 千=1000 万=10000 萬=10000'),
    and: new Set(),
    repeats: new Map(),
    fractions: /半/g,
    afternoon: /下午|晚上|点|點/,
  },
];
