#!/usr/bin/env node
// What a score of 0.5 separates in small memories: how many right hits stay, and how many questions about another
// conversation get a hit. Runs in this process, in a minute.
//
//   node tools/quality/small.mjs FILE [--turns 20,40,60] [--unnamed]
//
// FILE has conversations in LoCoMo's format. Each is cut into memories of as many consecutive turns, with the questions
// that these turns answer; with --unnamed, "they" replaces the speakers' names in questions. Constants were tuned on the
// first three conversations; the others are reported separately. Build first: `npx nx run-many -t build -p
// extraction,search`.
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { NotesExtractor } from '@turnkeeper/extraction';
import { TurnCorpus } from '@turnkeeper/search';
import { calibration } from '../../bench/recall/calibration.mjs';
import { conversationsOf, NOT_COUNTED } from '../../bench/recall/formats.mjs';
import { readConversations } from './locomo.mjs';
import { readConversation } from './read-conversation.mjs';
import { scoredRecords, wordsOfRecords } from './scored-records.mjs';
import { scoredTurns, turnsOf } from './turns.mjs';

const TUNED_ON = 3;

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { turns: { type: 'string', default: '20,40,60' }, unnamed: { type: 'boolean', default: false } },
});
const [file] = positionals;
const sizes = values.turns.split(',').map(Number);
if (file === undefined || !sizes.every((size) => size > 0)) {
  console.error('usage: node tools/quality/small.mjs FILE [--turns 20,40,60] [--unnamed]');
  process.exit(2);
}

const extractor = new NotesExtractor();
const conversations = conversationsOf(JSON.parse(readFileSync(file, 'utf8')));
const read = readConversations(file);

/** The memory of some turns of a conversation. */
const memoryOf = async (conversation, index, ids) => {
  const sessions = conversation.sessions.map((session) => ({
    ...session,
    turns: session.turns.filter(({ id }) => ids.has(id)),
  }));
  const { messages, idOf } = turnsOf({ sessions });
  const said = read[index].sessions.map((session) => session.filter(({ eventId }) => ids.has(eventId)));
  const { records } = await readConversation({ ...read[index], sessions: said }, extractor);
  const current = records.filter(({ supersededBy }) => supersededBy === null);
  return {
    ...conversation,
    of: index,
    sessions,
    questions: conversation.questions.filter(
      ({ evidence, category }) => category !== NOT_COUNTED && evidence.every((id) => ids.has(id)),
    ),
    corpus: new TurnCorpus(messages),
    idOf,
    records: current,
    words: wordsOfRecords(current),
  };
};

/** @returns the memories of as many consecutive turns; the last turns of a conversation may be left over */
const memoriesOf = (conversation, index, size) => {
  const ids = conversation.sessions.flatMap(({ turns }) => turns.map(({ id }) => id));
  const count = Math.max(1, Math.floor(ids.length / size));
  return Promise.all(
    Array.from({ length: count }, (_, at) =>
      memoryOf(conversation, index, new Set(ids.slice(at * size, (at + 1) * size))),
    ),
  );
};

const asAsked = ({ names }, text) =>
  values.unnamed
    ? names.reduce((of, name) => of.replaceAll(`${name}'s`, 'their').replaceAll(name, 'they'), text)
    : text;

const SEARCHES = {
  turns: (memory) => (text) => scoredTurns(memory.idOf, memory.corpus.rank(asAsked(memory, text))),
  records: (memory) => (text) => scoredRecords(memory, memory.records, memory.words, asAsked(memory, text)),
};

const row = (cells) => console.log(`| ${cells.join(' | ')} |`);
const otherOf = ({ of }) => conversations[(of + 1) % conversations.length];
row([
  'turns in a memory',
  'conversations',
  'memories',
  'questions',
  'foreign',
  ...Object.keys(SEARCHES).flatMap((name) => [`${name} kept`, `foreign with ${name}`]),
]);
row(['--:', '---', ...Array.from({ length: 7 }, () => '--:')]);
for (const size of sizes) {
  const memories = (
    await Promise.all(conversations.map((conversation, index) => memoriesOf(conversation, index, size)))
  ).flat();
  for (const half of ['tuned on', 'others']) {
    const some = memories.filter(({ of }) => of < TUNED_ON === (half === 'tuned on'));
    if (some.length === 0) continue;
    const cells = [];
    let asked = 0;
    for (const searchOf of Object.values(SEARCHES)) {
      const found = await calibration(some, searchOf, { otherOf });
      asked = found.asked;
      cells.push(found.kept.toFixed(1), found.foreign.toFixed(1));
    }
    row([size, half, some.length, some.reduce((sum, { questions }) => sum + questions.length, 0), asked, ...cells]);
  }
}
