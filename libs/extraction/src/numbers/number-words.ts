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
  /** Fractions of an hour, and whether the hour named is the next one ("quarter to five", "halb fünf"). */
  readonly clock: RegExp;
  /** Says that an hour from one to eleven may be after noon. */
  readonly afternoon: RegExp;
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

/** "einundachtzig": German writes units before tens in one word. */
const germanTens: readonly [string, number][] = [
  ...count('ein zwei drei vier fünf sechs sieben acht neun', 1).flatMap(([unit, low]) =>
    count('zwanzig dreißig/dreissig vierzig fünfzig sechzig siebzig achtzig neunzig', 20, 10).map(
      ([ten, high]): [string, number] => [`${unit}und${ten}`, high + low],
    ),
  ),
];

/** "veintiuno" */
const spanishTwenties = count(
  'veintiuno/veintiún veintidós/veintidos veintitrés/veintitres veinticuatro veinticinco veintiséis/veintiseis veintisiete veintiocho veintinueve',
  21,
);

const none = /(?!)/g;

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
    clock: /\b(half past|quarter past|quarter (?:to|of))\b/gi,
    afternoon: /\b(?:p\.?m|afternoon|evening|tonight|o['’]clock|half past|quarter|noon)\b/i,
  },
  {
    sign: /[äöüß]|\b(?:der|die|das|und|ist|ich|nicht|mit|für|um|uhr)\b/i,
    values: new Map([
      ...count(
        'null eins/ein/eine/einen zwei/zwo drei vier fünf sechs sieben acht neun zehn elf zwölf/dutzend dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn',
      ),
      ...count('zwanzig dreißig/dreissig vierzig fünfzig sechzig siebzig achtzig neunzig', 20, 10),
      ...germanTens,
    ]),
    scales: map('hundert=100 tausend=1000'),
    and: new Set(['und']),
    repeats: map('doppel=2 zweimal=2 dreimal=3'),
    clock: /\b(halb|viertel nach|viertel vor)\b/gi,
    afternoon: /\b(?:nachmittags?|abends?|uhr|halb|viertel)\b/i,
    nounsHaveCapitals: true,
  },
  {
    sign: /[ñ¿¡áíóú]|\b(?:el|la|los|que|una?|por|para|con|mi|es)\b/i,
    values: new Map([
      ...count(
        'cero uno/un/una dos tres cuatro cinco seis siete ocho nueve diez once doce/docena trece catorce quince dieciséis/dieciseis diecisiete dieciocho diecinueve',
      ),
      ...count('veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa', 20, 10),
      ...count('cien/ciento doscientos/doscientas trescientos/trescientas cuatrocientos quinientos', 100, 100),
      ...spanishTwenties,
    ]),
    scales: map('mil=1000'),
    and: new Set(['y']),
    repeats: map('doble=2 triple=3'),
    clock: /(?<!\p{L})(y media|y cuarto|menos cuarto)(?!\p{L})/giu,
    afternoon: /\b(?:tarde|noche|y media|y cuarto|menos cuarto)\b/i,
  },
  {
    sign: /[àâçèêëîïôùû]|\b(?:le|les|des|est|je|une?|pour|avec|mon|ma)\b/i,
    values: new Map([
      ...count(
        'zéro un/une deux trois quatre cinq six sept huit neuf dix onze douze/douzaine treize quatorze quinze seize',
      ),
      ...count('vingt trente quarante cinquante soixante', 20, 10),
    ]),
    scales: map('cent=100 cents=100 mille=1000'),
    and: new Set(['et']),
    repeats: map('double=2 triple=3'),
    clock: /\b(et demie|et quart|moins le quart)(?!\p{L})/giu,
    afternoon: /\b(?:après-midi|soir|heures?|demie|quart)\b/i,
  },
  {
    sign: /[ăđơưạảấầẩẫậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹ]/i,
    values: new Map(count('không một/mốt hai ba bốn/tư năm/lăm sáu bảy tám chín mười')),
    scales: map('mươi=10 trăm=100 nghìn=1000 ngàn=1000'),
    and: new Set(['lẻ', 'linh']),
    repeats: new Map(),
    clock: /(?<!\p{L})(rưỡi)(?!\p{L})/giu,
    afternoon: /(?<!\p{L})(?:chiều|tối|giờ)(?!\p{L})/iu,
  },
  {
    sign: /\p{Script=Han}/u,
    values: new Map(count('零/〇 一 二/两/兩 三 四 五 六 七 八 九')),
    scales: map('十=10 百=100 千=1000 万=10000 萬=10000'),
    and: new Set(),
    repeats: new Map(),
    clock: none,
    afternoon: /下午|晚上|点|點/,
  },
];
