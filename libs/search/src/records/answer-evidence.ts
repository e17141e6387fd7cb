import { detectLanguage, type Language } from '../text/languages.js';
import { isMisspelt, isOtherForm } from '../text/similar-words.js';
import { stopWordsOf } from '../text/stop-words.js';
import { stemOf, wordsOf } from '../text/tokenise.js';
import { familyOf } from '../text/word-families.js';
import { isListed, rarityOf } from '../text/word-rarity.js';

/** What a record says, and nothing of its neighbours. */
export interface OwnWords {
  /** Its text and the quotes that it is based on. */
  readonly said: readonly string[];
  /** What was asked or said before, if the record answers it. */
  readonly asked: readonly string[];
}

/** How well a record answers a question by its own words. */
export interface AnswerEvidence {
  /** Weighted share of the question's words that the record has, 0–1; words that it has in another form count less. */
  readonly share: number;
  /** Number of these words. */
  readonly matched: number;
  /** Weighted share of the record's words that the question has. */
  readonly covered: number;
}

/** Weight of a word that a record has in another form, that it may have misspelt, or that only its question has. */
const OTHER_FORM = 0.8;
const MISSPELT = 0.7;
const ASKED = 0.8;
/** Words that name a kind of fact. Facts of a kind have them in common, so they tell little about which one is meant. */
const KINDS_OF_FACT = new Set(
  `preference prefer like want need wish habit interest detail information history status current latest recent past goal plan
   issue problem method type kind favourite information choice option general about know`
    .split(/\s+/u)
    .map((word) => familyOf(stemOf(word, 'en')).name),
);
const OF_A_KIND = 0.4;
/** Only this many words of a text are compared. */
const MOST_WORDS = 300;

interface Word {
  readonly word: string;
  readonly stem: string;
  readonly family: string;
  readonly rarity: number;
}

/**
 * Reads a question once for all records that are compared with it.
 *
 * @param subjects words that name whom the records are about, in lower case: they are in every record
 */
export const answerReader = (question: string, subjects: readonly string[]): ((own: OwnWords) => AnswerEvidence) => {
  const language = detectLanguage(question, 'en');
  const left = new Set(subjects);
  const all = contentOf(question, language);
  const telling = all.filter(({ word }) => !left.has(word));
  const words = telling.length > 0 ? telling : all;
  const whole = sumOf(words);
  const alike = new AlikeWords(words);
  return ({ said, asked }) => {
    const own = unique(said.flatMap((text) => contentOf(text, language))).filter(({ word }) => !left.has(word));
    const before = unique(asked.flatMap((text) => contentOf(text, language)));
    const best = new Float64Array(words.length);
    let covered = 0;
    for (const word of own) {
      let most = 0;
      for (const { at, likeness } of alike.to(word)) {
        most = Math.max(most, likeness);
        best[at] = Math.max(best[at] ?? 0, likeness);
      }
      covered += word.rarity * most;
    }
    for (const word of before) {
      for (const { at, likeness } of alike.to(word)) best[at] = Math.max(best[at] ?? 0, ASKED * likeness);
    }
    let share = 0;
    words.forEach(({ rarity }, at) => (share += (best[at] ?? 0) * rarity));
    return {
      share: whole === 0 ? 0 : share / whole,
      matched: best.reduce((count, likeness) => (likeness > 0 ? count + 1 : count), 0),
      covered: own.length === 0 ? 0 : covered / sumOf(own),
    };
  };
};

/** A word of the question, by its number, and how alike it is to another word: above 0, up to 1. */
interface Alike {
  readonly at: number;
  readonly likeness: number;
}

/**
 * The words of a question that are alike to a word of a record. A long question is compared with thousands of words, most of
 * which occur in many records and are alike to none.
 */
class AlikeWords {
  private readonly known = new Map<string, readonly Alike[]>();
  /** Numbers of the question's words: alike words are of one family, or they or their stems begin with the same letter. */
  private readonly byFamily = new Map<string, number[]>();
  private readonly byLetter = new Map<string, number[]>();

  constructor(private readonly asked: readonly Word[]) {
    asked.forEach(({ family, word, stem }, at) => {
      addTo(this.byFamily, family, at);
      for (const letter of lettersOf(word, stem)) addTo(this.byLetter, letter, at);
    });
  }

  to(word: Word): readonly Alike[] {
    const known = this.known.get(word.word);
    if (known !== undefined) return known;
    const ofLetters = [...lettersOf(word.word, word.stem)].flatMap((letter) => this.byLetter.get(letter) ?? []);
    const found = [...new Set([...(this.byFamily.get(word.family) ?? []), ...ofLetters])]
      .map((at) => ({ at, likeness: likenessOf(this.asked[at] as Word, word) }))
      .filter(({ likeness }) => likeness > 0);
    this.known.set(word.word, found);
    return found;
  }
}

const addTo = (lists: Map<string, number[]>, key: string, at: number): void => {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [at]);
  else list.push(at);
};

const lettersOf = (word: string, stem: string): Set<string> => new Set([word.charAt(0), stem.charAt(0)]);

const likenessOf = (asked: Word, word: Word): number => {
  if (asked.family === word.family) return 1;
  if (isOtherForm(asked.stem, word.stem)) return OTHER_FORM;
  // A word of everyday speech is spelt right.
  return !isListed(asked.word) && isMisspelt(asked.word, word.word) ? MISSPELT : 0;
};

const contentOf = (text: string, language: Language): Word[] => {
  const stop = stopWordsOf(language);
  const words: Word[] = [];
  for (const word of wordsOf(text, language)) {
    if (stop.has(word)) continue;
    const stem = stemOf(word, language);
    const family = language === 'en' ? familyOf(stem).name : stem;
    const rarity = Math.min(rarityOf(word, language), rarityOf(stem, language));
    words.push({ word, stem, family, rarity: KINDS_OF_FACT.has(family) ? OF_A_KIND * rarity : rarity });
    if (words.length === MOST_WORDS) break;
  }
  return words;
};

const unique = (words: readonly Word[]): Word[] => [...new Map(words.map((word) => [word.word, word])).values()];

const sumOf = (words: readonly Word[]): number => words.reduce((sum, { rarity }) => sum + rarity, 0);
