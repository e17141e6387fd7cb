// What is remembered of conversations whose facts are known. Runs the extractor in this process, in windows like the
// service's, through the admission of the domain.
import { readFileSync } from 'node:fs';
import { statementsIn } from '@turnkeeper/domain';
import { MODEL_DEFAULTS, NotesExtractor, OpenAiCompatibleExtractor } from '@turnkeeper/extraction';
import { termsOf, TurnCorpus } from '@turnkeeper/search';
import { readConversation } from '../../tools/quality/read-conversation.mjs';
import { scoredRecords, wordsOfRecords } from '../../tools/quality/scored-records.mjs';
import { turnsOf } from '../../tools/quality/turns.mjs';
import { NOT_COUNTED } from '../recall/formats.mjs';
import { judge, summary } from '../recall/metrics.mjs';
import { conversationsIn } from './formats.mjs';
import { holdsSlot, isSecretSlot } from './slots.mjs';

/** Records that a reader of one question gets. */
const SHOWN = 10;
/** Attributes printed to be read by eye. */
const SAMPLE = 25;

/** @param {{ file: string | undefined, half: string | undefined, llm: boolean }} options */
export const run = async ({ file, half, llm }) => {
  if (file === undefined || ![undefined, 'odd', 'even'].includes(half)) {
    process.stderr.write(
      'Usage: npm run bench -- memory FILE [--half odd|even] [--llm]   (service calls, or LoCoMo’s format)\n',
    );
    process.exit(2);
  }
  const extractor = llm ? modelOf(process.env) : new NotesExtractor();
  const { calls, chats } = conversationsIn(file, JSON.parse(readFileSync(file, 'utf8')));
  const isChosen = (_, index) => half === undefined || (index % 2 === 0) === (half === 'odd');
  if (calls !== null) await measureCalls(calls.filter(isChosen), extractor);
  else await measureChats(chats.filter(isChosen), extractor);
};

/** @param {NodeJS.ProcessEnv} env */
const modelOf = ({
  LLM_BASE_URL: baseUrl,
  LLM_MODEL: model,
  LLM_API_KEY: apiKey,
  LLM_TIMEOUT_SECONDS: seconds = '60',
}) => {
  if (baseUrl === undefined || model === undefined) {
    process.stderr.write('--llm needs LLM_BASE_URL and LLM_MODEL in the environment.\n');
    process.exit(2);
  }
  const timeoutMs = Number(seconds) * 1_000;
  return new OpenAiCompatibleExtractor({ ...MODEL_DEFAULTS, baseUrl, model, apiKey: apiKey ?? null, timeoutMs });
};

const row = (cells) => console.log(`| ${cells.join(' | ')} |`);
const percent = (part, whole) => (whole === 0 ? '–' : `${((100 * part) / whole).toFixed(1)} %`);
const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);

const currentOf = ({ records }) => records.filter(({ supersededBy }) => supersededBy === null);

/** @returns what was read of each conversation, and CPU milliseconds per message */
const readAll = async (conversations, extractor) => {
  // The first calls compile the code; those of a model would only cost.
  for (const conversation of extractor.costly ? [] : conversations.slice(0, 5))
    await readConversation(conversation, extractor);
  const timed = new TimedExtractor(extractor);
  const read = [];
  for (const conversation of conversations) read.push(await readConversation(conversation, timed));
  const messages = sum(conversations.map(({ sessions }) => sessions.flat().length));
  return { read, msPerMessage: timed.microseconds / 1_000 / messages };
};

/** Counts the CPU time of asking, without admission. */
class TimedExtractor {
  microseconds = 0;

  constructor(extractor) {
    this.extractor = extractor;
  }

  get name() {
    return this.extractor.name;
  }

  get costly() {
    return this.extractor.costly;
  }

  async ask(input, signal) {
    const started = process.cpuUsage();
    const answer = await this.extractor.ask(input, signal);
    const { user, system } = process.cpuUsage(started);
    this.microseconds += user + system;
    return answer;
  }

  read(input, rawAnswer, signal) {
    return this.extractor.read(input, rawAnswer, signal);
  }
}

