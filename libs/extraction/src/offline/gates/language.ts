/** Determines which rules process a sentence. */
export type Language = 'en' | 'vi' | 'other';

const ENGLISH = new Set(
  (
    'the a an and or but so because i me my mine we us our you your he him his she her it its they them their this that these those there here ' +
    'am is are was were be been being have has had do does did will would can could should may might must not never no yes of to in on at for from with by about into over after before since until than as ' +
    "what which who where when how why if then too also just only really very much many some any all every each other another more most last next new i'm i've i'll i'd don't can't won't isn't it's that's let's " +
    'go went got get like love want need work live know think called named years old day week month year today yesterday tomorrow now time'
  ).split(' '),
);
/** Common short words of other languages that are not English words. */
const FOREIGN = new Set(
  (
    'el la los las una unos que y es estoy soy muy pero por para con mi yo tengo vivo llamo gusta hoy ' +
    'je tu il elle nous vous les des est suis et au aux dans avec pour mon ma mes pas habite ai une du de ne ' +
    'ich du er sie wir ihr das der ist bin und nicht mit mein meine wohne mag ein eine auf zu habe aber auch ' +
    'eu ele ela nós meu minha moro tenho gosto dois duas em não sou um uma os ' +
    'io lui lei noi mio mia abito chiamo ho sono e di che non il lo gli ' +
    'ik jij hij wij mijn woon hou van en het een niet maar ook met ben heb ' +
    'saya aku kamu dia kami tinggal di dan suka tidak yang ini itu adalah dengan untuk ' +
    'jag och är inte har det som på med min jeg og ikke ben bir ve bu için ja jest nie się ' +
    'toi mình tôi và ở là không của'
  ).split(' '),
);
/** Letters with diacritics that are unique to Vietnamese or far more common there. */
const VIETNAMESE_LETTER = /[ăđơưĂĐƠƯạảấầẩẫậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹ]/u;
const VIETNAMESE_WORDS = new Set(
  'tôi mình em anh chị tui tớ con bạn là có không ở và của rất đang đã sẽ thích sống làm tên với được một hai ba này nhà'.split(
    ' ',
  ),
);
const SURELY_VIETNAMESE = new Set(['tôi', 'mình', 'là', 'tên', 'và', 'không', 'ở', 'của', 'thích', 'làm', 'bạn']);
const MOST_FOREIGN_LETTERS = 0.3;

/**
 * Distinguishes English, Vietnamese and other languages by letters and common short words. Undecided text ("Waffles.")
 * counts as English, because it is usually a short answer.
 */
export const languageOf = (sentence: string): Language => {
  const letters = sentence.match(/\p{L}/gu)?.length ?? 0;
  if (letters === 0) return 'en';
  const latin = sentence.match(/\p{Script=Latin}/gu)?.length ?? 0;
  if (letters - latin > letters * MOST_FOREIGN_LETTERS) return 'other';
  const words =
    sentence
      .toLowerCase()
      .replaceAll('’', "'")
      .match(/[\p{L}][\p{L}\p{M}']*/gu) ?? [];
  const marked = words.filter((word) => VIETNAMESE_LETTER.test(word)).length;
  const vietnamese = words.filter((word) => VIETNAMESE_WORDS.has(word)).length;
  const english = words.filter((word) => ENGLISH.has(word) || word.startsWith("i'")).length;
  if (marked > 0 && vietnamese > 0 && marked + vietnamese > english) return 'vi';
  if (vietnamese >= 2 && vietnamese * 2 >= words.length && words.some((word) => SURELY_VIETNAMESE.has(word)))
    return 'vi';
  const foreign = words.filter((word) => FOREIGN.has(word) || /^[dlj]'\p{L}/u.test(word)).length;
  if (foreign > english || (foreign > 1 && foreign * 2 > english)) return 'other';
  return english === 0 && words.length > MOST_BARE_WORDS ? 'other' : 'en';
};
const MOST_BARE_WORDS = 4;

export const examples = [
  ['I live in São Paulo with my friend José.', 'en'],
  ['Waffles.', 'en'],
  ['Tôi sống ở Huế.', 'vi'],
  ['Em bị dị ứng với tôm.', 'vi'],
  ['Ich wohne in Kassel und mag Kaffee.', 'other'],
  ["J'habite à Nantes et je suis végétarien.", 'other'],
  ['私は東京に住んでいます。', 'other'],
  ['Saya tinggal di Bandung dan suka kopi.', 'other'],
] as const satisfies readonly (readonly [string, Language])[];
