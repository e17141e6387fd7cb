import { join } from 'node:path';
import pg from 'pg';
import { build } from '../../tools/dev/build.mjs';
import { createKey, migrate } from '../../tools/dev/command-line.mjs';
import { NODE_ARGUMENTS, SERVICES, serviceEnvironment, startService } from '../../tools/dev/services.mjs';
import { scratchSystem } from '../../tools/dev/scratch-system.mjs';
import { ensureDatabase } from '../../tools/servers/postgres.mjs';
import { provisionServers } from '../../tools/servers/provision.mjs';
import { apiClient } from '../../tools/shared/api.mjs';
import { launch, untilAnswers } from '../../tools/shared/background.mjs';
import { choosePorts } from '../../tools/shared/ports.mjs';
import { step } from '../../tools/shared/steps.mjs';
import { listens, until } from '../../tools/shared/wait.mjs';
import { workspaceRoot } from '../../tools/shared/workspace.mjs';

/** Names of a second installation on the same servers. */
const OWN_NAMES = { NATS_STREAM: 'SECOND', NATS_SUBJECT_PREFIX: 'second', QUEUE_PREFIX: 'second' };

/** Just under 1 GB, the size up to which Postgres keeps files for reuse. */
const LOG_FILES = 60;

/** Servers, ingest, worker and the bare route of one bench run, on loopback, with throwaway data and durable commits. */
export class Installation {
  /**
   * @param {{ rateLimits?: boolean, settings?: Record<string, string>, name?: string, serversOf?: Installation }} options
   *   rateLimits: keep the default rates per tenant; default false. settings: of both services. name: needed by a bench
   *   with several. serversOf: a started installation whose servers this one uses, with its own database, stream and
   *   queue
   */
  constructor({ rateLimits = false, settings = {}, name = '', serversOf } = {}) {
    this.given = serversOf ? { ...OWN_NAMES, ...settings } : settings;
    this.serversOf = serversOf;
    // Otherwise measures the system, not the rate limit per tenant.
    this.rates = rateLimits ? {} : { RATE_LIMIT_PER_SECOND: '0', RATE_LIMIT_BYTES_PER_SECOND: '0' };
    this.system = scratchSystem(join('bench', name));
    /** @type {Record<string, number>} by role */
    this.pids = {};
    this.url = '';
    this.apiKey = '';
  }

  async start() {
    const { system } = this;
    await system.claim();
    await step('build', build, () => 'compiled');
    const { postgres, nats, redis } = await (this.serversOf ? this.share(this.serversOf) : this.provide());
    this.servers = { postgres, nats, redis };
    const ports = await choosePorts([...SERVICES, 'bare']);
    const urls = { DATABASE_URL: postgres.serviceUrl ?? postgres.url, NATS_URL: nats.url, QUEUE_URL: redis.url };
    const env = { ...this.rates, ...this.given, ...serviceEnvironment(urls, ports, system.folder) };
    this.env = env;
    this.ownerEnv = { ...env, MIGRATION_DATABASE_URL: postgres.url };
    await step('migrate', (note) => migrate(this.ownerEnv, note));
    for (const name of SERVICES) {
      const started = await step(name, () =>
        startService({ name, port: ports[name], env, logs: system.logs, record: system.record }),
      );
      this.pids[name] = started.pid;
    }
    this.pids.bare = (await step('bare route', () => this.startBareRoute(ports.bare, env))).pid;
    for (const server of [postgres, nats, redis]) if (server.launched) this.pids[server.name] = server.launched.pid;
    this.url = `http://127.0.0.1:${ports.ingest}`;
    this.bareUrl = `http://127.0.0.1:${ports.bare}`;
    this.metricsUrls = SERVICES.map((name) => `http://127.0.0.1:${ports[name]}/metrics`);
    this.databaseUrl = postgres.url;
    this.apiKey = (await createKey(this.ownerEnv, 'bench')).apiKey;
    this.memoryId = await this.createMemory();
    this.database = new pg.Client({ connectionString: postgres.url });
    await this.database.connect();
    this.settings = await this.readSettings();
  }