const measureCalls = async (calls, extractor) => {
  const { read, msPerMessage } = await readAll(calls, extractor);
  const judged = calls.map((call, index) => {
    const current = currentOf(read[index]);
    const open = call.slots.filter((slot) => !isSecretSlot(slot));
    const held = open.filter((slot) => holdsSlot(current, slot));
    return {
      ...call,
      current,
      asked: open.length,
      held: held.length,
      missed: open.filter((slot) => !held.includes(slot)),
      leaked: call.slots.filter((slot) => isSecretSlot(slot) && holdsSlot(current, slot)),
    };
  });
  row([
    'set',
    'calls',
    'slots remembered',
    'calls with all slots',
    'records per call',
    'calls without records',
    'secrets leaked',
  ]);
  row(['---', '--:', '--:', '--:', '--:', '--:', '--:']);
  for (const set of ['all', ...new Set(calls.map((call) => call.set))]) {
    const some = judged.filter((one) => set === 'all' || one.set === set);
    const [held, asked] = [sum(some.map((one) => one.held)), sum(some.map((one) => one.asked))];
    const whole = some.filter((one) => one.held === one.asked).length;
    const records = sum(some.map(({ current }) => current.length));
    row([
      ...[
        set,
        some.length,
        `${held} of ${asked} (${percent(held, asked)})`,
        `${whole} (${percent(whole, some.length)})`,
      ],
      (records / some.length).toFixed(1),
      some.filter(({ current }) => current.length === 0).length,
      sum(some.map(({ leaked }) => leaked.length)),
    ]);
  }
  console.log(`\nCPU per message: ${msPerMessage.toFixed(3)} ms`);
  printRefused(read);
  if (process.env.BENCH_LIST === 'misses') {
    for (const { id, missed, leaked } of judged) {
      for (const { slot, values } of missed) console.log('missed', id, slot, JSON.stringify(values));
      for (const { slot, values } of leaked) console.log('LEAKED', id, slot, JSON.stringify(values));
    }
  }
  printAttributes(judged.flatMap(({ current }) => current));
};

const printRefused = (read) => {
  const refused = {};
  for (const one of read)
    for (const [reason, count] of Object.entries(one.refused)) refused[reason] = (refused[reason] ?? 0) + count;
  const total = (key) => sum(read.map((one) => one[key]));
  console.log(
    `refused: ${JSON.stringify(refused)}; superseded: ${sum(read.map(({ superseded }) => superseded.length))}; ` +
      `failed windows: ${total('failed')}; tokens: ${total('inputTokens')} in, ${total('outputTokens')} out`,
  );
};

const printAttributes = (records) => {
  const typed = records.filter(({ attribute }) => attribute);
  console.log(`\n${typed.length} of ${records.length} records have a typed value; some of them:`);
  const step = Math.max(1, Math.floor(typed.length / SAMPLE));
  for (const { text, attribute, subject } of typed.filter((_, index) => index % step === 0).slice(0, SAMPLE))
    console.log(
      `  ${subject ?? ''}${attribute.name} = ${attribute.value}${attribute.single ? '' : ' (one of several)'}   < ${text}`,
    );
};

const measureChats = async (chats, extractor) => {
  const { read, msPerMessage } = await readAll(
    chats.map(({ sessions }) => sessions),
    extractor,
  );
  const judged = [];
  const shares = [];
  let cited = 0;
  let records = 0;
  chats.forEach(({ chat }, index) => {
    const { messages, idOf } = turnsOf(chat);
    const current = currentOf(read[index]).map((record) => ({ ...record, sources: statementsIn(record.sources) }));
    records += current.length;
    const conversation = { ...chat, corpus: new TurnCorpus(messages), idOf };
    const words = wordsOfRecords(current);
    const quoted = new Set(current.flatMap(({ sources }) => sources.map(({ eventId }) => eventId)));
    for (const { text, answer, category, evidence } of chat.questions) {
      const ranked = scoredRecords(conversation, current, words, text);
      judged.push({
        category,
        verdict: judge(
          evidence,
          ranked.map(({ ids }) => ids),
        ),
      });
      if (category === NOT_COUNTED) continue;
      cited += evidence.filter((id) => quoted.has(id)).length / evidence.length;
      const wanted = [...termsOf(answer, 'en').keys()];
      if (wanted.length === 0) continue;
      const shown = ranked.slice(0, SHOWN).map(({ record }) => current[record].text);
      const held = termsOf(shown.join('\n'), 'en');
      shares.push(wanted.filter((term) => held.has(term)).length / wanted.length);
    }
  });
  const { all, questions, byCategory } = summary(judged);
  row(['chats', 'questions', 'R@5', 'R@10', 'evidence quoted', `answer words in ${SHOWN} records`, 'records']);
  row(['--:', '--:', '--:', '--:', '--:', '--:', '--:']);
  const words = (100 * sum(shares)) / Math.max(1, shares.length);
  row([
    chats.length,
    questions,
    ...['R@5', 'R@10'].map((at) => all[at].toFixed(1)),
    percent(cited, questions),
    `${words.toFixed(1)} %`,
    records,
  ]);
  for (const [category, verdict] of Object.entries(byCategory))
    console.log(`R@10 ${category}: ${verdict['R@10'].toFixed(1)} (${verdict.questions})`);
  console.log(`\nCPU per message: ${msPerMessage.toFixed(3)} ms`);
  printRefused(read);
  printAttributes(read.flatMap(currentOf));
};
