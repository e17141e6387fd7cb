import { withoutEnd } from '@turnkeeper/domain';
import { parsePhoneNumberFromString } from 'libphonenumber-js/min';
import type { Asked } from './attribute-table.js';
import { timeIn } from './dates.js';
import { wordsIn } from './languages/language.js';
import type { Lexicon } from './languages/lexicon.js';
import { isCorrectedBetween, spokenIn, type Spoken } from './spoken.js';

/** A value in the usual written form, and where in the text it was said. */
export interface Value {
  readonly value: string;
  readonly start: number;
  readonly end: number;
}

const EMAIL = /[\p{L}\p{N}._%+-]{1,64}[@＠][\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){1,4}/u;
const [MIN_PHONE_DIGITS, MAX_PHONE_DIGITS] = [7, 15];
const SHORTEST_CODE = 3;
/** Characters; longer answers are sentences, not values. */
const LONGEST_TEXT = 60;
const MAX_TEXT_WORDS = 5;
const MAX_ADDRESS_WORDS_SAID = 16;
const MAX_NAME_WORDS = 4;

/** The value that an answer gives to an attribute; null if it gives none that can be told for certain. */
export const valueFor = (asked: Asked, text: string, at: string, lexicon: Lexicon, question: string): Value | null => {
  switch (asked.kind) {
    case 'email':
      return emailIn(text, lexicon);
    case 'phone':
      return phoneIn(text, lexicon);
    case 'code':
      return codeIn(text, lexicon);
    case 'count':
      return countIn(text, lexicon);
    case 'amount':
      return amountIn(text) ?? countIn(text, lexicon);
    case 'date': {
      const time = timeIn(text, at, lexicon);
      // A birthday without its year is no date of birth.
      if (asked.name === 'date_of_birth' && !/\d{4}/.test(text)) return null;
      return time?.day == null ? null : placed(text, time.text, time.day);
    }
    case 'time': {
      const time = timeIn(text, at, lexicon);
      return time?.time == null ? null : placed(text, time.text, time.time);
    }
    case 'name':
      return nameIn(text, lexicon, question);
    case 'text':
      return textIn(text, lexicon, question, asked.name.endsWith('address'));
  }
};

const placed = (text: string, part: string, value: string): Value => {
  const start = Math.max(0, text.indexOf(part));
  return { value, start, end: start + part.length };
};

/** The last code of a text that takes the place of the ones before it; null if several stand side by side. */
const onlyOne = (text: string, codes: readonly Spoken[]): Spoken | null => {
  const last = codes.at(-1);
  const before = codes.at(-2);
  if (last === undefined) return null;
  return before === undefined || before.value === last.value || isCorrectedBetween(text, before, last) ? last : null;
};

const codeIn = (text: string, lexicon: Lexicon): Value | null => {
  const codes = spokenIn(text, lexicon).filter(({ value, digits }) => value.length >= SHORTEST_CODE && digits > 0);
  return onlyOne(text, codes);
};

const countIn = (text: string, lexicon: Lexicon): Value | null => {
  const codes = spokenIn(text, lexicon).filter(({ value }) => /^\d{1,4}$/.test(value));
  return onlyOne(text, codes);
};

