import { apiClient, path } from '../shared/api.mjs';
import { say, step } from '../shared/steps.mjs';
import { until } from '../shared/wait.mjs';
import { checkReaders } from '../soak/check.mjs';
import { Writers } from '../soak/writers.mjs';
import { verifyLog } from './verify-log.mjs';

/** Conversations with webhooks, and a check of everything that was acknowledged. */
export class Conversations {
  /** @type {Writers} from `start` on */
  writers;
  /** @type {Promise<unknown>} */
  working;
  /** @type {{ id: string }} */
  memory;

  /** @param {{ urls: readonly string[], apiKey: string, histories: any, writers: number, pauseMs: number }} what */
  constructor({ urls, apiKey, histories, writers, pauseMs }) {
    this.histories = histories;
    this.api = apiClient({ url: urls[0], key: apiKey, timeoutMs: 60_000 });
    this.writing = { urls, apiKey, count: writers, pauseMs };
  }

  async start() {
    this.memory = await this.api.post('/memory/memories', {
      name: 'drill',
      longTermMemoryStrategies: [{ name: 'facts', type: 'SEMANTIC', namespaceTemplate: '/facts/{actorId}' }],
    });
    for (const format of ['standard', 'agora'])
      await this.api.post('/v1/webhook-endpoints', { url: this.histories.url, format });
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
    const { api, histories } = this;
    const { conversations } = this.writers;
    const late = this.settled().then(
      () => [],
      ({ message }) => [message],
    );
    const settling = await step(
      'settle',
      () => late,
      (found) => (found.length === 0 ? 'done' : 'late'),
    );
    const faults = await step(
      'check',
      () => checkReaders({ api, histories, conversations }),
      () => `${conversations.length} conversations`,
    );
    return { ...faults, settling };
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

  async settled() {
    const stopped = this.writers.conversations.filter((conversation) => conversation.stopped).length;
    const done = async () =>
      this.histories.count() >= 2 * stopped &&
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
