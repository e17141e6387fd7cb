// Search recall in conversations with known questions and answering turns. Through the HTTP API.
import { readFileSync } from 'node:fs';
import { apiClient, path } from '../../tools/shared/api.mjs';
import { say, step } from '../../tools/shared/steps.mjs';
import { until } from '../../tools/shared/wait.mjs';
import { onInstallation } from '../measuring.mjs';
import { quantile } from '../statistics.mjs';
import { calibration } from './calibration.mjs';
import { conversationsOf } from './formats.mjs';
import { loadConversations, makeRecords, namespaceOf } from './load.mjs';
import { judge, summary } from './metrics.mjs';
import { report } from './report.mjs';

const MOST = 50;

/** @param {{ file: string | undefined }} options */
export const run = async ({ file }) => {
  if (file === undefined) {
    process.stderr.write('Usage: npm run bench -- recall FILE   (in LoCoMo’s or LongMemEval’s format)\n');
    process.exit(2);
  }
  const conversations = conversationsOf(JSON.parse(readFileSync(file, 'utf8')));
  await onInstallation((installation) => measure(installation, conversations));
};

const measure = async (installation, conversations) => {
  const api = apiClient({ url: installation.url, key: installation.apiKey, timeoutMs: 60_000 });
  const { memoryId, turnOf } = await step(
    'turns',
    (note) => loadConversations(api, conversations, note),
    ({ turnOf: of }) => `${of.size} turns`,
  );
  await step('index', () => installation.settled());
  if (embedsTurns()) await step('vectors', () => embedded(installation.database));
  await step('records', () => makeRecords(api, memoryId, conversations));
  await step('index', () => installation.settled());
  const { bm25, tsRank } = await import('./baselines.mjs');
  const rankings = {
    'turnkeeper turns': ({ actorId }) => idsOf(scoredTurns(api, memoryId, actorId, turnOf)),
    'turnkeeper records': ({ actorId }) => idsOf(scoredRecords(api, memoryId, actorId, turnOf)),
    'BM25 turns': bm25,
    'ts_rank turns': (conversation) => tsRank(installation.database, conversation),
  };
  const results = {};
  for (const [name, rankingOf] of Object.entries(rankings)) {
    results[name] = await step(
      name,
      () => ask(conversations, rankingOf),
      ({ all }) => `R@10 ${all['R@10'].toFixed(1)}`,
    );
  }
  const context = await step('context', async () =>
    (await import('./context.mjs')).measureContext(api, memoryId, conversations),
  );
  const calibrated = {};
  const searches = { 'turnkeeper turns': scoredTurns, 'turnkeeper records': scoredRecords };
  for (const [name, search] of Object.entries(searches)) {
    calibrated[name] = await step(`${name} at 0.5`, () =>
      calibration(conversations, ({ actorId }) => search(api, memoryId, actorId, turnOf), { every: 3 }),
    );
  }
  const leftOut = conversations.reduce((sum, conversation) => sum + conversation.leftOut, 0);
  report(say, results, context, calibrated, leftOut);
};

const embedsTurns = () => process.env.EMBEDDINGS === 'local' || process.env.EMBEDDINGS_URL !== undefined;

/** Waits until the configured model has embedded the whole log. */
const embedded = (database) =>
  until(
    'the vectors of all turns',
    async () => {
      const { rows } = await database.query(
        `select coalesce(max(m.position), 0) >= (select max(position) from events where type = 'message.appended') as done
         from embedding_models m`,
      );
      return rows[0].done;
    },
    { timeoutMs: 900_000, everyMs: 500 },
  );

const ask = async (conversations, rankingOf) => {
  const judged = [];
  const times = [];
  for (const conversation of conversations) {
    const rank = await rankingOf(conversation);
    for (const { text, category, evidence } of conversation.questions) {
      const started = performance.now();
      const ranked = await rank(text);
      times.push(performance.now() - started);
      judged.push({ category, verdict: judge(evidence, ranked) });
    }
  }
  return { ...summary(judged), p50: quantile(times, 0.5), p95: quantile(times, 0.95) };
};

const scoredTurns = (api, memoryId, actorId, turnOf) => async (query) => {
  const hits = await api.post(path`/memory/memories/${memoryId}/actors/${actorId}/events:search`, {
    query,
    limit: MOST,
  });
  return hits.map(({ event, score }) => ({ ids: [turnOf.get(event.id)], score }));
};

const scoredRecords = (api, memoryId, actorId, turnOf) => async (query) => {
  const records = await api.post(
    path`/memory/memories/${memoryId}/memory-records:search?namespace=${namespaceOf(actorId)}`,
    { query, limit: MOST },
  );
  return records.map(({ sources, score }) => ({ ids: sources.map(({ eventId }) => turnOf.get(eventId)), score }));
};

const idsOf = (search) => async (query) => (await search(query)).map(({ ids }) => ids);
