import { build } from '../dev/build.mjs';
import { createKey, migrate } from '../dev/command-line.mjs';
import { Site } from '../drills/site.mjs';
import { step } from '../shared/steps.mjs';
import { startProxy } from './proxy.mjs';

/** The server behind each URL setting. */
const LINKS = { DATABASE_URL: 'postgres', NATS_URL: 'nats', QUEUE_URL: 'redis' };

/**
 * An installation of several ingests and workers on private servers, with default settings. Every service reaches every
 * server through its own TCP proxy, so that one path can fail while the others work.
 */
export class Cluster extends Site {
  /** @type {Record<string, import('../servers/provision.mjs').Server>} */
  servers = {};
  /** @type {NodeJS.ProcessEnv} */
  environment = {};
  /** @type {Map<string, Record<string, Awaited<ReturnType<typeof startProxy>>>>} By service and server. */
  links = new Map();

  constructor({ ingests, workers }) {
    super('soak');
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
    this.environment = environment;
    await step('migrate', (note) => migrate(ownerEnvironment, note));
    for (const name of this.names) await this.link(name);
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
    const proxies = [...this.links.values()].flatMap((links) => Object.values(links));
    for (const proxy of proxies) proxy.restore();
    await super.stop();
    await Promise.all(proxies.map((proxy) => proxy.close()));
  }
}
