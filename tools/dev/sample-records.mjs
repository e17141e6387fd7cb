import { path } from '../shared/api.mjs';
import { dim, line, say, step } from '../shared/steps.mjs';
import { sleep } from '../shared/wait.mjs';
import { sample } from './sample.mjs';

/** How long the start waits for the records before it continues without them. */
const PATIENCE_MS = 30_000;
const EVERY_MS = 200;
const LATE_EVERY_MS = 2_000;

/**
 * Shows what was extracted from the sample, and a search in it.
 *
 * @param {import('../shared/api.mjs').ApiClient} api
 * @param {string} memoryId
 * @param {{ model: boolean, lateOutput: string }} show `model`: a model extracts; without one, notes are taken; `lateOutput`: where late
 *   records are shown
 * @returns {Promise<boolean>} false if nothing was extracted in time
 */
export const showRecords = async (api, memoryId, { model, lateOutput }) => {
  const slow = model ? 'the model is slow' : 'extraction is slow';
  const records = await step(
    'records',
    async () => {
      const deadline = performance.now() + PATIENCE_MS;
      while (!(await progress(api, memoryId)).caughtUp) {
        if (performance.now() > deadline) return null;
        await sleep(EVERY_MS);
      }
      return readRecords(api, memoryId);
    },
    (found) => (found === null ? `${slow}: none after ${PATIENCE_MS / 1_000} s` : extracted(found)),
  );
  if (records === null) {
    say(`        The start continues. They are shown ${lateOutput} as soon as they come.`);
    return false;
  }
  sayRecords(records);
  await step(
    'search',
    () => search(api, memoryId),
    (found) => `“${sample.search}” finds ${found.length}`,
  ).then(sayFound);
  return true;
};

/** Waits for the records as long as it takes, and shows them. Never rejects: services may restart meanwhile. */
export const showLateRecords = async (api, memoryId) => {
  for (;;) {
    try {
      const { caughtUp, strategies } = await progress(api, memoryId);
      if (strategies.some(({ parkedSessions }) => parkedSessions > 0)) {
        sayParked();
        return;
      }
      if (caughtUp) break;
    } catch {
      // Asked again.
    }
    await sleep(LATE_EVERY_MS);
  }
  try {
    const [records, found] = [await readRecords(api, memoryId), await search(api, memoryId)];
    say(`\n${line('records', extracted(records))}`);
    sayRecords(records);
    say(line('search', `“${sample.search}” finds ${found.length}`));
    sayFound(found);
    say();
  } catch (error) {
    say(line('records', `could not be read: ${error.message}`));
  }
};

const progress = (api, memoryId) => api.get(path`/v1/memories/${memoryId}/extraction`);

const readRecords = (api, memoryId) =>
  api.get(path`/memory/memories/${memoryId}/memory-records?namespace=${sample.namespace}`);

const search = (api, memoryId) =>
  api.post(path`/memory/memories/${memoryId}/memory-records:search?namespace=${sample.namespace}`, {
    query: sample.search,
    limit: 5,
  });

const extracted = (records) => `${records.length} extracted, each with the turn it came from`;

const sayRecords = (records) => {
  for (const { memory, sources, attribute } of records.toSorted(byFirstTurn)) {
    say(`        ${memory}`);
    if (attribute) say(dim(`          ${attribute.name}: ${attribute.value}`));
    for (const { sequence, role, quote } of sources) say(dim(`          from turn ${sequence} (${role}): “${quote}”`));
  }
};

const sayFound = (found) => {
  for (const { memory, score } of found.slice(0, 3)) say(`        ${score.toFixed(2)}  ${memory}`);
};

const sayParked = () =>
  say(
    `\n${line('records', 'the model gave no usable answer, so extraction is parked')}\n` +
      '        GET /v1/admin/parked says why; `turnkeeper parked replay` tries again.\n',
  );

const byFirstTurn = (a, b) => firstTurn(a) - firstTurn(b);
const firstTurn = ({ sources }) => Math.min(...sources.map(({ sequence }) => sequence));
