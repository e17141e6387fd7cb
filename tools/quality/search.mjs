#!/usr/bin/env node
// The value of each signal of the turn search, and how well its calibration separates. Runs in this process, in
// seconds, and in minutes with the vectors of the small model in the optional package.
//
//   node tools/quality/search.mjs FILE [--vectors]
//
// FILE has conversations in LoCoMo's format. Constants were tuned on the first three; the others are reported
// separately. Build first: `npx nx run-many -t build -p extraction,search`.
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import {
  embeddedQuestion,
  embeddedText,
  evidenceWeight,
  likenessOf,
  meanVector,
  packVector,
  rarityOf,
  reachOf,
  readTurnQuery,
  RECIPE,
  stemOf,
  TurnCorpus,
  wordsOf,
} from '@turnkeeper/search';
import { calibration, keptWhilePassing, scoresOf, separated } from '../../bench/recall/calibration.mjs';
import { conversationsOf, NOT_COUNTED } from '../../bench/recall/formats.mjs';
import { judge, summary } from '../../bench/recall/metrics.mjs';
import { scoredTurns, turnsOf } from './turns.mjs';

const TUNED_ON = 3;
const MOST = 50;
/** Percent of foreign questions. */
const PASSING = [3, 4, 5, 6, 7];

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { vectors: { type: 'boolean', default: false } },
});
const [file] = positionals;
if (file === undefined) {
  console.error('usage: node tools/quality/search.mjs FILE [--vectors]');
  process.exit(2);
}

const load = (conversation) => {
  const { messages, idOf } = turnsOf(conversation);
  return { ...conversation, messages, corpus: new TurnCorpus(messages), idOf };
};

const conversations = conversationsOf(JSON.parse(readFileSync(file, 'utf8'))).map(load);
const halves = [conversations.slice(0, TUNED_ON), conversations.slice(TUNED_ON)].filter((half) => half.length > 0);

const without = (...signals) => ({ ...RECIPE, ...Object.fromEntries(signals.map((signal) => [signal, 0])) });
const RECIPES = {
  'the recipe': RECIPE,
  'without the words of neighbours': {
    ...RECIPE,
    neighbours: RECIPE.neighbours.map((weight) => (weight === 1 ? 1 : 0)),
  },
  "without a turn's own words": without('own'),
  "without the session's words": without('session'),
  'without "an answer follows a question"': without('answers'),
  'without dates': without('date'),
  'without "when" meets a time word': without('when'),
  'without names and quotes': without('names'),
  'without opening turns': without('opening'),
  'without the penalty for questions': without('asks'),
  'without the named speaker': { ...RECIPE, speaker: 1 },
  'without named speaker and opening turns': { ...without('opening'), speaker: 1 },
  'without length penalties': without('lengthPenalty', 'sessionLengthPenalty'),
};

const RERANKED = 50;
/** Neighbours before a turn, and itself. */
const BACKWARDS = RECIPE.neighbours.map((weight, at) => (at <= (RECIPE.neighbours.length - 1) / 2 ? weight : 0));
const WITH_VECTORS = {
  'with vectors, 0.4 × likeness': {},
  'with vectors, 0.6 × likeness': { weight: 0.6 },
  'with vectors pooled backwards only': { neighbours: BACKWARDS },
  'with vectors, 100 turns reranked': { reranked: 100 },
};

const localEmbedders = async () => {
  const { createEmbedders } = await import('@turnkeeper/extraction/embeddings');
  const embedders = createEmbedders({ mode: 'local', dimensions: 0 });
  if (embedders === undefined) throw new Error('There is no local model.');
  return embedders;
};

/** Embeds the turns and questions of a conversation, as ingest and worker do. */
const embed = async (embedder, { messages, questions, names = [] }) => {
  const vectorsOf = async (texts) => {
    const vectors = [];
    for (let from = 0; from < texts.length; from += BATCH)
      vectors.push(...(await embedder.embed(texts.slice(from, from + BATCH), AbortSignal.timeout(60_000))));
    return vectors;
  };
  const speakers = names.map((name) => name.toLowerCase());
  const turns = (await vectorsOf(messages.map(({ message }) => embeddedText(message)))).map(packVector);
  const asked = await vectorsOf(questions.map(({ text }) => embeddedQuestion(text, speakers)));
  return {
    turns: messages.map(({ session, place }, at) => ({ session, place, vector: turns[at] })),
    mean: meanVector(turns),
    asked: new Map(questions.map(({ text }, at) => [text, asked[at]])),
  };
};
const BATCH = 32;

/** Ranks as a search with vectors does: the turns that are best by words once more. */
const rankWithVectors =
  ({ weight = RECIPE.meaning, neighbours = RECIPE.neighbours, reranked = RERANKED }) =>
  ({ corpus, vectors: { turns, mean, asked } }, text) => {
    const best = corpus.rank(text).ranked.slice(0, reranked);
    const found = new Set(best.map(({ session, place }) => `${session} ${place}`));
    const likeness = likenessOf(asked.get(text), turns, mean, neighbours);
    return corpus.rank(text, RECIPE, (session, place) =>
      found.has(`${session} ${place}`) ? weight * likeness(session, place) : 0,
    );
  };

