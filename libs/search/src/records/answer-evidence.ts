import { detectLanguage, type Language } from '../text/languages.js';
import { isMisspelt, isOtherForm } from '../text/similar-words.js';
import { stopWordsOf } from '../text/stop-words.js';
import { ofLanguage, stemOf, wordsOf } from '../text/tokenise.js';
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
/** Of a word that most records have, the topics tell nothing: the "guest" of a hotel. */
const LEAST_TELLING = 0.4;

const NO_TOPICS: ReadonlySet<number> = new Set();

/** A word of a text that is no stop word. */
interface Word {
  readonly word: string;
  readonly stem: string;
  readonly family: string;
  readonly rarity: number;
  readonly vector: number | null;
}

/** A word in comparison with a question. */
interface ComparedWord {
  readonly vector: number | null;
  /** Less if other records have it too. */
  readonly rarity: number;
  readonly topics: ReadonlySet<number>;
  readonly isTelling: boolean;
  readonly isSubject: boolean;
  /** The words of the question that it is alike to. */
  readonly alike: readonly Alike[];
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
  const wordsOfOthers = new Map(others.map((text) => [text, contentOf(text, language)]));
  const weightOf = weightsAmong([...wordsOfOthers.values()]);
  const all = contentOf(question, language).map((word) => {
    const weight = weightOf(word.family);
    return { ...word, rarity: word.rarity * weight, isTelling: weight >= LEAST_TELLING };
  });
  const telling = all.filter(({ word }) => !left.has(word));
  const words = telling.length > 0 ? telling : all;
  const whole = sumOf(words);
  const asking = wordsOf(question, language).filter((word) => ASKING.has(word));
  const average = averageOf(words);
  const onTopics = [
    ...words
      .filter(({ isTelling }) => isTelling)
      .map(({ family, rarity }) => ({ topics: topicsOf(family, true), rarity })),
    ...asking.map((word) => ({ topics: topicsOf(familyName(word), true), rarity: OF_A_KIND * TELLING })),
  ].filter(({ topics }) => knowsMeanings && topics.size > 0);
  const topics = topicWeights(onTopics.map((word) => word.topics));
  const alike = new AlikeWords(words);
  // Most words occur in many records.
  const known = new Map<string, ComparedWord>();
  const compared = (word: Word): ComparedWord => {
    const earlier = known.get(word.word);
    if (earlier !== undefined) return earlier;
    const weight = weightOf(word.family);
    const found = {
      vector: word.vector,
      rarity: word.rarity * weight,
      topics: topics.size === 0 ? NO_TOPICS : topicsOf(word.family, false),
      isTelling: weight >= LEAST_TELLING,
      isSubject: left.has(word.word),
      alike: alike.to(word),
    };
    known.set(word.word, found);
    return found;
  };
  const wordsIn = (texts: readonly string[]): ComparedWord[] => {
    const found = new Set<ComparedWord>();
    for (const text of texts)
      for (const word of wordsOfOthers.get(text) ?? contentOf(text, language)) found.add(compared(word));
    return [...found];
  };
  return ({ said, asked }) => {
    const own = wordsIn(said).filter(({ isSubject }) => !isSubject);
    const before = wordsIn(asked);
    const ofAll = sumOf(own);
    const [like, near] = [new Float64Array(words.length), new Float64Array(words.length)];
    let [covered, nearCovered] = [0, 0];
    own.forEach((word, place) => {
      let [best, nearest] = [0, 0];
      for (const close of word.alike) {
        like[close.at] = Math.max(like[close.at] as number, close.like);
        best = Math.max(best, close.like);
        if (place >= MAX_NEAR) continue;
        near[close.at] = Math.max(near[close.at] as number, close.near);
        nearest = Math.max(nearest, close.near);
      }
      covered += word.rarity * best;
      nearCovered += word.rarity * nearest ** 2;
    });
    for (const word of before)
      for (const close of word.alike) {
        like[close.at] = Math.max(like[close.at] as number, ASKED * close.like);
        near[close.at] = Math.max(near[close.at] as number, ASKED * close.near);
      }
    let [share, matched, nearShare, nearest] = [0, 0, 0, 0];
    words.forEach(({ rarity }, at) => {
      const [likeOf, nearOf] = [like[at] as number, near[at] as number];
      share += rarity * likeOf;
      if (likeOf > 0) matched += 1;
      nearShare += rarity * nearOf ** 2;
      nearest = Math.max(nearest, nearOf * Math.min(1, rarity / TELLING));
    });
    const onTopic = [...own.filter(({ isTelling }) => isTelling), ...before];
    const ownTopics = topicWeights(onTopic.map((word) => word.topics));
    const shared =
      ownTopics.size === 0
        ? 0
        : onTopics.reduce(
            (sum, word) =>
              sum + word.rarity * Math.max(0, ...[...word.topics].map((topic) => ownTopics.get(topic) ?? 0)),
            0,
          );
    return {
      share: whole === 0 ? 0 : share / whole,
      matched,
      covered: own.length === 0 ? 0 : covered / ofAll,
      near: whole === 0 ? 0 : nearShare / whole,
      nearest,
      nearCovered: own.length === 0 ? 0 : nearCovered / ofAll,
      alike: Math.max(0, dot(average, averageOf(own))),
      topics: shared === 0 ? 0 : shared / sumOf(onTopics),
      topicsAlike: topicsAlike(topics, ownTopics),
      offTopic: topics.size > 0 && shared === 0 ? 1 : 0,
      asksTopics: topics.size > 0 ? 1 : 0,
      knowsMeanings,
    };
  };
};

