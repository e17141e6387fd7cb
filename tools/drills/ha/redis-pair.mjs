import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { writePrivately } from '../../shared/json-file.mjs';
import { listens, until } from '../../shared/wait.mjs';
import { program } from '../programs.mjs';

const SERVERS = ['redis-a', 'redis-b'];
const SENTINELS = ['sentinel-1', 'sentinel-2', 'sentinel-3'];
const DOWN_AFTER_MS = 5_000;

/** A Redis with a replica, and three Sentinels of which two must agree that it is down. */
export class RedisPair {
  static ports = [...SERVERS, ...SENTINELS];

  constructor(site, password) {
    this.site = site;
    this.password = password;
    this.servers = SERVERS.map((name) => ({ name, port: site.ports[name] }));
  }

  async start() {
    const [first, second] = this.servers;
    await this.startServer(first);
    await this.startServer(second, first);
    for (const name of SENTINELS) await this.startSentinel(name, first);
    await this.healthy();
  }

  /** @param {{ name: string, port: number }} [of] the server that it replicates */
  async startServer(server, of) {
    const dir = join(this.site.system.folder, server.name);
    mkdirSync(dir, { recursive: true });
    const config = join(dir, 'redis.conf');
    writePrivately(
      config,
      `bind 127.0.0.1
port ${server.port}
dir ${dir}
requirepass ${this.password}
masterauth ${this.password}
appendonly yes
save ""
maxmemory-policy noeviction
repl-diskless-sync-delay 0
${of ? `replicaof 127.0.0.1 ${of.port}` : ''}
`,
    );
    await this.launch(server);
  }

  /** Starts a server with the configuration it had; Sentinel writes changes of the role into it. */
  async launch(server) {
    server.launched = await this.site.launch({
      name: server.name,
      command: await program('redis-server'),
      args: [join(this.site.system.folder, server.name, 'redis.conf')],
      ready: () => listens(server.port),
    });
  }

  async startSentinel(name, master) {
    const config = join(this.site.system.folder, `${name}.conf`);
    const port = this.site.ports[name];
    writePrivately(
      config,
      `bind 127.0.0.1
port ${port}
sentinel monitor queue 127.0.0.1 ${master.port} 2
sentinel auth-pass queue ${this.password}
sentinel down-after-milliseconds queue ${DOWN_AFTER_MS}
sentinel failover-timeout queue 20000
`,
    );
    await this.site.launch({
      name,
      command: await program('redis-server'),
      args: [config, '--sentinel'],
      ready: () => listens(port),
    });
  }

  async role(server) {
    const redis = new Redis({
      port: server.port,
      host: '127.0.0.1',
      password: this.password,
      lazyConnect: true,
      connectTimeout: 1_000,
      retryStrategy: () => null,
    });
    redis.on('error', () => {});
    try {
      await redis.connect();
      const text = await redis.info('replication');
      return {
        master: text.includes('role:master'),
        replicas: (text.match(/state=online/g) ?? []).length,
      };
    } catch {
      return undefined;
    } finally {
      redis.disconnect();
    }
  }

  async master() {
    const roles = await Promise.all(this.servers.map((server) => this.role(server)));
    return this.servers.find((_, index) => roles[index]?.master);
  }

  replaced(server) {
    return until('a new Redis master', async () => ![undefined, server].includes(await this.master()), {
      timeoutMs: 60_000,
      everyMs: 200,
    });
  }

  /** Waits until one is the master and the other its replica. */
  healthy() {
    const both = async () => {
      const roles = await Promise.all(this.servers.map((server) => this.role(server)));
      return roles.filter((role) => role?.master).length === 1 && roles.some((role) => role?.replicas === 1);
    };
    return until('a Redis replica', both, { timeoutMs: 120_000, everyMs: 500 });
  }
}
