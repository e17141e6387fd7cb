import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { launch, untilAnswers } from '../shared/background.mjs';
import { keptSecretsKey } from '../shared/kept-secret.mjs';
import { workspaceRoot } from '../shared/workspace.mjs';

export const SERVICES = ['ingest', 'worker'];

/**
 * As in the images. A collection of the young generation stops all requests, for longer the larger it is: with 64 MB, 30 to 55 ms
 * beside large batches and contexts, with 16 MB 14 to 18 ms.
 */
export const NODE_ARGUMENTS = ['--enable-source-maps', '--max-semi-space-size=16'];

/**
 * Records are found by their meaning unless the shell or `.env` chooses. They are few; turns are many, and embedding each
 * takes 20 ms of CPU.
 *
 * @param {NodeJS.ProcessEnv} env
 */
const meaning = ({ EMBEDDINGS, EMBEDDINGS_URL }) =>
  EMBEDDINGS || EMBEDDINGS_URL || !existsSync(LOCAL_MODEL) ? {} : { EMBEDDINGS: 'local', EMBED_TURNS: 'off' };
/** An optional package: it may be missing. */
const LOCAL_MODEL = join(workspaceRoot, 'node_modules', '@energetic-ai', 'model-embeddings-en');

/**
 * The environment of the services: the shell's, with the servers and ports of this start. Loopback only; webhooks can
 * go to loopback too, which a real installation rejects.
 *
 * @param {Record<string, string>} urls DATABASE_URL, NATS_URL, QUEUE_URL
 * @param {Record<string, number | undefined>} ports of `ingest`, `worker`, and `operations` if ingest's health has its own
 * @param {string} folder data folder; the secrets key is stored there unless the shell sets one
 */
export const serviceEnvironment = (urls, ports, folder) => ({
  ...keptSecretsKey(folder),
  INGEST_HOST: '127.0.0.1',
  WORKER_HOST: '127.0.0.1',
  WEBHOOK_ALLOW_PRIVATE_ADDRESSES: 'true',
  WEBHOOK_ALLOW_HTTP: 'true',
  // There is no load balancer that would need time to notice.
  SHUTDOWN_DRAIN_SECONDS: '0',
  // Base of links in webhooks and of connector addresses.
  PUBLIC_URL: `http://127.0.0.1:${ports.ingest}`,
  ...meaning(process.env),
  ...process.env,
  // Only the command line uses the owner's login.
  MIGRATION_DATABASE_URL: '',
  ...urls,
  INGEST_PORT: String(ports.ingest),
  INGEST_OPERATIONS_PORT: String(ports.operations ?? ''),
  WORKER_PORT: String(ports.worker),
});

/**
 * Starts a service and waits until it reports ready on a port.
 *
 * @param {{ name: string, port: number, env: NodeJS.ProcessEnv, logs: string, record: import('../shared/background.mjs').Record }} what
 */
export const startService = async ({ name, port, env, logs, record }) => {
  const main = join(workspaceRoot, 'apps', name, 'dist', 'main.js');
  const args = [...NODE_ARGUMENTS, main];
  const service = await launch({
    name,
    command: process.execPath,
    args,
    env,
    record,
    cwd: workspaceRoot,
    logFile: join(logs, `${name}.log`),
  });
  await untilAnswers(service, () => isReady(port));
  return service;
};

export const isReady = async (port) => {
  try {
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`, { signal: AbortSignal.timeout(2000) });
    await answer.arrayBuffer();
    return answer.ok;
  } catch {
    return false;
  }
};
