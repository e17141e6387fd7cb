import { apiClient } from '../shared/api.mjs';
import { endCommands } from '../shared/command.mjs';
import { checkNode, installPackages } from '../shared/install.mjs';
import { choosePorts } from '../shared/ports.mjs';
import { ownIdentity } from '../shared/process-identity.mjs';
import { bold, dim, line, say, step } from '../shared/steps.mjs';
import { build } from './build.mjs';
import { checkSettings } from './check-settings.mjs';
import { createKey, migrate } from './command-line.mjs';
import { DETACHED } from './detach.mjs';
import { writeEnvFile } from './env-file.mjs';
import { checkModel } from './model-check.mjs';
import { keepRunning } from './keep-running.mjs';
import { SERVICES, serviceEnvironment, startService } from './services.mjs';
import { givenUrls } from './state.mjs';
import { stopProcesses } from './stop-everything.mjs';
import { unknownSettings } from './unknown-settings.mjs';

/** Preferred; another port is used if it is taken. */
const API_PORT = 8080;
const TENANT = 'local';

/**
 * Starts the whole local system, keeps it running, and stops it on the first signal.
 *
 * @param {import('./state.mjs').LocalSystem} system
 * @returns {Promise<number>} the exit code
 */
export const runInForeground = async (system) => {
  let stopping = false;
  const isStopping = () => stopping;
  const signalled = new Promise((resolve) => {
    // Not `once`: npm forwards the signal that the terminal has already sent.
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => resolve(signal));
  });
  const work = bringUp({ ...system, record: recordUnless(isStopping, system.record) }).then((kept) =>
    keepAll(kept, isStopping),
  );
  const failed = work.then(
    () => undefined,
    (error) => error,
  );
  const end = await Promise.race([signalled, failed]);
  const { ready } = system.read();
  stopping = true;
  if (end instanceof Error) say(`\n${end.message}\n`);
  await takeDown(system);
  return end instanceof Error ? 1 : ready ? 0 : 130;
};

const bringUp = async (system) => {
  system.change({ launcher: ownIdentity(), ready: false });
  say(`\n  ${bold('Turnkeeper')}  ${dim('memory for conversational agents')}\n`);
  checkNode();
  await stopProcesses(system); // of a launcher that was killed
  await step('packages', installPackages, (how) => (how === 'present' ? 'up to date' : 'installed'));
  // Missing servers and unusable settings are told before the first server starts.
  const located = async () => {
    await step('build', build, () => 'compiled');
    await checkSettings(system.folder);
  };
  const { servers, urls, ownerUrl } = await provideServers(system, located);
  const ports = { ...system.read().ports, operations: undefined, ...(await servicePorts(system)) };
  const env = serviceEnvironment(urls, ports, system.folder);
  await step(
    'migrate',
    (note) => migrate({ ...env, ...ownerUrl }, note),
    () => 'schema up to date',
  );
  const url = `http://127.0.0.1:${ports.ingest}`;
  system.change({ ports, url });
  const services = [];
  for (const name of SERVICES) {
    const port = healthPorts(ports)[name];
    const start = () => startService({ name, port, env, logs: system.logs, record: system.record });
    const launched = await step(name, start, () => `ready on 127.0.0.1:${ports[name]}`);
    services.push({ launched, start });
  }
  await openAccess(system, url, { ...env, ...ownerUrl }, { ...urls, ...ownerUrl });
  const modelFault = await checkModel(env);
  if (modelFault)
    say(
      `\n  ${bold('The model cannot be used:')} ${modelFault}\n  Everything else works; what is said is extracted as soon as it answers.\n`,
    );
  const unknown = unknownSettings();
  if (unknown.length > 0)
    say(`\n  ${bold('.env sets what is no setting:')} ${unknown.join(', ')}. .env.example lists them all.\n`);
  const showLate = system.read().sampleShown
    ? undefined
    : await firstConversation(system, url, {
        records: modelFault === undefined,
        model: Boolean(/** @type {Record<string, string>} */ (env).LLM_BASE_URL),
      });
  system.change({ ready: true });
  announce(system);
  // Not awaited: the model may take minutes.
  void showLate?.();
  return [...servers, ...services];
};

/** Nothing new can start once shutdown has begun. */
const recordUnless = (isStopping, record) => (running) => {
  if (!isStopping()) return record(running);
  process.kill(-running.pid, 'SIGKILL');
  throw new Error(`${running.name} was not started: everything is being stopped.`);
};

