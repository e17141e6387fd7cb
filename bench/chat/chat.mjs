// How much later the first word of a chat model comes with memory, against the same model without it.
import { createServer } from 'node:http';
import { randomUUID } from 'node:crypto';
import { say } from '../../tools/shared/steps.mjs';
import { inTurns, machine, onInstallation } from '../measuring.mjs';
import { sentence } from '../neighbour/texts.mjs';
import { memoryOfTenant, sessionPath, userTurn } from '../one-session.mjs';
import { median, quantile } from '../statistics.mjs';

/** Turns of the user in earlier calls. */
const SIZES = { 'empty memory': 0, '1,000 turns': 1_000, '10,000 turns': 10_000 };
const DIRECT = 'the model alone';
const PER_BATCH = 500;
const WANTED_MS = 15;
/** How long the model takes from its first word to its last. */
const SPEAKING_MS = 20;

/** @param {{ rounds: number, seconds: number, warmup: number }} options */
export const run = async ({ rounds, seconds, warmup }) => {
  const model = await startModel();
  try {
    await onInstallation((installation) => measureAll(installation, model.url, { rounds, seconds, warmup }), {
      settings: { CHAT_MODEL_URL: model.url },
    });
  } finally {
    model.close();
  }
};

const measureAll = async (installation, modelUrl, { rounds, seconds, warmup }) => {
  const sides = { [DIRECT]: { url: modelUrl, headers: {} } };
  for (const [name, turns] of Object.entries(SIZES)) {
    const memory = await memoryOfTenant(installation, installation.apiKey);
    for (let from = 0; from < turns; from += PER_BATCH) {
      const events = Array.from({ length: PER_BATCH }, () => userTurn(sentence(80)));
      await memory.api.post(sessionPath(memory, `call-${from}`), { events });
    }
    const headers = {
      authorization: `Bearer ${installation.apiKey}`,
      'turnkeeper-memory': memory.memoryId,
      'turnkeeper-actor': 'ada',
    };
    sides[name] = { url: `${installation.url}/v1`, headers };
  }
  await installation.settled();
  if (warmup > 0) for (const side of Object.values(sides)) await firstWords(side, warmup);
  const results = await inTurns(
    Object.keys(sides),
    rounds,
    (name) => firstWords(sides[name], seconds),
    (times) => `first word p50 ${ms(median(times))} ms`,
  );
  const all = Object.fromEntries(Object.entries(results).map(([name, times]) => [name, times.flat()]));
  say('\n| | first word p50 | p99 | added p50 |');
  say('|---|---|---|---|');
  for (const [name, times] of Object.entries(all)) {
    const added = median(times) - median(all[DIRECT]);
    if (added > WANTED_MS) process.exitCode = 1;
    say(`| ${name} | ${ms(median(times))} ms | ${ms(quantile(times, 0.99))} ms | ${ms(added)} ms |`);
  }
  say(`\nWanted: at most ${WANTED_MS} ms added. ${machine()}`);
};

/** Milliseconds to the first word of each answer, one request after the other. */
const firstWords = async ({ url, headers }, seconds) => {
  const times = [];
  for (const end = performance.now() + seconds * 1_000; performance.now() < end;) {
    const started = performance.now();
    const response = await fetch(`${url}/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers, 'turnkeeper-session': randomUUID() },
      body: JSON.stringify({ model: 'm', stream: true, messages: [{ role: 'user', content: `${sentence(40)}?` }] }),
    });
    let isFirst = true;
    for await (const piece of response.body ?? []) {
      if (isFirst && piece.length > 0) times.push(performance.now() - started);
      isFirst = false;
    }
    if (response.status !== 200) throw new Error(`The chat request was answered with ${response.status}.`);
  }
  return times;
};

/** A model that begins to answer at once. */
const startModel = async () => {
  const chunk = (delta) => `data: ${JSON.stringify({ choices: [{ index: 0, delta }] })}\n\n`;
  const [first, rest] = [
    chunk({ role: 'assistant', content: 'Yes, ' }),
    `${chunk({ content: 'of course.' })}data: [DONE]\n\n`,
  ];
  const server = createServer((request, response) => {
    request.resume().once('end', () => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(first);
      // The end of an answer waits until it is stored, its first word does not.
      setTimeout(() => response.end(rest), SPEAKING_MS);
    });
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  return { url: `http://127.0.0.1:${port}/v1`, close: () => server.close() };
};

const ms = (value) => value.toFixed(1);
