/** Words that occur in every conversation, so sharing one proves nothing. */
const COMMON = new Set(
  (
    'a an the this that these those i me my mine myself we us our ours you your yours he him his she her hers it its they them their theirs themself themselves ' +
    'and or but so because if when while as than then also too very really just only not no yes never now there here who whom whose which what where why how ' +
    'is are was were am be been being has have had having do does did doing done will would can could should shall may might must to of in on at for from with by ' +
    'about into over after before since until during up out off down some any all each every both more most much many few lot lots ' +
    'user users assistant agent customer human speaker says said say told tell tells asked ' +
    'người dùng trợ lý của là và có ở cho với một các những này đó không thì mà đã đang sẽ được bị rất cũng'
  ).split(' '),
);
/** Scripts without spaces between words are compared by character pairs. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Khmer}\p{Script=Lao}]/u;
const STEM_LENGTH = 5;

/** A prefix long enough to identify the word in its other forms: "moved" and "moving" have one stem. */
export const stemOf = (word: string): string => {
  const bare = word.replace(/['’]s?$/, '');
  const cut = bare.length > 4 ? bare.replace(/(?:ies|ing|ied|ed|es|s|y|e)$/, '') : bare.replace(/(?<=\w{2})[se]$/, '');
  const single = cut.length > 3 ? cut.replace(/([bdglmnprt])\1$/, '$1') : cut;
  return single.slice(0, STEM_LENGTH);
};

const normalised = (text: string): string => text.normalize('NFKC').toLowerCase();

/** Stems of the content words in a text. */
export const contentStems = (text: string): Set<string> => {
  const stems = new Set<string>();
  for (const [word] of normalised(text).matchAll(/[\p{L}\p{M}\p{N}][\p{L}\p{M}\p{N}'’]*/gu)) {
    if (UNSPACED.test(word)) {
      const letters = [...word];
      for (let index = 0; index < Math.max(1, letters.length - 1); index += 1)
        stems.add(letters.slice(index, index + 2).join(''));
    } else if (!COMMON.has(word)) stems.add(stemOf(word));
  }
  return stems;
};

/** Stems of all words in a text, common ones included. */
export const allStems = (text: string): Set<string> => {
  const stems = new Set<string>();
  for (const [word] of normalised(text).matchAll(/[\p{L}\p{M}\p{N}]+/gu)) stems.add(stemOf(word));
  return stems;
};

const NUMBER_WORDS =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty'.split(
    ' ',
  );
const TENS: Readonly<Record<string, number>> = {
  thirty: 30,
  forty: 40,
  fifty: 50,
  sixty: 60,
  seventy: 70,
  eighty: 80,
  ninety: 90,
};

/** Numbers in a text, as digits or spelled out. "One" is left out because it is usually a pronoun. */
export const numbersIn = (text: string): Set<string> => {
  const plain = normalised(text).replace(/(?<=\d),(?=\d{3}(?!\d))/g, '');
  const found = new Set<string>();
  for (const [digits] of plain.matchAll(/\d+/g)) found.add(String(Number(digits)));
  for (const [, thousands = ''] of plain.matchAll(/\b(\d{1,6})k\b/g)) found.add(String(Number(thousands) * 1_000));
  for (const [word] of plain.matchAll(/\p{L}+/gu)) {
    const value = NUMBER_WORDS.indexOf(word);
    if (value > 1) found.add(String(value));
    const tens = TENS[word];
    if (tens !== undefined) found.add(String(tens));
  }
  return found;
};
