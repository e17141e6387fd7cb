import { serviceEnvironment } from './services.mjs';

/** In place of what is known only when the servers run. */
const URLS = {
  DATABASE_URL: 'postgres://localhost/turnkeeper',
  NATS_URL: 'nats://localhost',
  QUEUE_URL: 'redis://localhost',
};

/**
 * Throws what the services would say when they start, for every setting at once. The libraries must be built.
 *
 * @param {string} folder data folder
 */
export const checkSettings = async (folder) => {
  const { loadSettings } = await import('../../libs/platform/dist/index.js');
  const { INGEST_PORT, INGEST_OPERATIONS_PORT, WORKER_PORT } = process.env;
  const env = serviceEnvironment(URLS, {}, folder);
  try {
    loadSettings({ ...env, INGEST_PORT, INGEST_OPERATIONS_PORT, WORKER_PORT, PUBLIC_URL: process.env.PUBLIC_URL });
  } catch (error) {
    const { problems } = error;
    if (problems === undefined) throw error;
    const lines = problems.map(({ name, rule }) => `  ${name} ${rule}`).join('\n');
    const what = `These settings cannot be used:\n${lines}\nCorrect them in .env or the environment.`;
    throw new Error(what, { cause: error });
  }
};
