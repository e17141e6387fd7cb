#!/usr/bin/env node
// How good is the offline extractor? Prints one line per conversation and strategy.
//
//   node tools/quality/extraction.mjs FILE [--list records|misses CONVERSATION]
//
// FILE holds conversations in LoCoMo's format. Build first: `npx nx build extraction`.
import { askAndRead } from '@turnkeeper/application';
import { admit } from '@turnkeeper/domain';
import { OfflineExtractor } from '@turnkeeper/extraction';
import { readConversations } from './locomo.mjs';

/** Messages per window: five turns, the default `turnInterval`. */
const WINDOW = 10;
const CONTEXT = 4;
const STRATEGIES = ['SEMANTIC', 'USER_PREFERENCE'];

const [file, flag, what, which] = process.argv.slice(2);
if (file === undefined || (flag !== undefined && flag !== '--list')) {
  console.error('usage: node tools/quality/extraction.mjs FILE [--list records|misses CONVERSATION]');
  process.exit(2);
}

const extractor = new OfflineExtractor();

/** Records of one conversation as the service would make them: window by window, the same fact once. */
const recordsOf = async (conversation, strategyType) => {
  const records = new Map();
  let refused = 0;
  for (const session of conversation.sessions) {
    for (let from = 0; from < session.length; from += WINDOW) {
      const messages = session.slice(from, from + WINDOW);
      const context = session.slice(Math.max(0, from - CONTEXT), from);
      const input = { tenantId: 't', strategyType, strategyVersion: 1, customPrompt: null, context, messages };
      const { candidates } = await askAndRead(extractor, input, new AbortController().signal);
      const known = [...records.values()].map((record) => ({
        ...record,
        saidByUser: record.sources.some(({ role }) => role === 'user'),
      }));
      const newId = (index) => `${records.size + index}`;
      const admission = admit({ candidates, window: messages, context, known, namespace: '/', newId });
      refused += admission.refused.length;
      for (const { recordId, sources } of admission.confirmed) records.get(recordId).sources.push(...sources);
      for (const record of admission.records) records.set(record.recordId, { ...record, sources: [...record.sources] });
    }
  }
  return { records: [...records.values()], refused };
};

const percent = (part, whole) => (whole === 0 ? '–' : `${((100 * part) / whole).toFixed(1)} %`);

const measure = async (conversation, strategyType) => {
  const { records, refused } = await recordsOf(conversation, strategyType);
  const userTurns = new Set(
    conversation.sessions
      .flat()
      .filter(({ role }) => role === 'user')
      .map(({ eventId }) => eventId),
  );
  const all = new Set(conversation.sessions.flat().map(({ eventId }) => eventId));
  const wanted = [...conversation.listed.keys()].filter((turn) =>
    (strategyType === 'SEMANTIC' ? all : userTurns).has(turn),
  );
  const cited = new Set(records.flatMap(({ sources }) => sources.map(({ eventId }) => eventId)));
  const covered = wanted.filter((turn) => cited.has(turn));
  const extra = records.filter(({ sources }) => !sources.some(({ eventId }) => conversation.listed.has(eventId)));
  // What keeping as many whole turns would cover, the longest ones.
  const longest = new Set(
    conversation.sessions
      .flat()
      .toSorted((one, other) => other.content.length - one.content.length)
      .slice(0, cited.size)
      .map(({ eventId }) => eventId),
  );
  const byLength = wanted.filter((turn) => longest.has(turn));
  return { conversation, strategyType, records, refused, wanted, covered, byLength, extra, turns: all.size };
};

const row = (cells) => `| ${cells.join(' | ')} |`;

const printTable = async (conversations) => {
  console.log(
    row([
      'conversation',
      'strategy',
      'turns',
      'listed',
      'covered',
      'as many longest turns',
      'records',
      'extra',
      'refused',
    ]),
  );
  console.log(row(['---', '---', '--:', '--:', '--:', '--:', '--:', '--:', '--:']));
  for (const strategyType of STRATEGIES) {
    for (const conversation of conversations) {
      const m = await measure(conversation, strategyType);
      const covered = `${m.covered.length} (${percent(m.covered.length, m.wanted.length)})`;
      const extra = `${m.extra.length} (${percent(m.extra.length, m.records.length)})`;
      const byLength = percent(m.byLength.length, m.wanted.length);
      const cells = [m.turns, m.wanted.length, covered, byLength, m.records.length, extra, m.refused];
      console.log(row([conversation.id, strategyType, ...cells]));
    }
  }
};

/** For judging by eye; the output holds the conversation's own text, so it must not be committed. */
const printList = async (conversation) => {
  const { records, wanted, covered } = await measure(conversation, 'SEMANTIC');
  if (what === 'records') {
    for (const { text, sources } of records) {
      console.log(
        sources.some(({ eventId }) => conversation.listed.has(eventId)) ? '+' : '-',
        sources[0].eventId,
        text,
      );
    }
    return;
  }
  const byId = new Map(conversation.sessions.flat().map((message) => [message.eventId, message]));
  for (const turn of wanted.filter((id) => !covered.includes(id))) {
    console.log(turn, byId.get(turn).content, '\n    =>', conversation.listed.get(turn).join(' || '));
  }
};

const conversations = readConversations(file);
if (flag === '--list') await printList(conversations.find(({ id }) => id === which));
else await printTable(conversations);
