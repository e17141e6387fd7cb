// `npm run replay -- FILE`: posts recorded conversations through the public API, and verifies that nothing was lost.
import { basename } from 'node:path';
import { parseArgs } from 'node:util';
import { apiClient, path } from '../shared/api.mjs';
import { script } from '../shared/script.mjs';
import { bold, line, say, step, tolerateClosedOutput } from '../shared/steps.mjs';
import { until } from '../shared/wait.mjs';
import { localSystem } from '../dev/state.mjs';
import { patiently } from './patience.mjs';
import { exactJson } from './exact-json.mjs';
import { compareAll } from './read-back.mjs';
import { readConversations } from './read-input.mjs';
import { sendSessions } from './send.mjs';

const USAGE = `Usage: npm run replay -- FILE [--url URL] [--key KEY] [--memory-name NAME] [--memory ID] [--batch N] [--timeout SECONDS]

  FILE           LoCoMo conversations (JSON) or one turn per line (JSONL): docs/replay.md
  --url, --key   the API; else TURNKEEPER_URL and TURNKEEPER_API_KEY, else what \`npm start\` runs
  --memory-name  name of the memory that is made; else the file's name
  --memory       id of a memory to replay into, to go on after an interruption
  --batch        events in one request, 1 to 1,000; else 100
  --timeout      longest wait for the extraction, in seconds; else 900
`;
script(USAGE);
const MAX_DIFFERENCES = 20;

const readArguments = () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      url: { type: 'string' },
      key: { type: 'string' },
      'memory-name': { type: 'string' },
      memory: { type: 'string' },
      batch: { type: 'string', default: '100' },
      timeout: { type: 'string', default: '900' },
    },
  });
  if (positionals.length !== 1) throw new Error(USAGE);
  const local = localSystem().read();
  const url = values.url ?? process.env.TURNKEEPER_URL ?? local.url;
  const key = values.key ?? process.env.TURNKEEPER_API_KEY ?? local.apiKey;
  if (!url || !key) throw new Error(`No API to talk to: run \`npm start\` first, or name one.\n\n${USAGE}`);
  const batchSize = Number(values.batch);
  if (!Number.isInteger(batchSize) || batchSize < 1 || batchSize > 1000) throw new Error(USAGE);
  return {
    file: positionals[0],
    url,
    key,
    batchSize,
    memoryId: values.memory,
    name: values['memory-name'],
    timeoutMs: Number(values.timeout) * 1000,
  };
};

const createMemory = async (api, name) => {
  const strategy = {
    name: 'facts',
    type: 'SEMANTIC',
    namespaceTemplate: '/facts/{actorId}',
    enableAutomaticMemoryRecordGeneration: true,
  };
  const body = {
    name,
    description: 'Replayed conversations.',
    eventExpiryDuration: 365,
    longTermMemoryStrategies: [strategy],
  };
  const memory = await patiently(() => api.post('/memory/memories', body));
  return memory.id;
};

/** Maximum length of a memory's name. */
const nameFrom = (file) =>
  basename(file)
    .replace(/[^a-zA-Z0-9._-]/g, '-')
    .slice(0, 50);

const sendAll = async (api, memoryId, sessions, { total, batchSize }) => {
  let acknowledged = 0;
  const started = performance.now();
  await step(
    'send',
    (note) =>
      sendSessions(api, memoryId, sessions, {
        batchSize,
        onAcknowledged: (count) => {
          acknowledged += count;
          note(`${acknowledged} of ${total} events acknowledged`);
        },
      }),
    () => `${acknowledged} of ${total} events acknowledged`,
  );
  return { acknowledged, perSecond: Math.round(acknowledged / ((performance.now() - started) / 1000)) };
};

const extraction = (api, memoryId, timeoutMs) =>
  step(
    'extraction',
    async (note) => {
      const ask = async () => {
        const progress = await patiently(() => api.get(path`/v1/memories/${memoryId}/extraction`));
        note(`${sum(progress, 'pendingSessions')} sessions wait, ${sum(progress, 'records')} records`);
        return progress.caughtUp && progress;
      };
      return until('extraction', ask, { timeoutMs, everyMs: 500 });
    },
    (progress) => `caught up: ${sum(progress, 'records')} records`,
  );

const sum = ({ strategies }, field) => strategies.reduce((total, strategy) => total + strategy[field], 0);

const replay = async () => {
  const { file, url, key, batchSize, timeoutMs, ...memory } = readArguments();
  const sessions = readConversations(file);
  const total = sessions.reduce((count, { turns }) => count + turns.length, 0);
  const api = apiClient({ url, key, json: exactJson });
  say(`\n  ${bold('Replay')} of ${basename(file)} to ${url}\n`);
  const memoryId = memory.memoryId ?? (await createMemory(api, memory.name ?? nameFrom(file)));
  say(line('memory', memoryId));
  const { acknowledged, perSecond } = await sendAll(api, memoryId, sessions, { total, batchSize });
  const compare = () => compareAll(api, memoryId, sessions);
  const { equal, different } = await step('read back', compare, (found) => `${found.equal} of ${total} events equal`);
  const progress = await extraction(api, memoryId, timeoutMs);
  const parked = sum(progress, 'parkedSessions');
  report({
    conversations: new Set(sessions.map(({ actorId }) => actorId)).size,
    sessions: sessions.length,
    'events sent': total,
    acknowledged,
    'read back equal': equal,
    'records made': sum(progress, 'records'),
    'sessions parked': parked,
    'events per second': perSecond,
  });
  return judge({ total, acknowledged, equal, different, parked });
};

const report = (figures) => {
  say(`\n  ${bold('Report')}\n`);
  for (const [name, value] of Object.entries(figures))
    say(`  ${name.padEnd(20)}${value.toLocaleString('en-US').padStart(10)}`);
};

const judge = ({ total, acknowledged, equal, different, parked }) => {
  const good = acknowledged === total && equal === total && different.length === 0 && parked === 0;
  if (good) {
    say('\n  Every turn was acknowledged and read back equal, and extraction has caught up.\n');
    return 0;
  }
  say('\n  FAILED: what was sent and what is stored are not the same, or sessions could not be extracted.\n');
  for (const text of different.slice(0, MAX_DIFFERENCES)) say(`    ${text}`);
  if (different.length > MAX_DIFFERENCES) say(`    and ${different.length - MAX_DIFFERENCES} more`);
  if (parked > 0) say(`    ${parked} sessions are parked: their extraction failed too often`);
  return 1;
};

tolerateClosedOutput();
process.exitCode = await replay().catch((error) => {
  say(`\n${error.message}`);
  return 1;
});
