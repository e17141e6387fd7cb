import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { run, runOrThrow } from '../shared/command.mjs';
import { workspaceRoot } from '../shared/workspace.mjs';

/** Only the three servers, on loopback ports we choose. The whole system is `docker-compose.yml` at the root. */
const FILE = join(workspaceRoot, 'tools', 'servers', 'compose.yml');

/** A separate project per data folder, so that two clones do not share a database. */
const projectOf = (dir) => `turnkeeper-${createHash('sha256').update(dir).digest('hex').slice(0, 8)}`;

/** @returns {Promise<boolean>} whether an engine is running and supports `compose` */
export const engineAnswers = async () =>
  (await run('docker', ['info', '--format', '{{.ServerVersion}}'])).code === 0 &&
  (await run('docker', ['compose', 'version'])).code === 0;

/**
 * Starts one of the services and waits until its health check passes.
 *
 * @param {{ dir: string, service: 'postgres' | 'nats' | 'redis', port: number, password: string, note: (text: string) => void }} what
 */
export const composeUp = async ({ dir, service, port, password, note }) => {
  const env = { ...process.env, TURNKEEPER_PORT: String(port), TURNKEEPER_PASSWORD: password };
  await runOrThrow('docker', [...composeArgs(dir), 'up', '--detach', '--wait', service], { env, onLine: note });
};

export const composeStop = (dir, service) =>
  run('docker', [...composeArgs(dir), 'stop', service], { env: placeholders(), evenAtTheEnd: true });

/** Removes the containers and their volumes. */
export const composeRemove = (dir) =>
  run('docker', [...composeArgs(dir), 'down', '--volumes'], { env: placeholders(), evenAtTheEnd: true });

const composeArgs = (dir) => ['compose', '--file', FILE, '--project-name', projectOf(dir)];
const placeholders = () => ({ ...process.env, TURNKEEPER_PORT: '1', TURNKEEPER_PASSWORD: 'unused' });
