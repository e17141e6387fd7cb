import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { readJson, writeJson } from '../shared/json-file.mjs';
import { isRunning } from '../shared/process-identity.mjs';
import { workspaceRoot } from '../shared/workspace.mjs';

/**
 * The parts of the local system, stored in `.turnkeeper/state.json` so that `stop` and the next `start` find it.
 * Written by the launcher while it runs, and by `stop` afterwards.
 *
 * @typedef {object} State
 * @property {import('../shared/process-identity.mjs').ProcessIdentity} [launcher]
 * @property {boolean} [ready]
 * @property {string} [url] of the API
 * @property {string} [apiKey]
 * @property {Record<string, number>} [ports] by server or service; wished for again at the next start
 * @property {import('../shared/background.mjs').Running[]} [processes] in the order of their start
 * @property {string[]} [containers] servers that run in an engine
 * @property {Record<string, string>} [ownUrls] URLs of servers that we run, by variable
 * @property {string[]} [outside] folders of ours that lie outside of `.turnkeeper/`
 * @property {boolean} [sampleShown]
 */

/** @typedef {ReturnType<typeof localSystem>} LocalSystem */

/** @param {string} [folder] replaces the workspace's folder, for tests */
export const localSystem = (folder = join(workspaceRoot, '.turnkeeper')) => {
  const file = join(folder, 'state.json');
  /** @returns {State} */
  const read = () => readJson(file) ?? {};
  /** @param {Partial<State>} changes an undefined value removes the entry */
  const change = (changes) => {
    mkdirSync(folder, { recursive: true });
    writeJson(file, { ...read(), ...changes });
  };
  return {
    folder,
    logs: join(folder, 'logs'),
    envFile: join(folder, 'env'),
    read,
    change,
    /** Adds a process, replacing an earlier one with the same name. */
    record: (running) => change({ processes: withProcess(read().processes ?? [], running) }),
    launcherRunning: () => isRunning(read().launcher),
  };
};

/** @returns {import('../shared/background.mjs').Running[]} */
export const withProcess = (processes, running) => {
  const place = processes.findIndex(({ name }) => name === running.name);
  return place === -1 ? [...processes, running] : processes.with(place, running);
};

/**
 * The URLs from the environment, without those of our own servers: a shell that has sourced `.turnkeeper/env` must not
 * make the next start treat them as given.
 *
 * @param {Record<string, string | undefined>} environment
 * @param {Record<string, string>} ownUrls
 */
export const givenUrls = (environment, ownUrls = {}) => {
  const given = (name) => (environment[name] && environment[name] !== ownUrls[name] ? environment[name] : undefined);
  return {
    database: given('DATABASE_URL'),
    migrations: given('MIGRATION_DATABASE_URL'),
    nats: given('NATS_URL'),
    queue: given('QUEUE_URL'),
  };
};