const measure = (half, rank) =>
  summary(
    half.flatMap((conversation) =>
      conversation.questions.map(({ text, category, evidence }) => {
        const { idOf } = conversation;
        const { ranked } = rank(conversation, text);
        return {
          category,
          verdict: judge(
            evidence,
            ranked.slice(0, MOST).map((turn) => [idOf(turn)]),
          ),
        };
      }),
    ),
  );

const row = (cells) => console.log(`| ${cells.join(' | ')} |`);
const number = (value) => (value === undefined ? '–' : value.toFixed(1));
const columns = ['R@10', 'R@5', 'R@50', 'nDCG@10'];
const categories = ['multi-hop', 'temporal', 'open-domain', 'single-hop', NOT_COUNTED];
row(['recipe', 'R@10 tuned on', ...columns, ...categories]);
row(['---', ...Array.from({ length: 1 + columns.length + categories.length }, () => '--:')]);
/** @type {[string, (conversation: any, text: string) => any][]} */
const rankings = Object.entries(RECIPES).map(([name, recipe]) => [
  name,
  ({ corpus }, text) => corpus.rank(text, recipe),
]);
/** @type {typeof readTurnQuery} */
const asAsked = (question, context) => {
  const query = readTurnQuery(question, context);
  return { ...query, terms: query.terms.map(({ term, stems }) => ({ term, stems: stems.slice(0, 1) })) };
};
rankings.push([
  'without other forms of the words',
  ({ corpus }, text) => corpus.rank(text, RECIPE, undefined, asAsked),
]);
const embedders = values.vectors ? await localEmbedders() : undefined;
if (embedders !== undefined) {
  for (const conversation of conversations) conversation.vectors = await embed(embedders.current, conversation);
  for (const [name, options] of Object.entries(WITH_VECTORS)) rankings.push([name, rankWithVectors(options)]);
}
for (const [name, rank] of rankings) {
  const [tuned, reported = tuned] = halves.map((half) => measure(half, rank));
  const byCategory = categories.map((category) => number(reported.byCategory[category]?.['R@10']));
  row([name, number(tuned.all['R@10']), ...columns.map((column) => number(reported.all[column])), ...byCategory]);
}

/** @type {(ranking: any, text: string) => number} */
const byEvidence = ({ weight }) => weight;
/**
 * Each word as rare as in the form that is asked for.
 *
 * @type {(ranking: any, text: string) => number}
 */
const byAskedForm = ({ query, terms, size, ranked }, text) => {
  const asked = new Map(wordsOf(text, 'en').map((word) => [stemOf(word, 'en'), rarityOf(word, 'en')]));
  const rarities = new Map(query.terms.map(({ term, stems }) => [term, asked.get(stems[0])]));
  return evidenceWeight({ ...query, rarities }, terms, size, ranked[0], reachOf(RECIPE));
};
/** @type {(ranking: any) => number} */
const byWordsAlone = ({ terms }) => Math.sqrt(Math.max(1, terms.length));

const scored =
  (conversation, weightOf = byEvidence) =>
  (text) => {
    const ranking = conversation.corpus.rank(text);
    return scoredTurns(conversation.idOf, ranking, weightOf(ranking, text));
  };

/** The questions of another conversation are embedded as they are asked. */
const scoredWithVectors =
  ({ current }) =>
  (conversation) =>
  async (text) => {
    const { asked } = conversation.vectors;
    const speakers = (conversation.names ?? []).map((name) => name.toLowerCase());
    if (!asked.has(text)) {
      const [vector] = await current.embed([embeddedQuestion(text, speakers)], AbortSignal.timeout(60_000));
      asked.set(text, vector);
    }
    const ranking = rankWithVectors({})(conversation, text);
    return scoredTurns(conversation.idOf, ranking, ranking.weight, true);
  };

for (const half of halves) {
  const options = { all: conversations };
  const scores = await scoresOf(half, scored, options);
  const { kept, foreign, asked } = separated(scores);
  const ofForm = await calibration(half, (of) => scored(of, byAskedForm), options);
  const plain = await calibration(half, (of) => scored(of, byWordsAlone), options);
  console.log(
    `\n${half.length} conversations, score 0.5: ${number(kept)} % of right turns among the first ten stay; ` +
      `${number(foreign)} % of ${asked} questions of another conversation get a hit`,
  );
  console.log(`  words as rare as in the form asked for: ${number(ofForm.kept)} %; ${number(ofForm.foreign)} %`);
  console.log(`  all words equally rare, any number of turns: ${number(plain.kept)} %; ${number(plain.foreign)} %`);
  const curve = PASSING.map((percent) => `${number(keptWhilePassing(scores, percent))} % at ${percent} %`);
  console.log(`  right turns that stay while so many foreign questions pass: ${curve.join(', ')}`);
  if (embedders === undefined) continue;
  const withVectors = await calibration(half, scoredWithVectors(embedders), options);
  console.log(`  with vectors: ${number(withVectors.kept)} %; ${number(withVectors.foreign)} %`);
}
await embedders?.close();
