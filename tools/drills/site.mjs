import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isReady, NODE_ARGUMENTS, serviceEnvironment } from '../dev/services.mjs';
import { scratchSystem } from '../dev/scratch-system.mjs';
import { dataFolder, makeOwnFolder, postgresOwner } from '../servers/postgres-owner.mjs';
import { provisionServers } from '../servers/provision.mjs';
import { launch, untilAnswers } from '../shared/background.mjs';
import { choosePorts } from '../shared/ports.mjs';
import { commandOf, stampOf } from '../shared/process-identity.mjs';
import { runAndStop } from '../shared/run-and-stop.mjs';
import { say } from '../shared/steps.mjs';
import { until } from '../shared/wait.mjs';
import { workspaceRoot } from '../shared/workspace.mjs';

/** The processes, ports and folders of one drill, all on loopback and removed at its end. */
export class Site {
  /** @param {string} name of the folder under `tmp` */
  constructor(name) {
    this.system = scratchSystem(name);
    this.owner = postgresOwner();
    /** Running services by name. */
    this.services = new Map();
    /** @type {Record<string, number>} by name, from `begin` on */
    this.ports = {};
    this.base = '';
  }

  /** @param {readonly string[]} names of everything that needs a port */
  async begin(names) {
    const { system } = this;
    await system.claim(() => this.stop());
    this.base = dataFolder(system.folder, this.owner);
    if (!this.base.startsWith(system.folder)) system.change({ outside: [this.base] });
    makeOwnFolder(this.base, this.owner);
    this.ports = await choosePorts(names);
  }

  /** A folder that belongs to the user who runs Postgres. */
  postgresFolder(name) {
    const folder = join(this.base, name);
    makeOwnFolder(folder, this.owner);
    return folder;
  }

  /** @param {{ name: string, command: string, args: readonly string[], ready: () => unknown, env?: NodeJS.ProcessEnv,
   *           asPostgres?: boolean, stopSignal?: NodeJS.Signals, cwd?: string, timeoutMs?: number }} what */
  async launch({ name, ready, asPostgres = false, timeoutMs = 90_000, ...what }) {
    const launched = await launch({
      name,
      cwd: '/',
      record: this.system.record,
      logFile: join(this.system.logs, `${name}-${Date.now()}.log`),
      ...what,
      ...(asPostgres ? this.owner : {}),
    });
    await untilAnswers(launched, ready, timeoutMs);
    return launched;
  }

  /**
   * Servers with throwaway data, and the environments of the services and of their owner.
   *
   * @returns {Promise<{ postgres: Server, nats: Server, redis: Server, environment: NodeJS.ProcessEnv,
   *           ownerEnvironment: NodeJS.ProcessEnv }>}
   *
   * @typedef {import('../servers/provision.mjs').Server} Server
   */
  async provide() {
    const { system } = this;
    const { postgres, nats, redis } = await provisionServers({
      dir: join(system.folder, 'servers'),
      logs: system.logs,
      given: {},
      database: 'turnkeeper',
      durable: true,
      redisRequired: true,
      record: system.record,
    });
    if (postgres.outside) system.change({ outside: [...(system.read().outside ?? []), postgres.outside] });
    const urls = { DATABASE_URL: postgres.serviceUrl ?? postgres.url, NATS_URL: nats.url, QUEUE_URL: redis.url };
    const environment = this.environmentFor(urls);
    return {
      postgres,
      nats,
      redis,
      environment,
      ownerEnvironment: { ...environment, MIGRATION_DATABASE_URL: postgres.url },
    };
  }

  /** The environment of the services; the drain is the default, because there is a balancer. */
  environmentFor(urls, settings = {}) {
    /** @type {NodeJS.ProcessEnv} */
    const environment = { ...serviceEnvironment(urls, { ingest: 0, worker: 0 }, this.system.folder), ...settings };
    delete environment.SHUTDOWN_DRAIN_SECONDS;
    return environment;
  }

  /**
   * Starts an ingest or worker and waits until it is ready.
   *
   * @param {string} name `ingest-1`, `worker-2`: the part before the hyphen is the app
   * @param {NodeJS.ProcessEnv} environment
   * @param {string} [root] folder of the release to run
   */
  async startService(name, environment, root = workspaceRoot) {
    const port = this.ports[name];
    const env = { ...environment, INGEST_PORT: String(port), WORKER_PORT: String(port) };
    const main = join(root, 'apps', name.split('-')[0], 'dist', 'main.js');
    const service = await this.launch({
      name,
      command: process.execPath,
      args: [...NODE_ARGUMENTS, main],
      env,
      ready: () => isReady(port),
      timeoutMs: 120_000,
    });
    this.services.set(name, service);
    return service;
  }

  async stop() {
    // What is there belongs to the run that has the folder.
    if (!this.system.isOurs()) return;
    for (const { pid } of this.services.values()) signal(pid, 'SIGCONT');
    await this.system.stop();
    for (const folder of [...(this.system.read().outside ?? []), join(this.system.folder, 'postgres')]) {
      const names = existsSync(folder) ? readdirSync(folder) : [];
      await Promise.all(names.map((name) => stopPostgresIn(join(folder, name))));
    }
  }
}

/** Sends a signal; does nothing if the process has ended. */
export const signal = (pid, name) => {
  try {
    process.kill(pid, name);
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
  }
};

/** Pid of the Postgres server that runs on a data folder; undefined if none does. */
export const postgresPid = (data) => {
  const lock = join(data, 'postmaster.pid');
  if (!existsSync(lock)) return undefined;
  const pid = Number.parseInt(readFileSync(lock, 'utf8'), 10);
  return commandOf(pid).includes(data) ? pid : undefined;
};

/** A server that another program started, such as Patroni, outlives that program. */
const stopPostgresIn = async (data) => {
  const pid = postgresPid(data);
  if (pid === undefined) return;
  signal(pid, 'SIGCONT');
  signal(pid, 'SIGQUIT');
  await until('postgres ends', () => stampOf(pid) === undefined, { timeoutMs: 15_000 });
};

/**
 * Runs a drill and stops what it started: at its end, after a failure and on a signal. Data and logs are kept after a
 * failure.
 *
 * @param {Site} site
 * @param {() => Promise<boolean>} drill resolves to whether everything was as it should be
 */
export const runDrill = async (site, drill) => {
  const isRight = (await runAndStop(site, drill)) === true;
  if (isRight) site.system.removeData();
  else say(`Logs: ${site.system.logs}`);
  process.exit(isRight ? 0 : 1);
};
