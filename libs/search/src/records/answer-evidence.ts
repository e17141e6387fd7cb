import { detectLanguage, type Language } from '../text/languages.js';
import { isMisspelt, isOtherForm } from '../text/similar-words.js';
import { stopWordsOf } from '../text/stop-words.js';
import { stemOf, wordsOf } from '../text/tokenise.js';
import { topicsAlike, topicsOf, topicWeights } from '../text/topics.js';
import { familyOf } from '../text/word-families.js';
import { isListed, rarityOf } from '../text/word-rarity.js';
import { dot } from '../vectors/vector.js';
import { averageOf, nearness, vectorOf } from '../text/word-vectors.js';

/** What a record says, and nothing of its neighbours. */
export interface OwnWords {
  /** Its text and the quotes that it is based on. */
  readonly said: readonly string[];
  /** What was asked or said before, if the record answers it. */
  readonly asked: readonly string[];
}

/** How well a record answers a question by its own words. All but `matched` are 0–1. */
export interface AnswerEvidence {
  /** Weighted share of the question's words that the record has; words that it has in another form count less. */
  readonly share: number;
  /** Number of these words. */
  readonly matched: number;
  /** Weighted share of the record's words that the question has. */
  readonly covered: number;
  /** How near the record's words are to the question's in meaning: on average, at most, and the other way round. */
  readonly near: number;
  readonly nearest: number;
  readonly nearCovered: number;
  /** How near they are altogether. */
  readonly alike: number;
  /** Weighted share of the question's words that have a topic in common with the record, of those that have topics. */
  readonly topics: number;
  readonly topicsAlike: number;
  /** 1 if the question has topics, of which the record has none. */
  readonly offTopic: number;
  /** 1 if the question has topics. */
  readonly asksTopics: number;
  /** False in languages of which only the words themselves are compared. */
  readonly knowsMeanings: boolean;
}

/** Weight of a word that a record has in another form, that it may have misspelt, or that only its question has. */
const OTHER_FORM = 0.8;
const MISSPELT = 0.7;
const ASKED = 0.8;

/** Words that name a kind of fact. Facts of a kind have them in common, so they tell little about which one is meant. */
const KINDS_OF_FACT = new Set(
  `preference prefer like want need wish habit interest detail information history status current latest recent past goal plan
   issue problem method type kind favourite choice option general about know usual regular request requirement special make last
   use many much`
    .split(/\s+/u)
    .map((word) => familyOf(stemOf(word, 'en')).name),
);
const OF_A_KIND = 0.4;
/** Only this many words of a text are compared, and fewer by their meaning. */
const MAX_WORDS = 300;
const MAX_NEAR = 60;
/** Words of the question that are compared by their meaning: each of them with every word of every record. */
const MAX_ASKED = 24;
/** Rarity from which on a word's nearness counts in full. */
const TELLING = 8;
const MAX_RARITY = 13;
/** Question words that say what kind of answer is wanted; as words, they are too frequent. */
const ASKING = new Set(['when', 'where', 'why', 'who', 'many', 'do']);
/** Least number of records that show which words all of them have, and what such a word still weighs. */
const LEAST_RECORDS = 3;
const LEAST_WEIGHT = 0.05;
const LEAST_TELLING = 0.4;

interface Word {
  readonly word: string;
  readonly stem: string;
  readonly family: string;
  readonly rarity: number;
  readonly vector: number | null;
  /** What is left of its weight because other records have it, 0–1. */
  readonly weight: number;
}
/** What a word of a record has to do with one of the question. */
interface Closeness {
  readonly like: number;
  readonly near: number;
}

/**
 * Reads a question once for all records that are compared with it.
 *
 * @param subjects words that name whom the records are about, in lower case: they are in every record
 * @param others texts of some records of the scope, whichever: what many of them say tells little about one
 */
