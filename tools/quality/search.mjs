#!/usr/bin/env node
// The value of each signal of the turn search, and how well its calibration separates. Runs in this process, in
// seconds.
//
//   node tools/quality/search.mjs FILE
//
// FILE has conversations in LoCoMo's format. Constants were tuned on the first three; the others are reported
// separately. Build first: `npx nx build search`.
import { readFileSync } from 'node:fs';
import { calibrated, RECIPE, TurnCorpus, turnCalibration } from '@turnkeeper/search';
import { calibration } from '../../bench/recall/calibration.mjs';
import { conversationsOf, NOT_COUNTED } from '../../bench/recall/formats.mjs';
import { judge, summary } from '../../bench/recall/metrics.mjs';

const TUNED_ON = 3;
const MOST = 50;

const [file] = process.argv.slice(2);
if (file === undefined) {
  console.error('usage: node tools/quality/search.mjs FILE');
  process.exit(2);
}

const load = (conversation) => {
  const ids = new Map();
  const messages = conversation.sessions.flatMap(({ turns }, session) =>
    turns.map(({ id, event }, place) => {
      ids.set(`${session + 1} ${place + 1}`, id);
      const { role, message: content } = event.payload;
      const message = { payloadType: 'CONVERSATIONAL', role, content, metadata: event.metadata };
      return { session: session + 1, place: place + 1, at: event.eventTimestamp, message };
    }),
  );
  return {
    ...conversation,
    corpus: new TurnCorpus(messages),
    idOf: (turn) => ids.get(`${turn.session} ${turn.place}`),
  };
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
  'without the minus for questions': without('asks'),
  'without the named speaker': { ...RECIPE, speaker: 1 },
  'without named speaker and opening turns': { ...without('opening'), speaker: 1 },
  'without length penalties': without('lengthPenalty', 'sessionLengthPenalty'),
};

const measure = (half, recipe) =>
  summary(
    half.flatMap(({ corpus, idOf, questions }) =>
      questions.map(({ text, category, evidence }) => {
        const { ranked } = corpus.rank(text, recipe);
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
for (const [name, recipe] of Object.entries(RECIPES)) {
  const [tuned, reported = tuned] = halves.map((half) => measure(half, recipe));
  const byCategory = categories.map((category) => number(reported.byCategory[category]?.['R@10']));
  row([name, number(tuned.all['R@10']), ...columns.map((column) => number(reported.all[column])), ...byCategory]);
}

/** The first ten turns for a question with their scores, as in a search. */
const scored = ({ corpus, idOf }, text) => {
  const { ranked, weight } = corpus.rank(text);
  const best = ranked[0]?.raw ?? 0;
  return ranked
    .slice(0, 10)
    .map((turn) => ({ ids: [idOf(turn)], score: calibrated(turn.raw, weight, best, turnCalibration(false)) }));
};

for (const half of halves) {
  const { kept, foreign, asked } = await calibration(half, (of) => (text) => scored(of, text), { all: conversations });
  console.log(
    `\n${half.length} conversations, score 0.5: ${number(kept)} % of right turns among the first ten stay; ` +
      `${number(foreign)} % of ${asked} questions of another conversation get a hit`,
  );
}