const provideServers = async (system, located) => {
  const { provisionServers } = await import('../servers/provision.mjs');
  const { ports, ownUrls } = system.read();
  const given = givenUrls(process.env, ownUrls);
  const {
    postgres,
    nats,
    redis,
    ports: chosen,
  } = await provisionServers({
    dir: system.folder,
    logs: system.logs,
    given,
    database: 'turnkeeper',
    ports,
    durable: true,
    redisRequired: false,
    record: system.record,
    located,
  });
  const all = [postgres, nats, redis];
  const services = { ...postgres, url: postgres.serviceUrl };
  const variables = { DATABASE_URL: services, NATS_URL: nats, QUEUE_URL: redis };
  const urlsOf = (entries) => Object.fromEntries(entries.map(([name, { url }]) => [name, url]));
  // A given database has its owner's login, or one login for both.
  const owner = postgres.source === 'given' ? given.migrations : postgres.url;
  const ownerUrl = owner === undefined ? {} : { MIGRATION_DATABASE_URL: owner };
  system.change({
    ports: { ...ports, ...chosen },
    ownUrls: {
      ...urlsOf(Object.entries(variables).filter(([, { source }]) => source !== 'given')),
      ...(postgres.source === 'given' ? {} : ownerUrl),
    },
    containers: all.filter(({ source }) => source === 'compose').map(({ name }) => name),
    outside: all.flatMap(({ outside }) => outside ?? []),
  });
  return { servers: all.filter(({ launched }) => launched), urls: urlsOf(Object.entries(variables)), ownerUrl };
};

/** Where the services report their health. */
const healthPorts = ({ ingest, operations, worker }) => ({ ingest: operations ?? ingest, worker });

/** The environment takes precedence over the ports of the last start. */
const servicePorts = async (system) => {
  const { ports = {} } = system.read();
  const { INGEST_PORT, INGEST_OPERATIONS_PORT, WORKER_PORT } = process.env;
  const wished = {
    ingest: Number(INGEST_PORT) || ports.ingest || API_PORT,
    worker: Number(WORKER_PORT) || ports.worker,
    ...(INGEST_OPERATIONS_PORT ? { operations: Number(INGEST_OPERATIONS_PORT) || ports.operations } : {}),
  };
  const chosen = await choosePorts(Object.keys(wished), wished);
  const given = Object.entries({ ingest: INGEST_PORT, operations: INGEST_OPERATIONS_PORT, worker: WORKER_PORT });
  for (const [name, value] of given) {
    if (!Number(value) || chosen[name] === wished[name]) continue;
    const variable = name === 'operations' ? 'INGEST_OPERATIONS_PORT' : `${name.toUpperCase()}_PORT`;
    throw new Error(
      `${variable}=${value} is in use on 127.0.0.1. Stop the process that listens there, or set another port.`,
    );
  }
  if (chosen.ingest !== wished.ingest) say(line('port', `${wished.ingest} is in use: the API takes ${chosen.ingest}`));
  return chosen;
};

/** A key of an earlier start stays valid as long as its database exists. */
const openAccess = async (system, url, env, urls) => {
  const known = system.read().apiKey;
  const apiKey = known && (await accepts(url, known)) ? known : (await createKey(env, TENANT)).apiKey;
  system.change({ apiKey });
  writeEnvFile(system.envFile, { TURNKEEPER_URL: url, TURNKEEPER_API_KEY: apiKey, ...urls });
};

const accepts = async (url, key) => {
  try {
    await apiClient({ url, key }).get('/memory/memories?page=1&size=1');
    return true;
  } catch (error) {
    return error.status !== 401;
  }
};

/** Resolves to what shows the records if they are late. */
const firstConversation = async (system, url, { records, model }) => {
  const { showSample } = await import('./show-sample.mjs');
  const lateOutput = process.env[DETACHED] ? 'in .turnkeeper/logs/start.log' : 'here';
  const showLate = await showSample({ url, key: system.read().apiKey }, { records, model, lateOutput });
  system.change({ sampleShown: records });
  return showLate;
};

const announce = (system) => {
  const { url, ports } = system.read();
  const [ingestHealth, workerHealth] = SERVICES.map((name) => `http://127.0.0.1:${healthPorts(ports)[name]}`);
  say(`\n  ${bold('Ready.')}\n`);
  say(line('console', `${url}/console`));
  say(line('API', `${url}  ${dim('reference:')} ${url}/docs`));
  say(line('health', `${ingestHealth}/readyz  ${dim('worker:')} ${workerHealth}/readyz`));
  say(line('metrics', `${ingestHealth}/metrics`));
  say(line('access', 'source .turnkeeper/env  sets TURNKEEPER_URL and TURNKEEPER_API_KEY'));
  say(line('logs', '.turnkeeper/logs/'));
  const how = process.env[DETACHED] ? '`npm run stop`' : 'Ctrl-C, or `npm run stop` from elsewhere,';
  say(`\n  ${dim(`${how} stops everything; the data stays.`)}\n`);
};

/** Resolves when all have been stopped; rejects as soon as one cannot be kept running. */
const keepAll = async (kept, isStopping) => {
  const watch = ({ launched, start }) =>
    keepRunning(launched, start, isStopping).catch((error) => {
      if (!isStopping()) throw error;
    });
  await Promise.all(kept.map(watch));
};

const takeDown = async (system) => {
  await endCommands();
  say('');
  await step(
    'stop',
    () => stopProcesses(system),
    (stopped) => stopped.join(', ') || 'nothing was running',
  );
  system.change({ launcher: undefined, ready: undefined });
};