  requireDatabase() {
    if (!this.database) throw new Error('The installation is not started.');
    return this.database;
  }

  provide() {
    return provisionServers({
      dir: this.system.folder,
      logs: this.system.logs,
      given: {},
      database: 'turnkeeper',
      durable: true,
      redisRequired: true,
      record: this.system.record,
    });
  }

  /** The servers of another installation, with a database of our own. */
  async share({ servers, databaseUrl }) {
    const name = 'second';
    await ensureDatabase(databaseUrl, name);
    const ours = (url) => Object.assign(new URL(url), { pathname: `/${name}` }).href;
    const { postgres, nats, redis } = servers;
    return {
      postgres: { name: 'postgres', url: ours(postgres.url), serviceUrl: ours(postgres.serviceUrl ?? postgres.url) },
      nats: { name: 'nats', url: nats.url },
      redis: { name: 'redis', url: redis.url },
    };
  }

  async startBareRoute(port, env) {
    const bare = await launch({
      name: 'bare',
      command: process.execPath,
      args: [...NODE_ARGUMENTS, join(workspaceRoot, 'bench', 'append', 'bare-route.mjs'), String(port)],
      env,
      cwd: workspaceRoot,
      logFile: join(this.system.logs, 'bare.log'),
      record: this.system.record,
    });
    await untilAnswers(bare, () => listens(port));
    return bare;
  }

  /** Without strategies: measures an event's path into the log and out to the worker. */
  async createMemory() {
    const api = apiClient({ url: this.url, key: this.apiKey });
    const memory = await api.post('/memory/memories', { name: 'bench', description: '', eventExpiryDuration: 30 });
    return memory.memoryId ?? memory.id;
  }

  /** Events that the relay, the dispatcher or an index is behind: the largest of them. */
  async lag() {
    const { rows } = await this.requireDatabase().query(
      // The newest position by index, like readers do: counting the log would be extra load.
      `select coalesce((select position from events where partition = 0 order by position desc limit 1), 0)
         - least((select min(position) from relay_cursor), (select min(position) from dispatch_cursor),
                 (select min(position) from question_cursor)) as events`,
    );
    return Number(rows[0].events);
  }

  /** Waits until relay, dispatcher and indexes have caught up; returns the seconds that took. */
  async settled() {
    const started = performance.now();
    await until('relay and worker', async () => (await this.lag()) === 0, { timeoutMs: 120_000, everyMs: 50 });
    return (performance.now() - started) / 1000;
  }

  /**
   * Makes the server reuse files of its log, as one that has run for a while does with this setting. A new server fills
   * each file of 16 MB with zeros first, while all commits wait.
   */
  async reuseLogFiles() {
    const database = this.requireDatabase();
    await database.query(`alter system set min_wal_size = '1GB'`);
    await database.query('select pg_reload_conf()');
    for (let file = 0; file < LOG_FILES; file += 1) {
      await database.query(`select pg_logical_emit_message(false, 'bench', 'fills a file')`);
      await database.query('select pg_switch_wal()');
    }
    await database.query('checkpoint');
    this.settings = await this.readSettings();
  }

  /** The Postgres settings that matter. */
  async readSettings() {
    const names = [
      'server_version',
      'fsync',
      'synchronous_commit',
      'wal_sync_method',
      'shared_buffers',
      'min_wal_size',
      'max_wal_size',
    ];
    const { rows } = await this.requireDatabase().query(
      'select name, current_setting(name) as value from unnest($1::text[]) as name',
      [names],
    );
    return rows.map(({ name, value }) => `${name}=${value}`).join(', ');
  }

  async stop() {
    await this.database?.end().catch(() => undefined);
    await this.system.stop();
    this.system.removeData();
  }
}
