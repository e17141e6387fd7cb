// Searches records of a conversation in this process.
import { rankRecords, termsOf } from '@turnkeeper/search';

const MOST = 50;
const MAX_TURNS = 400;

/** The words of each record. */
export const wordsOfRecords = (records) => records.map(({ text }) => new Set(termsOf(text, 'en').keys()));

/** Weights of the query's words in records, as in `find_record_words`: rarer is heavier, names weigh nothing. */
const weightsOf = (query, words, names) => {
  const terms = [...termsOf(query, 'en').keys()].filter((term) => !names.has(term));
  const holding = new Map(terms.map((term) => [term, words.filter((held) => held.has(term)).length]));
  const weight = (term) => {
    const of = holding.get(term);
    return Math.log(1 + (50 + words.length - of + 0.5) / (of + 0.5));
  };
  const most = Math.max(0, ...terms.filter((term) => holding.get(term) > 0).map(weight));
  return new Map(terms.map((term) => [term, { weight: Math.min(weight(term), most || 1e9), of: holding.get(term) }]));
};

/** The first records for a query with their scores, as in a search. */
export const scoredRecords = ({ corpus, idOf, names }, records, words, query) => {
  const { ranked, size, weight: turnsWeight } = corpus.rank(query);
  const scores = new Map(ranked.slice(0, MAX_TURNS).map((turn) => [idOf(turn), turn.raw]));
  const weights = weightsOf(query, words, new Set(names.flatMap((name) => [...termsOf(name, 'en').keys()])));
  const whole = Math.max(
    1e-9,
    [...weights.values()].reduce((sum, { weight }) => sum + weight, 0),
  );
  const usualWords = words.reduce((sum, held) => sum + held.size, 0) / Math.max(1, words.length);
  const found = records.map((record, index) => {
    const matched = [...weights].filter(([term]) => words[index].has(term));
    const cited = record.sources.map(({ eventId }) => eventId).filter((id) => scores.has(id));
    return {
      recordId: String(index),
      hasSources: true,
      usualWords,
      words: words[index].size,
      matched: matched.length,
      own: matched.reduce((sum, [, { weight }]) => sum + weight, 0) / whole,
      known: [...weights.values()].filter(({ of }) => of > 0).length,
      turns: new Map(cited.map((id) => [id, scores.get(id)])),
    };
  });
  const matching = found.filter(({ matched, turns }) => matched > 0 || turns.size > 0);
  return rankRecords(matching, turnsWeight, size.turns)
    .slice(0, MOST)
    .map(({ recordId, score }) => ({
      record: Number(recordId),
      ids: records[Number(recordId)].sources.map(({ eventId }) => eventId),
      score,
    }));
};
