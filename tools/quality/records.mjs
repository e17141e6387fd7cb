#!/usr/bin/env node
// How well records of the rules are found by their sources, and what citing the exchange is worth. Runs in this process,
// in a minute; `npm run bench -- recall FILE` measures the same through the HTTP API.
//
//   node tools/quality/records.mjs FILE
//
// FILE has conversations in LoCoMo's format. Constants were tuned on the first three; the others are reported
// separately. Build first: `npx nx run-many -t build -p extraction,search`.
import { readFileSync } from 'node:fs';
import { statementsIn } from '@turnkeeper/domain';
import { OfflineExtractor } from '@turnkeeper/extraction';
import { rankRecords, termsOf, TurnCorpus } from '@turnkeeper/search';
import { calibration } from '../../bench/recall/calibration.mjs';
import { conversationsOf, NOT_COUNTED } from '../../bench/recall/formats.mjs';
import { judge, summary } from '../../bench/recall/metrics.mjs';
import { readConversations } from './locomo.mjs';
import { readConversation } from './read-conversation.mjs';

const TUNED_ON = 3;
const MOST = 50;
const MOST_TURNS = 400;

const [file] = process.argv.slice(2);
if (file === undefined) {
  console.error('usage: node tools/quality/records.mjs FILE');
  process.exit(2);
}

const extractor = new OfflineExtractor();
const sessionsOf = readConversations(file);
const load = async (conversation, index) => {
  const idOf = new Map();
  const messages = conversation.sessions.flatMap(({ turns }, session) =>
    turns.map(({ id, event }, place) => {
      idOf.set(`${session + 1} ${place + 1}`, id);
      const { role, message: content } = event.payload;
      const message = { payloadType: 'CONVERSATIONAL', role, content, metadata: event.metadata };
      return { session: session + 1, place: place + 1, at: event.eventTimestamp, message };
    }),
  );
  const { records } = await readConversation(sessionsOf[index], extractor);
  const current = records.filter(({ supersededBy }) => supersededBy === null);
  return { ...conversation, corpus: new TurnCorpus(messages), idOf, records: current };
};

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

const rank = ({ corpus, idOf, names }, records, words, query) => {
  const { ranked, size, weight: turnsWeight } = corpus.rank(query);
  const scores = new Map(
    ranked.slice(0, MOST_TURNS).map((turn) => [idOf.get(`${turn.session} ${turn.place}`), turn.raw]),
  );
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
    .map(({ recordId, score }) => ({ ids: records[Number(recordId)].sources.map(({ eventId }) => eventId), score }));
};

const VARIANTS = {
  'statements only': statementsIn,
  'with the exchange': (sources) => sources,
};

const measure = (conversations, sourcesOf) => {
  const judged = [];
  let citable = 0;
  for (const conversation of conversations) {
    const records = conversation.records.map((record) => ({ ...record, sources: sourcesOf(record.sources) }));
    const words = records.map(({ text }) => new Set(termsOf(text, 'en').keys()));
    const cited = new Set(records.flatMap(({ sources }) => sources.map(({ eventId }) => eventId)));
    for (const { text, category, evidence } of conversation.questions) {
      const ranked = rank(conversation, records, words, text).map(({ ids }) => ids);
      judged.push({ category, verdict: judge(evidence, ranked) });
      if (category !== NOT_COUNTED) citable += evidence.filter((id) => cited.has(id)).length / evidence.length;
    }
  }
  const { all, questions } = summary(judged);
  return { all, cited: (100 * citable) / questions };
};

const row = (cells) => console.log(`| ${cells.join(' | ')} |`);
const loaded = [];
for (const [index, conversation] of conversationsOf(JSON.parse(readFileSync(file, 'utf8'))).entries())
  loaded.push(await load(conversation, index));
row(['sources', 'conversations', 'R@5', 'R@10', 'R@50', 'evidence cited']);
row(['---', '---', '--:', '--:', '--:', '--:']);
for (const [name, sourcesOf] of Object.entries(VARIANTS)) {
  for (const [half, conversations] of [
    ['tuned on', loaded.slice(0, TUNED_ON)],
    ['others', loaded.slice(TUNED_ON)],
  ]) {
    if (conversations.length === 0) continue;
    const { all, cited } = measure(conversations, sourcesOf);
    row([name, half, ...['R@5', 'R@10', 'R@50'].map((at) => all[at].toFixed(1)), cited.toFixed(1)]);
  }
}

for (const half of [loaded.slice(0, TUNED_ON), loaded.slice(TUNED_ON)].filter((some) => some.length > 0)) {
  const { kept, foreign } = await calibration(
    half,
    (conversation) => {
      const words = conversation.records.map(({ text }) => new Set(termsOf(text, 'en').keys()));
      return (text) => rank(conversation, conversation.records, words, text);
    },
    { all: loaded },
  );
  console.log(
    `\n${half.length} conversations, score 0.5: ${kept.toFixed(1)} % of right records among the first ten stay; ` +
      `${foreign.toFixed(1)} % of questions of another conversation get a hit`,
  );
}