export const answerReader = (
  question: string,
  subjects: readonly string[],
  others: readonly string[] = [],
): ((own: OwnWords) => AnswerEvidence) => {
  const language = detectLanguage(question, 'en');
  const knowsMeanings = language === 'en';
  const left = new Set(subjects);
  const weightOf = weightsAmong(others, language);
  const weighed = (words: readonly Word[]) =>
    words.map((word) => {
      const weight = weightOf(word);
      return { ...word, rarity: word.rarity * weight, weight };
    });
  const all = weighed(contentOf(question, language));
  const telling = all.filter(({ word }) => !left.has(word));
  const words = telling.length > 0 ? telling : all;
  const whole = sumOf(words);
  const asking = wordsOf(question, language).filter((word) => ASKING.has(word));
  const average = averageOf(words);
  const onTopics = [
    ...words.filter(isTelling).map(({ family, rarity }) => ({ topics: topicsOf(family, true), rarity })),
    ...asking.map((word) => ({ topics: topicsOf(familyName(word), true), rarity: OF_A_KIND * TELLING })),
  ].filter(({ topics }) => knowsMeanings && topics.size > 0);
  const topics = topicWeights(onTopics.map((word) => word.topics));
  const alike = new AlikeWords(words);
  return ({ said, asked }) => {
    const own = weighed(unique(said.flatMap((text) => contentOf(text, language)))).filter(
      ({ word }) => !left.has(word),
    );
    const before = unique(asked.flatMap((text) => contentOf(text, language)));
    const like = words.map(() => 0);
    const near = words.map(() => 0);
    const [covered, nearCovered] = own.reduce(
      ([sum, nearSum], word, place) => {
        let [best, nearest] = [0, 0];
        for (const { at, ...close } of alike.to(word)) {
          like[at] = Math.max(like[at] ?? 0, close.like);
          best = Math.max(best, close.like);
          if (place >= MAX_NEAR) continue;
          near[at] = Math.max(near[at] ?? 0, close.near);
          nearest = Math.max(nearest, close.near);
        }
        return [sum + word.rarity * best, nearSum + word.rarity * nearest ** 2];
      },
      [0, 0],
    );
    for (const word of before)
      for (const { at, ...close } of alike.to(word)) {
        like[at] = Math.max(like[at] ?? 0, ASKED * close.like);
        near[at] = Math.max(near[at] ?? 0, ASKED * close.near);
      }
    const mean = (of: readonly number[]) =>
      words.reduce((sum, { rarity }, at) => sum + rarity * (of[at] ?? 0), 0) / whole;
    const ofTopics =
      topics.size === 0 ? [] : [...own.filter(isTelling), ...before].map(({ family }) => topicsOf(family, false));
    const ownTopics = topicWeights(ofTopics);
    const shared = onTopics.reduce(
      (sum, word) => sum + word.rarity * Math.max(0, ...[...word.topics].map((topic) => ownTopics.get(topic) ?? 0)),
      0,
    );
    return {
      share: whole === 0 ? 0 : mean(like),
      matched: like.filter((one) => one > 0).length,
      covered: own.length === 0 ? 0 : covered / sumOf(own),
      near: whole === 0 ? 0 : mean(near.map((one) => one ** 2)),
      nearest: Math.max(0, ...words.map(({ rarity }, at) => (near[at] ?? 0) * Math.min(1, rarity / TELLING))),
      nearCovered: own.length === 0 ? 0 : nearCovered / sumOf(own),
      alike: Math.max(0, dot(average, averageOf(own))),
      topics: topics.size === 0 ? 0 : shared / sumOf(onTopics),
      topicsAlike: topicsAlike(topics, ownTopics),
      offTopic: topics.size > 0 && shared === 0 ? 1 : 0,
      asksTopics: topics.size > 0 ? 1 : 0,
      knowsMeanings,
    };
  };
};

/** Of a word that most records have, the topics tell nothing: the "guest" of a hotel. */
const isTelling = ({ weight }: Word): boolean => weight >= LEAST_TELLING;
const familyName = (word: string): string => familyOf(stemOf(word, 'en')).name;

/** Weight of a word by the number of records that have it: 1 if no two have it. */
const weightsAmong = (texts: readonly string[], language: Language): ((word: Word) => number) => {
  if (texts.length < LEAST_RECORDS) return () => 1;
  const having = new Map<string, number>();
  for (const text of texts) {
    const families = new Set(contentOf(text, language).map(({ family }) => family));
    for (const family of families) having.set(family, (having.get(family) ?? 0) + 1);
  }
  return ({ family }) => Math.max(LEAST_WEIGHT, 1 - ((having.get(family) ?? 1) - 1) / (texts.length - 1));
};

/** A word of the question, by its number, and what another word has to do with it: its spelling, and its meaning. */
interface Alike {
  readonly at: number;
  readonly like: number;
  readonly near: number;
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

  /** Those whose meaning is compared with every word. */
  private readonly meant: readonly number[];

  constructor(private readonly asked: readonly Word[]) {
    this.meant = asked.flatMap(({ vector }, at) => (vector === null ? [] : [at])).slice(0, MAX_ASKED);
    asked.forEach(({ family, word, stem }, at) => {
      addTo(this.byFamily, family, at);
      for (const letter of lettersOf(word, stem)) addTo(this.byLetter, letter, at);
    });
  }

  to(word: Word): readonly Alike[] {
    const known = this.known.get(word.word);
    if (known !== undefined) return known;
    const ofLetters = [...lettersOf(word.word, word.stem)].flatMap((letter) => this.byLetter.get(letter) ?? []);
    const meant = word.vector === null ? [] : this.meant;
    const found = [...new Set([...(this.byFamily.get(word.family) ?? []), ...ofLetters, ...meant])]
      .map((at) => ({ at, ...closenessOf(this.asked[at] as Word, word) }))
      .filter(({ like, near }) => like > 0 || near > 0);
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

const closenessOf = (asked: Word, own: Word): Closeness => {
  if (asked.family === own.family) return { like: 1, near: 1 };
  const like = similarity(asked, own);
  const near = asked.vector === null || own.vector === null ? 0 : nearness(asked.vector, own.vector);
  return { like, near: Math.max(like, near) };
};

const similarity = (asked: Word, word: Word): number => {
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
    const rarity = Math.min(MAX_RARITY, rarityOf(word, language), rarityOf(stem, language));
    const vector = language === 'en' ? vectorOf(word) : null;
    words.push({
      word,
      stem,
      family,
      rarity: KINDS_OF_FACT.has(family) ? OF_A_KIND * rarity : rarity,
      vector,
      weight: 1,
    });
    if (words.length === MAX_WORDS) break;
  }
  return words;
};

const unique = (words: readonly Word[]): Word[] => [...new Map(words.map((word) => [word.word, word])).values()];

const sumOf = (words: readonly Pick<Word, 'rarity'>[]): number => words.reduce((sum, { rarity }) => sum + rarity, 0);
