import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { build } from '../dev/build.mjs';
import { createKey, migrate } from '../dev/command-line.mjs';
import { Site } from '../drills/site.mjs';
import { parseStat } from '../shared/process-identity.mjs';
import { step } from '../shared/steps.mjs';
import { until } from '../shared/wait.mjs';
import { startProxy } from './proxy.mjs';

/** The server behind each URL setting. */
const LINKS = { DATABASE_URL: 'postgres', NATS_URL: 'nats', QUEUE_URL: 'redis' };
/** Records of a conversation are there soon after it; every event is published with its content. */
const SETTINGS = { EXTRACTION_QUIET_SECONDS: '5', STREAM_CONTENT: 'full', WEBHOOK_TIMEOUT_SECONDS: '5' };

/**
 * An installation of several ingests and workers on private servers, with durable commits. Every service reaches every
 * server through its own TCP proxy, so that one path can fail while the others work.
 */
export class System extends Site {
  /** @type {Record<string, import('../servers/provision.mjs').Server>} */
  servers = {};
  /** @type {NodeJS.ProcessEnv} */
  environment = {};
  /** @type {Map<string, Record<string, Awaited<ReturnType<typeof startProxy>>>>} By service and server. */
  links = new Map();
  ownerUrl = '';

  /** @param {{ ingests: number, workers: number, queue: 'postgres' | 'redis', histories: any }} what */
  constructor({ ingests, workers, queue, histories }) {
    super('faults');
    this.queue = queue;
    this.histories = histories;
    this.names = [
      ...Array.from({ length: ingests }, (_, index) => `ingest-${index + 1}`),
      ...Array.from({ length: workers }, (_, index) => `worker-${index + 1}`),
    ];
  }

  async start() {
    await this.begin(this.names);
    await step('build', build, () => 'compiled');
    const { environment, ownerEnvironment, ...servers } = await this.provide();
    this.servers = servers;
    this.environment = { ...environment, ...SETTINGS };
    this.ownerEnvironment = { ...ownerEnvironment, ...SETTINGS };
    this.ownerUrl = ownerEnvironment.MIGRATION_DATABASE_URL ?? '';
    await step('migrate', (note) => migrate(ownerEnvironment, note));
    // The queue on Postgres has a database of its own, which can be wiped.
    if (this.queue === 'postgres') this.environment.QUEUE_URL = await this.makeQueueDatabase();
    for (const name of this.names) await this.link(name);
    await step(
      'services',
      () => Promise.all(this.names.map((name) => this.startService(name))),
      () => this.names.join(' '),
    );
    this.apiKey = (await createKey(ownerEnvironment, 'faults')).apiKey;
  }

  async makeQueueDatabase() {
    const url = new URL(this.ownerUrl ?? '');
    await this.query('create database queue');
    url.pathname = '/queue';
    return url.href;
  }

  get ingestUrls() {
    return this.names.filter((name) => name.startsWith('ingest')).map((name) => `http://127.0.0.1:${this.ports[name]}`);
  }

  async link(name) {
    const links = {};
    for (const [setting, server] of Object.entries(LINKS)) {
      const { hostname, port } = new URL(this.environment[setting] ?? '');
      links[server] = await startProxy({ host: hostname, port: Number(port) });
    }
    this.links.set(name, links);
  }

  /** @param {string} name its paths to the servers are its own */
  startService(name) {
    const links = this.links.get(name) ?? {};
    const urls = Object.fromEntries(
      Object.entries(LINKS).map(([setting, server]) => {
        const url = new URL(this.environment[setting] ?? '');
        url.port = String(links[server].port);
        return [setting, url.href];
      }),
    );
    return super.startService(name, { ...this.environment, ...urls });
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

  /** Whether every thread of the process has been stopped by a signal. */
  isFrozen(name) {
    return parseStat(readFileSync(`/proc/${this.running(name).pid}/stat`, 'utf8')).state === 'T';
  }

  /** Ends a service with the signal and restarts it. */
  async restartService(name, signal) {
    const { exited } = this.running(name);
    this.signal(name, signal);
    await exited;
    await this.startService(name);
  }

  /** `kill -9` of a server, which restarts on the same port and data, or on none. */
  async restartServer(name, { wipe = false } = {}) {
    const server = this.servers[name];
    const { exited } = this.running(name);
    this.signal(name, 'SIGKILL');
    await exited;
    if (wipe) rmSync(join(this.system.folder, 'servers', name), { recursive: true, force: true });
    // Backends of a killed Postgres end a moment later, and a new one does not start beside them.
    await until(`${name} starts`, async () => (server.launched = await server.start?.().catch(() => undefined)), {
      timeoutMs: 60_000,
      everyMs: 200,
    });
  }

  /** Runs a statement as the owner of the tables, on a connection of its own. */
  async query(text, values = []) {
    return this.withConnection((client) => client.query(text, values));
  }

  /** @template T @param {(client: pg.Client) => Promise<T>} work */
  async withConnection(work, url = this.ownerUrl) {
    const client = new pg.Client({ connectionString: url, application_name: 'faults' });
    client.on('error', () => {}); // a fault ended it
    await client.connect();
    try {
      return await work(client);
    } finally {
      await client.end().catch(() => {});
    }
  }

  async postgresAnswers() {
    await until('postgres', () => this.query('select').catch(() => false), { timeoutMs: 60_000, everyMs: 100 });
  }

  async stop() {
    const proxies = [...this.links.values()].flatMap((links) => Object.values(links));
    for (const proxy of proxies) proxy.restore();
    for (const { launched } of Object.values(this.servers)) if (launched) this.wake(launched.pid);
    await super.stop();
    await Promise.all(proxies.map((proxy) => proxy.close()));
  }

  wake(pid) {
    try {
      process.kill(pid, 'SIGCONT');
    } catch (error) {
      if (error.code !== 'ESRCH') throw error;
    }
  }
}
