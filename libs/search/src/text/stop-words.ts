import type { Language } from './languages.js';

const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/u));

/** English words without content, contractions without their apostrophe. */
const ENGLISH = words(
  `i me my myself we our ours ourselves you your yours yourself yourselves he him his himself she her hers herself it
  its itself they them their theirs themselves what which who whom this that these those am is are was were be been
  being have has had having do does did doing a an the and but if or because as until while of at by for with about
  against between into through during before after above below to from up down in out on off over under again further
  then once here there when where why how all any both each few more most other some such no nor not only own same so
  than too very s t can will just don should now also would could dont doesnt didnt isnt arent wasnt werent hasnt
  havent hadnt wont wouldnt cant couldnt shouldnt im ive id ill youre youve youd youll hes shes theyre theyve weve
  were thats whats whos hows wheres theres lets`,
);

const VIETNAMESE = words(
  `toi ban la co cua va duoc nhung cac mot nay cho thi ma o voi da dang se roi khi nao gi ai dau sao the vay day do
  kia ay cung rat lam qua con chi hay hoac tu den ve trong ngoai tren duoi nhu bi boi nen vi neu thay khong chua phai a
  oi nhe nha u vang minh bao nhieu`,
);

/** Function words of Chinese, as segmented by `Intl.Segmenter`. */
const CHINESE = words(
  `的 了 是 我 你 他 她 它 们 我们 你们 他们 她们 在 有 和 也 就 都 不 吗 呢 吧 啊 这 那 这个 那个 什么 谁 哪 哪里 哪儿 怎么 怎样 为什么
  几 多少 一 个 上 下 里 到 去 来 着 过 得 地 很 把 被 给 让 对 跟 与 及 或 但 但是 因为 所以 如果 会 能 要 想 什么时候 时候 还 又 吗`,
);
const JAPANESE = words(
  'の は が を に で と も へ や か ね よ な だ です ます た て い る し れ せ さ ん ない この その あの どの これ それ あれ 何 私 あなた いつ どこ 誰 から まで',
);
const THAI = words(
  'ที่ และ เป็น ของ ใน มี ได้ ให้ ไม่ ว่า จะ กับ ก็ ฉัน ผม คุณ เขา เธอ นี้ นั้น อะไร ใคร ไหน เมื่อไหร่ ทำไม อย่างไร ครับ ค่ะ',
);
const GERMAN = words(
  `der die das den dem des ein eine einen einem einer eines und oder aber ich du er sie es wir ihr mich dich sich mein dein sein
  ist sind war waren bin bist hat habe haben hatte nicht mit von zu zum zur in im an am auf für bei aus nach wie was wer wo wann
  warum welche welcher welches dass als auch noch nur so dann da hier sehr`,
);
const SPANISH = words(
  `el la los las un una unos unas y o pero que de del a al en con por para sin sobre es son era fue ser está estoy he ha no si me te
  se lo le nos mi tu su yo él ella qué quién cuándo dónde cómo cuál muy más ya también este esta eso`,
);
const FRENCH = words(
  `le la les un une des et ou mais que qui de du à au aux en dans avec pour par sur sans est sont était être ai as a ont ne pas
  je tu il elle on nous vous ils elles me te se mon ma mes ton ta tes son sa ses ce cette ces quoi quand où comment quel quelle très aussi`,
);
const NONE: ReadonlySet<string> = new Set();

const BY_LANGUAGE: Readonly<Partial<Record<Language, ReadonlySet<string>>>> = {
  en: ENGLISH,
  vi: VIETNAMESE,
  zh: CHINESE,
  ja: JAPANESE,
  th: THAI,
  de: GERMAN,
  es: SPANISH,
  fr: FRENCH,
};

/** Words without topical meaning. Vietnamese ones have no diacritics. */
export const stopWordsOf = (language: Language): ReadonlySet<string> => BY_LANGUAGE[language] ?? NONE;
