import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from '../dev/build.mjs';
import { createKey, migrate } from '../dev/command-line.mjs';
import { isReady, NODE_ARGUMENTS, serviceEnvironment } from '../dev/services.mjs';
import { localSystem } from '../dev/state.mjs';
import { stopProcesses } from '../dev/stop-everything.mjs';
import { provisionServers } from '../servers/provision.mjs';
import { launch, untilAnswers } from '../shared/background.mjs';
import { choosePorts } from '../shared/ports.mjs';
import { ownIdentity } from '../shared/process-identity.mjs';
import { step } from '../shared/steps.mjs';
import { workspaceRoot } from '../shared/workspace.mjs';
import { startProxy } from './proxy.mjs';

/** The server behind each URL setting. */
const LINKS = { DATABASE_URL: 'postgres', NATS_URL: 'nats', QUEUE_URL: 'redis' };

/**
 * An installation of several ingests and workers on private servers, with default settings. Every service reaches every
 * server through its own TCP proxy, so that one path can fail while the others work.
 */
export class Cluster {
  /** @type {Record<string, import('../servers/provision.mjs').Server>} */
  servers = {};
  /** @type {Record<string, number>} */
  ports = {};
  /** @type {NodeJS.ProcessEnv} */
  environment = {};
  /** @type {Map<string, import('../shared/background.mjs').Launched>} Running services by name. */
  services = new Map();
  /** @type {Map<string, Record<string, Awaited<ReturnType<typeof startProxy>>>>} By service and server. */
  links = new Map();

  constructor({ ingests, workers }) {
    this.system = localSystem(join(workspaceRoot, 'tmp', 'soak'));
    this.names = [
      ...Array.from({ length: ingests }, (_, index) => `ingest-${index + 1}`),
      ...Array.from({ length: workers }, (_, index) => `worker-${index + 1}`),
    ];
  }

  async start() {
    const { system } = this;
    if (system.launcherRunning()) throw new Error('Another soak is running in this folder.');
    await stopProcesses(system); // of a run that was killed
    this.removeData();
    system.change({ launcher: ownIdentity() });
    await step('build', build, () => 'compiled');
    const { postgres, nats, redis } = await provisionServers({
      dir: system.folder,
      logs: system.logs,
      given: {},
      database: 'turnkeeper',
      durable: true,
      redisRequired: true,
      record: system.record,
    });
    this.servers = { postgres, nats, redis };
    this.ports = await choosePorts(this.names);
    const urls = { DATABASE_URL: postgres.serviceUrl ?? postgres.url, NATS_URL: nats.url, QUEUE_URL: redis.url };
    const ingestPort = this.ports['ingest-1'];
    this.environment = serviceEnvironment(urls, { ingest: ingestPort, worker: this.ports['worker-1'] }, system.folder);
    delete this.environment.SHUTDOWN_DRAIN_SECONDS; // replaced processes drain as they do by default
    const ownerEnvironment = { ...this.environment, MIGRATION_DATABASE_URL: postgres.url };
    await step('migrate', (note) => migrate(ownerEnvironment, note));
    for (const name of this.names) await this.link(name, urls);
    await step(
      'services',
      () => Promise.all(this.names.map((name) => this.startService(name))),
      () => this.names.join(' '),
    );
    this.apiKey = (await createKey(ownerEnvironment, 'soak')).apiKey;
  }

  get ingestUrls() {
    return this.names.filter((name) => name.startsWith('ingest')).map((name) => `http://127.0.0.1:${this.ports[name]}`);
  }

  async link(name, urls) {
    const links = {};
    for (const [setting, server] of Object.entries(LINKS)) {
      const { hostname, port } = new URL(urls[setting]);
      links[server] = await startProxy({ host: hostname, port: Number(port) });
    }
    this.links.set(name, links);
  }

  /** The environment of one service: its port, and its own paths to the servers. */
  environmentOf(name) {
    const links = this.links.get(name) ?? {};
    const urls = Object.fromEntries(
      Object.entries(LINKS).map(([setting, server]) => {
        const url = new URL(this.environment[setting] ?? '');
        url.port = String(links[server].port);
        return [setting, url.href];
      }),
    );
    const port = String(this.ports[name]);
    return { ...this.environment, ...urls, INGEST_PORT: port, WORKER_PORT: port };
  }

  async startService(name) {
    const app = name.split('-')[0];
    const service = await launch({
      name,
      command: process.execPath,
      args: [...NODE_ARGUMENTS, join(workspaceRoot, 'apps', app, 'dist', 'main.js')],
      env: this.environmentOf(name),
      record: this.system.record,
      cwd: workspaceRoot,
      logFile: join(this.system.logs, `${name}-${Date.now()}.log`),
    });
    this.services.set(name, service);
    await untilAnswers(service, () => isReady(this.ports[name]), 120_000);
  }

  /** A service, or a private server. */
  running(name) {
    const launched = this.services.get(name) ?? this.servers[name]?.launched;
    if (!launched) throw new Error(`${name} is not running.`);
    return launched;
  }

  signal(name, signal) {
    process.kill(this.running(name).pid, signal);
  }

  /** Ends a service with the signal and restarts it. */
  async restartService(name, signal) {
    const { exited } = this.running(name);
    this.signal(name, signal);
    await exited;
    await this.startService(name);
  }

  /** `kill -9` of a server, which restarts on the same data and port. */
  async restartServer(name) {
    const server = this.servers[name];
    const { exited } = this.running(name);
    this.signal(name, 'SIGKILL');
    await exited;
    server.launched = await server.start?.();
  }

  async stop() {
    for (const links of this.links.values()) for (const proxy of Object.values(links)) proxy.restore();
    for (const { pid } of this.services.values()) signalIfRunning(pid, 'SIGCONT');
    await stopProcesses(this.system);
    for (const links of this.links.values()) await Promise.all(Object.values(links).map((proxy) => proxy.close()));
  }

  removeData() {
    for (const folder of [...(this.system.read().outside ?? []), this.system.folder]) {
      rmSync(folder, { recursive: true, force: true });
    }
  }
}

const signalIfRunning = (pid, signal) => {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
  }
};
