import { join } from 'node:path';
import { launch, untilAnswers } from '../shared/background.mjs';
import { keptSecretsKey } from '../shared/kept-secret.mjs';
import { workspaceRoot } from '../shared/workspace.mjs';

export const SERVICES = ['ingest', 'worker'];

/**
 * As in the images. Four times Node's own room for young objects: a request's live until its batch is committed, and those
 * of a busy moment would be moved to where collecting them is dear. With 256 requests in flight it saves ingest 7 % of its
 * CPU over half as much room, and costs 100 MB of memory at most.
 */
export const NODE_ARGUMENTS = ['--enable-source-maps', '--max-semi-space-size=64'];

/**
 * The environment of the services: what the shell says, with the servers and ports of this start. Loopback only, and
 * webhooks may go to loopback too, which a real installation refuses.
 *
 * @param {Record<string, string>} urls DATABASE_URL, NATS_URL, QUEUE_URL
 * @param {Record<string, number>} ports
 * @param {string} folder of the data; the key of the secrets is kept there where the shell names none
 */
export const serviceEnvironment = (urls, ports, folder) => ({
  ...keptSecretsKey(folder),
  INGEST_HOST: '127.0.0.1',
  WORKER_HOST: '127.0.0.1',
  WEBHOOK_ALLOW_PRIVATE_ADDRESSES: 'true',
  WEBHOOK_ALLOW_HTTP: 'true',
  // No load balancer stands before it that would have to notice.
  SHUTDOWN_DRAIN_SECONDS: '0',
  // Links in webhooks and the addresses of connectors begin with it.
  PUBLIC_URL: `http://127.0.0.1:${ports.ingest}`,
  ...process.env,
  // The owner's login is for the command line.
  MIGRATION_DATABASE_URL: '',
  ...urls,
  INGEST_PORT: String(ports.ingest),
  WORKER_PORT: String(ports.worker),
});

/**
 * Starts a service and waits until it says that it is ready.
 *
 * @param {{ name: string, port: number, env: NodeJS.ProcessEnv, logs: string, record: Function }} what
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
