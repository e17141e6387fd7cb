import { plant, scanOutput } from './planted-markers.js';
import { randomBytes } from 'node:crypto';
import { createTestDatabase, natsLogin, testServers, type TestDatabase } from '@turnkeeper/testing';
import { connect } from 'nats';
import { Api } from './api.js';
import { cliOutput, runCli, type Exit } from './child-process.js';
import { Inspector } from './database.js';
import { forgetRedisKeys, queueBackend } from './queue-server.js';
import { startService, type Service } from './service.js';
import { copiesIn } from './traces.js';

export interface StackOptions {
  /** Default 1. */
  readonly ingests?: number;
  /** Default true. */
  readonly worker?: boolean;
  /** Settings in addition to the harness's. */
  readonly settings?: Readonly<Record<string, string>>;
  /** The test's own servers, which it can disconnect. Default: the shared ones. */
  readonly natsUrl?: string;
  readonly queueUrl?: string;
}

/** Everything else runs on its default. */
const TEST_SETTINGS = {
  // There is no load balancer, and every stop would take five seconds longer. drain.ingest.e2e.spec.ts uses the default.
  SHUTDOWN_DRAIN_SECONDS: '0',
  // Most tests wait for a quiet session. 30 s each would add half an hour.
  EXTRACTION_QUIET_SECONDS: '1',
  // Test receivers listen on 127.0.0.1 without TLS.
  WEBHOOK_ALLOW_PRIVATE_ADDRESSES: 'true',
  WEBHOOK_ALLOW_HTTP: 'true',
};
/** A test without a queue gets an address without a server. */
const QUEUE_URLS = {
  redis: () => testServers.redis(),
  postgres: (database: TestDatabase) => database.serviceUrl,
  none: () => 'redis://127.0.0.1:1',
};
/** Fixed: an installation is used by one test only. */
const SECRETS_KEY = randomBytes(32).toString('base64');
const STOP_MS = 15_000;
const TENANT = 'acme';

/** A whole installation on its own database: migrated, with an API key and running services. */
export class Stack {
  readonly ingests: Service[] = [];
  readonly inspector: Inspector;
  worker: Service | null = null;
  /** Calls the first ingest with every scope. */
  api!: Api;

  private constructor(
    private readonly database: TestDatabase,
    readonly settings: Readonly<Record<string, string>>,
  ) {
    this.inspector = new Inspector(database.url, database.adminUrl);
  }

  static async start(options: StackOptions = {}): Promise<Stack> {
    if (options.worker !== false && queueBackend() === 'none') throw new Error('A worker needs a queue.');
    const database = await createTestDatabase(installWithKey);
    const id = `e2e_${randomBytes(5).toString('hex')}`;
    const stack = new Stack(database, {
      ...TEST_SETTINGS,
      // Not the owner: the services have only what `migrate` grants.
      DATABASE_URL: database.serviceUrl,
      // Test servers are fast, and lose committed data on a power failure: the services refuse them by default.
      DURABLE_COMMITS: 'off',
      SECRETS_KEY,
      NATS_URL: options.natsUrl ?? testServers.nats(),
      NATS_STREAM: id.toUpperCase(),
      NATS_SUBJECT_PREFIX: id,
      QUEUE_URL: options.queueUrl ?? QUEUE_URLS[queueBackend()](database),
      QUEUE_PREFIX: id,
      ...options.settings,
    });
    try {
      const starts = Array.from({ length: options.ingests ?? 1 }, () => stack.startIngest());
      if (options.worker !== false) starts.push(stack.startWorker());
      const apiKey = database.note!;
      plant(apiKey);
      // Wait for all of them, so that a failed start leaves no process behind.
      const failed = (await Promise.allSettled(starts)).find((start) => start.status === 'rejected');
      if (failed !== undefined) throw failed.reason;
      stack.api = stack.apiOf(stack.ingests[0]!, apiKey);
      return stack;
    } catch (error) {
      // Report the failed start, not the connections of killed processes.
      await stack.kill({ inUse: true });
      throw error;
    }
  }