const familyName = (word: string): string => familyOf(stemOf(word, 'en')).name;

/** Weight of a word by the number of records that have it: 1 if no two have it. */
const weightsAmong = (texts: readonly (readonly Word[])[]): ((family: string) => number) => {
  if (texts.length < LEAST_RECORDS) return () => 1;
  const having = new Map<string, number>();
  for (const text of texts) {
    const families = new Set(text.map(({ family }) => family));
    for (const family of families) having.set(family, (having.get(family) ?? 0) + 1);
  }
  return (family) => Math.max(LEAST_WEIGHT, 1 - ((having.get(family) ?? 1) - 1) / (texts.length - 1));
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
    const ofLetters = [...lettersOf(word.word, word.stem)].flatMap((letter) => this.byLetter.get(letter) ?? []);
    const meant = word.vector === null ? [] : this.meant;
    return [...new Set([...(this.byFamily.get(word.family) ?? []), ...ofLetters, ...meant])]
      .map((at) => ({ at, ...closenessOf(this.asked[at] as Word, word) }))
      .filter(({ like, near }) => like > 0 || near > 0);
  }
}

const addTo = (lists: Map<string, number[]>, key: string, at: number): void => {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [at]);
  else list.push(at);
};

const lettersOf = (word: string, stem: string): Set<string> => new Set([word.charAt(0), stem.charAt(0)]);

const closenessOf = (asked: Word, own: Word): Omit<Alike, 'at'> => {
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

/** The same object for each occurrence of a word; null for a stop word. */
const wordOf = ofLanguage((language) => {
  const stop = stopWordsOf(language);
  return (word): Word | null => {
    if (stop.has(word)) return null;
    const stem = stemOf(word, language);
    const isEnglish = language === 'en';
    const family = isEnglish ? familyOf(stem).name : stem;
    const rarity = Math.min(MAX_RARITY, rarityOf(word, language), rarityOf(stem, language));
    return {
      ...{ word, stem, family },
      rarity: KINDS_OF_FACT.has(family) ? OF_A_KIND * rarity : rarity,
      vector: isEnglish ? vectorOf(word) : null,
    };
  };
});

const contentOf = (text: string, language: Language): Word[] => {
  const read = wordOf(language);
  const words: Word[] = [];
  for (const one of wordsOf(text, language)) {
    const word = read(one);
    if (word !== null) words.push(word);
    if (words.length === MAX_WORDS) break;
  }
  return words;
};

const sumOf = (words: readonly Pick<Word, 'rarity'>[]): number => words.reduce((sum, { rarity }) => sum + rarity, 0);