/** A phone number: in international form with a plus if it was said with its country, else its digits. */
export const phoneIn = (text: string, lexicon: Lexicon): Value | null => {
  const codes = spokenIn(text.replace(/[()]/g, ' '), lexicon)
    .map((code) => ({ ...code, value: code.value.replace(/[-./]/g, '') }))
    .filter(({ value }) => /^\d+$/.test(value) && value.length >= MIN_PHONE_DIGITS && value.length <= MAX_PHONE_DIGITS);
  const code = onlyOne(text, codes);
  if (code === null) return null;
  const plus = /(?:[+＋]|\b(?:plus|más|mais)|cộng)\s*\(?$/iu.test(text.slice(Math.max(0, code.start - 8), code.start));
  const known = plus ? parsePhoneNumberFromString(`+${code.value}`) : undefined;
  return { ...code, value: known?.isPossible() === true ? known.number : code.value };
};

/** An e-mail address, written or spoken: "maya dot o at example dot com". */
export const emailIn = (text: string, lexicon: Lexicon): Value | null => {
  const written = EMAIL.exec(text);
  if (written !== null) {
    const value = written[0].replace('＠', '@');
    return { value, start: written.index, end: written.index + written[0].length };
  }
  return spokenEmailIn(text, lexicon);
};

const WORD = /[@]|[\p{L}\p{M}\p{N}]+(?:['’-][\p{L}\p{M}\p{N}]+)*|[._-]/gu;
const MAX_ADDRESS_WORDS = 24;

const spokenEmailIn = (text: string, { numbers, stop }: Lexicon): Value | null => {
  const tokens = [...text.matchAll(WORD)].map(({ 0: word, index }) => ({
    word: word.toLowerCase(),
    start: index,
    end: index + word.length,
  }));
  const sign = (word: string): string | undefined => (/^[@._-]$/.test(word) ? word : numbers.signs.get(word));
  const at = tokens.findIndex(
    ({ word }, index) =>
      sign(word) === '@' && tokens.slice(index + 2, index + 8).some((token) => sign(token.word) === '.'),
  );
  if (at < 1) return null;
  const charactersOf = (word: string): string => sign(word) ?? String(numbers.values.get(word) ?? word);
  const own: string[] = [];
  let start = at;
  for (let index = at - 1; index >= 0 && at - index <= MAX_ADDRESS_WORDS; index -= 1) {
    const { word } = tokens[index] as { word: string };
    const isWord =
      word.length > 1 && sign(word) === undefined && !numbers.values.has(word) && !numbers.repeat.has(word);
    if (isWord && (stop.has(word) || /^e-?mail|correo|address|adresse$/u.test(word))) break;
    const times = numbers.repeat.get(tokens[index - 1]?.word ?? '') ?? 1;
    own.unshift(charactersOf(word).repeat(times));
    if (times > 1) index -= 1;
    start = index;
  }
  let domain = '';
  let end = at;
  for (let index = at + 1; index < tokens.length; index += 1) {
    const { word } = tokens[index] as { word: string };
    const isDot = sign(word) === '.';
    // After the last dot comes one word: "dot com".
    if (/\.[a-z]{2,}$/.test(domain) && !isDot) break;
    if (isDot && index === tokens.length - 1) break;
    domain += charactersOf(word);
    end = index;
  }
  const value = `${own.join('')}@${domain}`.replaceAll('’', "'");
  if (!/^[\p{L}\p{N}._%+'-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)*\.\p{L}{2,}$/u.test(value)) return null;
  return { value, start: tokens[start]?.start ?? 0, end: tokens[end]?.end ?? text.length };
};

const AMOUNT =
  /[$€£¥₫]\s?\d[\d.,]{0,15}|\d[\d.,]{0,15}\s?(?:[$€£¥₫]|dollars?|usd|bucks?|dólares?|đô|euros?|eur|pounds?|gbp|quid|đồng|vnđ?|元|块|yuan|rmb)/iu;

/** An amount of money as it was said, with its currency. */
const amountIn = (text: string): Value | null => {
  const match = AMOUNT.exec(text);
  return match === null ? null : placed(text, match[0], withoutEnd(match[0], /[.,]/));
};

const NAME_WORD = /^[\p{Lu}\p{L}][\p{L}\p{M}'’.-]*$/u;
const NO_NAME =
  /^(?:and|speaking|calling|here|from|but|with|my|the|i|it's|its|so|this|y|und|et|e|o|và|con|mit|avec|com|is|who|on|in|for|at|to|of)$/iu;

/** A name after "my name is"; or the whole answer, if it is no longer than a name. */
const nameIn = (text: string, lexicon: Lexicon, question: string): Value | null => {
  const told = toldNameIn(text, lexicon);
  if (told !== null || lexicon.beforeName.test(text)) return told;
  const bare = textIn(text, lexicon, question);
  if (bare === null || /\d|[?]/.test(bare.value) || lexicon.ofOther.test(text)) return null;
  const words = bare.value.split(/\s+/);
  if (words.length > MAX_NAME_WORDS || wordsIn(bare.value).some((word) => lexicon.stop.has(word) && word.length > 1))
    return null;
  return bare;
};

/** May also stand before what the speaker is or how they feel. */
const WEAK_BEFORE_NAME = /^(?:i['’]m|ich bin|soy|je suis|sou(?: [oa])?)$/iu;
const TWO_CAPITALS = /^\s*\p{Lu}\p{L}+(?:[ -](?:de|del|da|do|von|van|der)){0,2}[ -]\p{Lu}\p{L}/u;

/** A name that the speaker says is theirs. */
export const toldNameIn = (text: string, lexicon: Lexicon): Value | null => {
  const before = lexicon.beforeName.exec(text);
  if (before === null) return null;
  const from = before.index + before[0].length;
  // "I'm Ann Lee", but not "I'm fine" or "Ich bin Arzt".
  if (WEAK_BEFORE_NAME.test(before[0]) && !TWO_CAPITALS.test(text.slice(from))) return null;
  if (lexicon.code === 'zh') {
    const name = /^[是为：:\s]*(\p{Script=Han}{2,4}|[A-Za-z][A-Za-z ]{1,30})(?=[，。,.！!？?\s]|$)/u.exec(
      text.slice(from),
    );
    if (name?.[1] === undefined) return null;
    const start = from + name[0].length - name[1].length;
    return { value: name[1], start, end: start + name[1].length };
  }
  const name: { readonly word: string; readonly end: number }[] = [];
  let start = from;
  for (const { 0: word, index } of text.slice(from, from + LONGEST_TEXT).matchAll(/\S+/g)) {
    const bare = withoutEnd(word, /[,.;:!?"”]/u);
    const spells = lexicon.numbers.signs.get(wordAfter(text, from + index + word.length)) === "'";
    if (!NAME_WORD.test(bare) || name.length === MAX_NAME_WORDS + 1) break;
    if (!spells && (NO_NAME.test(bare) || (name.length > 0 && isNoPart(bare, lexicon)))) break;
    if (name.length === 0) start = from + index;
    name.push({ word: bare, end: from + index + bare.length });
    if (bare !== word && !/^\p{L}\.$/u.test(word)) break;
  }
  const last = name.at(-1);
  if (
    last === undefined ||
    lexicon.stop.has((name[0]?.word ?? '').toLowerCase()) ||
    lexicon.idle.has((name[0]?.word ?? '').toLowerCase())
  )
    return null;
  return { value: spelledName(name.map(({ word }) => word).join(' '), lexicon), start, end: last.end };
};

/** Small words that names have inside. */
const PARTICLE = /^(?:de|del|la|las|los|da|do|dos|das|di|du|le|van|von|der|den|zu|bin|al|el)$/iu;
const isNoPart = (word: string, { stop }: Lexicon): boolean =>
  stop.has(word.toLowerCase()) && !PARTICLE.test(word) && !/^\p{Lu}/u.test(word);
const wordAfter = (text: string, at: number): string =>
  (/^\s*(\S+)/u.exec(text.slice(at, at + LONGEST_TEXT))?.[1] ?? '').toLowerCase();

/** "o apostrophe hara" is `O'Hara`; other names stay as they were said. */
const spelledName = (name: string, { numbers }: Lexicon): string => {
  const parts = name.split(' ');
  if (!parts.some((part) => numbers.signs.get(part.toLowerCase()) === "'")) return name;
  const joined = parts
    .map((part) => (numbers.signs.get(part.toLowerCase()) === "'" ? "'" : part))
    .join(' ')
    .replace(/ ?' ?/g, "'");
  return joined.replace(/(?<=^|[\s'])\p{Ll}/gu, (letter) => letter.toUpperCase());
};

/** The words of an answer without fillers, and without the words of the question, at either end. */
const trimmed = (text: string, lexicon: Lexicon, question: string): readonly RegExpMatchArray[] => {
  const pattern = lexicon.code === 'zh' ? /[\p{L}\p{N}]{1,60}/gu : /[^\s,;:!?"“”。，]{1,60}/gu;
  const tokens = [...text.matchAll(pattern)];
  const asked = wordsIn(question);
  // "zip" was asked for as "zipcode".
  const isAsked = (word: string): boolean =>
    !/\d/.test(word) && asked.some((one) => one === word || (word.length > 2 && one.startsWith(word)));
  const isFiller = (token: RegExpMatchArray | undefined): boolean => {
    const word = withoutEnd((token?.[0] ?? '').toLowerCase().replaceAll('’', "'"), /\./);
    const isIdle = lexicon.idle.has(word) || lexicon.stop.has(word);
    return (isIdle && (word.length > 1 || lexicon.code === 'zh')) || isAsked(word);
  };
  let [from, to] = [0, tokens.length];
  while (from < to && isFiller(tokens[from])) from += 1;
  while (to > from && isFiller(tokens[to - 1])) to -= 1;
  return tokens.slice(from, to);
};

/** May stand inside a value. */
const WITHIN =
  /^(?:of|and|on|de|del|la|las|los|y|und|et|du|des|da|do|dos|e|và|von|der|die|das|no|or|with|without|all|any|both)$/iu;

/** A short answer without the words around it: "it's 4 Mill Lane, please" is `4 Mill Lane`. */
const textIn = (text: string, lexicon: Lexicon, question = '', isLong = false): Value | null => {
  if (text.length > LONGEST_TEXT * 2) return null;
  const tokens = trimmed(text, lexicon, question);
  const [first, last] = [tokens[0], tokens.at(-1)];
  if (first === undefined || last === undefined) return null;
  const start = first.index ?? 0;
  const end = (last.index ?? 0) + withoutEnd(last[0], /\./).length;
  const value = text.slice(start, end);
  // A clause or two answers are no value.
  if (value.length > LONGEST_TEXT || tokens.length > (isLong ? MAX_ADDRESS_WORDS_SAID : MAX_TEXT_WORDS)) return null;
  if (/[?？!.。]\s/.test(value) && !isLong) return null;
  const inner = tokens.map(([word]) => word.toLowerCase().replaceAll('’', "'"));
  const isClause = (word: string): boolean =>
    lexicon.self.test(word) || (word.length > 1 && !isLong && lexicon.stop.has(word) && !WITHIN.test(word));
  if (inner.some(isClause) || (lexicon.denies.test(value) && !/\d/.test(value))) {
    // "208 Finch Lane, we moved in two weeks ago": the address ends at the comma.
    const comma = isLong ? text.search(/[,，;；]/u) : -1;
    const head = text.slice(0, Math.max(0, comma));
    return /\d/.test(head) ? textIn(head, lexicon, question, true) : null;
  }
  return { value, start, end };
};

/** What may follow a place: the end of a clause, or when. */
const AFTER_PLACE = String.raw`(?=\s*(?:[.,!;]|$)|\s+(?:now|in|since|from|with|and|but|last|this|a|two|three|\d|today|yesterday|ahora|desde|hace|el|la|jetzt|seit|im|maintenant|depuis|agora|rồi|từ|vào|tháng|năm|tuần|hôm)(?!\p{L}))`;
const PLACE = new RegExp(
  String.raw`^\s*(\p{Lu}[\p{L}\p{M}'’-]*(?:[ -]\p{Lu}[\p{L}\p{M}'’-]*){0,3})${AFTER_PLACE}`,
  'u',
);
/** As speech recognition without capitals writes it. */
const PLACE_IN_LOWER_CASE = new RegExp(
  String.raw`^\s*(\p{Ll}[\p{Ll}\p{M}'’-]*(?: \p{Ll}[\p{Ll}\p{M}'’-]*)?)${AFTER_PLACE}`,
  'u',
);
const NO_PLACE =
  /^(?:a|an|the|my|our|your|their|his|her|this|that|another|one|un|una|el|la|mi|ein\p{L}*|de[rmn]|die|das|meine\p{L}?|une?|le|mon|ma|um|uma|o|meu|minha|somewhere|here|there|back)(?!\p{L})/iu;
const PLACE_HAN = /^(\p{Script=Han}{2,6}?)(?:了)?(?=[，。！,.!]|$)/u;

const BEFORE_ADDRESS =
  /(?:address|dirección|adresse|anschrift|endereço|morada|địa chỉ(?: \p{L}+){0,3}?)(?:['’]s| is| ist| lautet| es| est| é| là)(?: now| jetzt| ahora| maintenant| agora)?[\s:]|地址(?:现在)?(?:改成|是|为)/iu;
const NOW = /\s(?:now|jetzt|ahora|maintenant|agora)(?=,|$)/iu;

/** An address with a house number, after "my address is" or "we moved to". */
export const addressIn = (text: string, lexicon: Lexicon): Value | null => {
  const moved = lexicon.beforeHome.exec(text);
  const before = moved ?? BEFORE_ADDRESS.exec(text);
  if (before === null) return null;
  const isOwn = (word: string): boolean => lexicon.stop.has(word) || lexicon.idle.has(word);
  if (!lexicon.self.test(text) && !wordsIn(text.slice(0, before.index)).every(isOwn)) return null;
  const from = before.index + before[0].length;
  const rest = text.slice(from, from + LONGEST_TEXT);
  const value = textIn(moved === null ? rest : (rest.split(/[,.;:!?，。；！？]/u)[0] ?? ''), lexicon, '', true);
  if (value === null || !/\p{N}/u.test(value.value) || !/\p{L}/u.test(value.value)) return null;
  return { value: value.value.replace(NOW, ''), start: from + value.start, end: from + value.end };
};

/** Where the speaker lives, if the sentence tells it without a condition ("during the week"). */
export const homeIn = (text: string, lexicon: Lexicon): Value | null => {
  const before = lexicon.beforeHome.exec(text);
  if (before === null || lexicon.another.test(text)) return null;
  const from = before.index + before[0].length;
  const after = text.slice(from, from + LONGEST_TEXT);
  const isSpoken = !/(?!I\b)\p{Lu}/u.test(text);
  const pattern = lexicon.code === 'zh' ? PLACE_HAN : isSpoken ? PLACE_IN_LOWER_CASE : PLACE;
  const place = pattern.exec(after);
  if (place?.[1] === undefined || NO_PLACE.test(place[1])) return null;
  const start = from + place[0].indexOf(place[1]);
  return { value: place[1], start, end: start + place[1].length };
};