  /** A key of the given tenant; with all scopes by default. */
  async createKey({ tenant = TENANT, scopes }: { tenant?: string; scopes?: readonly string[] } = {}): Promise<string> {
    const apiKey = await newKey(this.database.url, tenant, scopes);
    plant(apiKey);
    return apiKey;
  }

  apiOf(ingest: Service, apiKey: string | null = this.api.apiKey): Api {
    return new Api(ingest.url, apiKey);
  }

  async startIngest(settings: Readonly<Record<string, string>> = {}): Promise<Service> {
    const ingest = await startService('ingest', { ...this.settings, ...settings });
    this.ingests.push(ingest);
    return ingest;
  }

  async startWorker(): Promise<Service> {
    this.worker = await startService('worker', this.settings);
    return this.worker;
  }

  /** SIGKILL: the worker cannot clean up. */
  async killWorker(): Promise<void> {
    await this.worker?.end('SIGKILL');
    this.worker = null;
  }

  /** Stops every process gracefully; an unclean exit fails the test. */
  async stop(): Promise<void> {
    const services = [...this.ingests, ...(this.worker === null ? [] : [this.worker])];
    try {
      const exits = await Promise.all(services.map(endWell));
      const bad = exits.filter((failure) => failure !== null);
      if (bad.length > 0) throw new Error(bad.join('\n'));
      await this.scanCopies();
    } finally {
      await this.kill();
    }
  }

  /** Searches the stream and the queue for content and secrets, like the output of every process. */
  async scanCopies(): Promise<void> {
    for (const [place, texts] of Object.entries(await copiesIn(this))) scanOutput(place, texts.join('\n'));
  }

  private async kill(database: { readonly inUse?: boolean } = {}): Promise<void> {
    await Promise.all([...this.ingests, this.worker].map((service) => service?.end('SIGKILL')));
    await this.inspector.close();
    await this.forgetCopies();
    await this.database.drop(database);
  }

  /** Resets the shared servers. The test's own servers are gone already or go with it. */
  private async forgetCopies(): Promise<void> {
    const { NATS_URL = '', NATS_STREAM = '', QUEUE_URL = '', QUEUE_PREFIX = '' } = this.settings;
    if (NATS_URL === testServers.nats()) {
      const nats = await connect(natsLogin(NATS_URL));
      const jetStream = await nats.jetstreamManager();
      for (const name of [NATS_STREAM, `${NATS_STREAM}_CONTENT`]) {
        await jetStream.streams.delete(name).catch(() => undefined); // nothing was ever published
      }
      await nats.close();
    }
    if (queueBackend() === 'redis' && QUEUE_URL === testServers.redis()) {
      await forgetRedisKeys(QUEUE_URL, `${QUEUE_PREFIX}:*`);
    }
  }
}

const newKey = async (ownerUrl: string, tenant: string, scopes?: readonly string[]): Promise<string> => {
  const scopeArgs = scopes === undefined ? [] : ['--scopes', scopes.join(',')];
  const output = await cliOutput(
    ['key', 'create', '--create-tenant', '--tenant', tenant, ...scopeArgs, '--json'],
    ownerUrl,
  );
  return (JSON.parse(output) as { apiKey: string }).apiKey;
};

/** What every installation starts with: the schema, and a key of a tenant. Done once for all, as an operator does it. */
const installWithKey = async (ownerUrl: string): Promise<string> => {
  const migrated = await runCli(['migrate'], '', { MIGRATION_DATABASE_URL: ownerUrl });
  if (migrated.code !== 0) throw new Error(migrated.output);
  return newKey(ownerUrl, TENANT);
};

/** Null, or the error of the shutdown. */
const endWell = async (service: Service): Promise<string | null> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), STOP_MS);
  });
  const exit: Exit | null = await Promise.race([service.end('SIGTERM'), late]);
  clearTimeout(timer);
  if (exit?.code === 0) return null;
  const how = exit === null ? `did not end within ${STOP_MS} ms` : `ended with ${exit.code ?? exit.signal}`;
  return `${service.app} ${how} after SIGTERM:\n${service.output()}`;
};
