#!/usr/bin/env node
// How well notes are found by their sources, and what citing the exchange is worth. Runs in this process,
// in a minute; `npm run bench -- recall FILE` measures the same through the HTTP API.
//
//   node tools/quality/records.mjs FILE
//
// FILE has conversations in LoCoMo's format. Constants were tuned on the first three; the others are reported
// separately. Build first: `npx nx run-many -t build -p extraction,search`.
import { readFileSync } from 'node:fs';
import { statementsIn } from '@turnkeeper/domain';
import { NotesExtractor } from '@turnkeeper/extraction';
import { TurnCorpus } from '@turnkeeper/search';
import { calibration } from '../../bench/recall/calibration.mjs';
import { conversationsOf, NOT_COUNTED } from '../../bench/recall/formats.mjs';
import { judge, summary } from '../../bench/recall/metrics.mjs';
import { readConversations } from './locomo.mjs';
import { readConversation } from './read-conversation.mjs';
import { scoredRecords, wordsOfRecords } from './scored-records.mjs';
import { turnsOf } from './turns.mjs';

const TUNED_ON = 3;

const [file] = process.argv.slice(2);
if (file === undefined) {
  console.error('usage: node tools/quality/records.mjs FILE');
  process.exit(2);
}

const extractor = new NotesExtractor();
const sessionsOf = readConversations(file);
const load = async (conversation, index) => {
  const { messages, idOf } = turnsOf(conversation);
  const { records } = await readConversation(sessionsOf[index], extractor);
  const current = records.filter(({ supersededBy }) => supersededBy === null);
  return { ...conversation, corpus: new TurnCorpus(messages), idOf, records: current };
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
    const words = wordsOfRecords(records);
    const cited = new Set(records.flatMap(({ sources }) => sources.map(({ eventId }) => eventId)));
    for (const { text, category, evidence } of conversation.questions) {
      const ranked = scoredRecords(conversation, records, words, text).map(({ ids }) => ids);
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
      const words = wordsOfRecords(conversation.records);
      return (text) => scoredRecords(conversation, conversation.records, words, text);
    },
    { all: loaded },
  );
  console.log(
    `\n${half.length} conversations, score 0.5: ${kept.toFixed(1)} % of right records among the first ten stay; ` +
      `${foreign.toFixed(1)} % of questions of another conversation get a hit`,
  );
}
