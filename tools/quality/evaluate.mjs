#!/usr/bin/env node
// Record quality. See `npm run evaluate -- --help`.
import { parseArgs } from 'node:util';
import { MODEL_DEFAULTS, NotesExtractor, OpenAiCompatibleExtractor } from '@turnkeeper/extraction';
import { readConversations } from './locomo.mjs';
import { cellsOf, HEADER, measuresOf } from './measures.mjs';
import { readConversation } from './read-conversation.mjs';
import { drawn, recordsWithMessages } from './sample.mjs';

const HELP = `Extracts conversations in LoCoMo's format and measures the records.

  npm run evaluate -- FILE                                  notes without a model, on every conversation
  npm run evaluate -- FILE --llm                            … and the endpoint of LLM_BASE_URL, LLM_MODEL, LLM_API_KEY
  npm run evaluate -- FILE --list records CONVERSATION      every record: + quotes a listed turn, - does not
  npm run evaluate -- FILE --list misses CONVERSATION       every listed turn that no record quotes
  npm run evaluate -- FILE --list supersessions [CONVERSATION]   what ended what, and when both were said
  npm run evaluate -- FILE --sample COUNT SEED [CONVERSATION …]  records to read, each with its message ("<")

Several CONVERSATIONs can be given. The same COUNT and SEED draw the same records.

covered      listed turns that a record quotes; beside it what as many of the longest turns would cover
unnamed      records that hang on a pronoun, by their words alone
dated        records from turns with a time word that carry a date

Build first: npx nx build extraction. A list holds the conversation's own text.`;

const STRATEGIES = ['SEMANTIC', 'USER_PREFERENCE'];

const options = () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      llm: { type: 'boolean' },
      list: { type: 'string' },
      sample: { type: 'string' },
      help: { type: 'boolean' },
    },
  });
  const [file, ...rest] = positionals;
  const { llm = false, list, help = false } = values;
  const sample = values.sample === undefined ? null : { count: Number(values.sample), seed: Number(rest.shift()) };
  const isComplete = sample === null || (sample.count > 0 && Number.isSafeInteger(sample.seed));
  if (help || file === undefined || !isComplete) {
    console.log(HELP);
    process.exit(help ? 0 : 2);
  }
  return { file, which: rest, llm, list, sample };
};

/** @param {NodeJS.ProcessEnv} env */
const modelOf = ({ LLM_BASE_URL: baseUrl, LLM_MODEL: model, LLM_API_KEY: apiKey }) => {
  if (baseUrl === undefined || model === undefined) {
    console.error('--llm needs LLM_BASE_URL and LLM_MODEL in the environment.');
    process.exit(2);
  }
  return new OpenAiCompatibleExtractor({ ...MODEL_DEFAULTS, baseUrl, model, apiKey: apiKey ?? null });
};

const row = (cells) => console.log(`| ${cells.join(' | ')} |`);

const printTable = async (conversations, extractors) => {
  row(HEADER);
  row(HEADER.map((_, index) => (index < 3 ? '---' : '--:')));
  for (const strategyType of STRATEGIES) {
    for (const conversation of conversations) {
      for (const extractor of extractors) {
        const read = await readConversation(conversation, extractor, strategyType);
        row(cellsOf(conversation.id, extractor.name, strategyType, measuresOf(conversation, read, strategyType)));
      }
    }
  }
};

const printList = async (conversation, extractor, what) => {
  const read = await readConversation(conversation, extractor);
  const m = measuresOf(conversation, read);
  if (what === 'records') {
    for (const { text, sources } of m.records) {
      const isListed = sources.some(({ eventId }) => conversation.listed.has(eventId));
      console.log(isListed ? '+' : '-', sources[0].eventId, text);
    }
  } else if (what === 'supersessions') {
    for (const { old, by } of m.superseded) {
      const said = ({ statedAt, text }) => `(${statedAt.slice(0, 10)}) ${text}`;
      console.log(`${conversation.id} ${old.slot?.key ?? ''}\n  was ${said(old)}\n  now ${said(by)}`);
    }
  } else {
    const byId = new Map(conversation.sessions.flat().map((message) => [message.eventId, message]));
    for (const turn of m.wanted.filter((id) => !m.covered.includes(id))) {
      console.log(turn, byId.get(turn).content, '\n    =>', conversation.listed.get(turn).join(' || '));
    }
  }
};

const { file, which, llm, list, sample } = options();
const conversations = readConversations(file).filter(({ id }) => which.length === 0 || which.includes(id));
const offline = new NotesExtractor();
const extractor = llm ? modelOf(process.env) : offline;
if (sample !== null) {
  const read = await Promise.all(conversations.map((conversation) => readConversation(conversation, extractor)));
  const all = conversations.flatMap((conversation, index) => recordsWithMessages(conversation, read[index].records));
  drawn(all, sample.count, sample.seed).forEach(({ id, eventId, text, message }, index) => {
    console.log(`${String(index + 1).padStart(3)} ${id} ${eventId} | ${text}\n        < ${message}`);
  });
} else if (list === undefined) {
  const extractors = llm ? [offline, extractor] : [offline];
  await printTable(conversations, extractors);
} else {
  for (const conversation of conversations) await printList(conversation, extractor, list);
}
