import { join } from 'node:path';
import { apiClient, path } from '../shared/api.mjs';
import { say, step } from '../shared/steps.mjs';
import { until } from '../shared/wait.mjs';
import { Ledger } from '../faults/ledger.mjs';
import { createMemory } from '../faults/memory.mjs';
import { Oracle } from '../faults/oracle.mjs';
import { Writers } from '../faults/writers.mjs';
import { verifyLog } from './verify-log.mjs';

/** Conversations with webhooks, and a check of everything that was acknowledged. */
export class Conversations {
  /** @type {Writers} from `start` on */
  writers;
  /** @type {Promise<unknown>} */
  working;
  /** @type {{ id: string }} */
  memory;

  /** @param {{ urls: readonly string[], apiKey: string, histories: any, folder: string, writers: number, pauseMs: number }} what
   *   `folder` for the ledger */
  constructor({ urls, apiKey, histories, folder, writers, pauseMs }) {
    this.histories = histories;
    this.api = apiClient({ url: urls[0], key: apiKey, timeoutMs: 60_000 });
    this.ledger = new Ledger(join(folder, 'ledger.jsonl'));
    this.oracle = new Oracle({ urls, apiKey, ledger: this.ledger, seed: 1, share: 0 });
    this.writing = { urls, apiKey, count: writers, pauseMs, ledger: this.ledger };
  }

  async start() {
    ({ memory: this.memory } = await createMemory(this.api, { name: 'drill', webhooks: this.histories.url }));
    this.writers = new Writers({ ...this.writing, memoryId: this.memory.id });
    this.working = this.writers.run();
    this.working.catch(() => {}); // `during` reports it
  }

  /** Runs a task while conversations continue; a writer that gives up ends it. */
  async during(work) {
    await Promise.race([work(), this.working.then(() => new Promise(() => {}))]);
    this.writers.end();
    await this.working;
  }

  /**
   * Waits until everything has been processed, and looks for everything acknowledged in every reader.
   *
   * @returns {Promise<Record<string, string[]>>} faults by reader
   */
  async checkReaders() {
    const { oracle, histories } = this;
    const world = this.ledger.readBack();
    const late = this.settled(world).then(
      () => [],
      ({ message }) => [message],
    );
    const settling = await step(
      'settle',
      () => late,
      (found) => (found.length === 0 ? 'done' : 'late'),
    );
    await step(
      'check',
      () => oracle.readAll(world, histories),
      () => `${world.conversations.size} conversations`,
    );
    return {
      ...Object.fromEntries(Object.entries(oracle.found).map(([name, { faults }]) => [name, faults])),
      settling,
    };
  }

  /**
   * The same, and looks into the log.
   *
   * @param {NodeJS.ProcessEnv} ownerEnvironment
   * @returns {Promise<Record<string, string[]>>} faults by place
   */
  async check(ownerEnvironment) {
    const { writers } = this;
    const faults = await this.checkReaders();
    faults.log = await step(
      'log',
      () => verifyLog(ownerEnvironment),
      (found) => (found.length === 0 ? 'audited' : 'faulty'),
    );
    // 502 to 504 come from the balancer while it knows no ingest.
    const defects = writers.clients.flatMap(({ failures }) => failures.filter((text) => text.includes(': 500 ')));
    faults.answers = [...writers.surprises, ...defects];
    return faults;
  }

  async settled(world) {
    const told = [...world.conversations.values()].filter(({ stopped, erased }) => stopped && !erased).length;
    const done = async () =>
      this.histories.count() >= 2 * told &&
      (await this.api.get(path`/v1/memories/${this.memory.id}/extraction`)).caughtUp;
    await until('extraction and webhooks', done, { timeoutMs: 300_000, everyMs: 1_000 });
  }
}

/** Number of answers by status over all clients; 0: no answer. */
export const answersOf = (clients) => {
  const answers = new Map();
  for (const client of clients) {
    for (const [status, count] of client.answers) answers.set(status, (answers.get(status) ?? 0) + count);
  }
  return answers;
};

export const describeAnswers = (answers) =>
  [...answers]
    .sort(([one], [other]) => one - other)
    .map(([status, count]) => `${count} × ${status || 'no answer'}`)
    .join(', ');

/** Prints what is missing or wrong, and returns whether nothing is. */
export const sayFaults = (faults) => {
  for (const [place, list] of Object.entries(faults)) {
    const first = list.slice(0, 5).map((text) => `\n  ${text}`);
    say(`Missing or wrong in ${place}: ${list.length}${first.join('')}`);
  }
  return Object.values(faults).every((list) => list.length === 0);
};
