import { eventually } from '@turnkeeper/testing';
import { startApp, type AppProcess } from './child-process.js';

/** An ingest or worker that is ready. */
export interface Service extends AppProcess {
  readonly app: 'ingest' | 'worker';
  readonly url: string;
}

/** Generous: a loaded machine takes 20 s to load a service's modules. */
const START_MS = 90_000;

/** Starts a service on a free port and waits until it reports ready. */
export const startService = async (
  app: 'ingest' | 'worker',
  environment: Readonly<Record<string, string>>,
): Promise<Service> => {
  const name = app.toUpperCase();
  const child = startApp(app, [], { [`${name}_HOST`]: '127.0.0.1', [`${name}_PORT`]: '0', ...environment });
  const url = await startedUrl(app, child);
  await eventually(() => isReady(url), {
    withinMs: START_MS,
    everyMs: 20,
    what: () => `${app} is ready:\n${child.output()}`,
  });
  return { ...child, app, url };
};

export const isReady = async (url: string): Promise<boolean> => {
  const response = await fetch(`${url}/readyz`).catch(() => null);
  await response?.arrayBuffer();
  return response?.status === 200;
};

/** The address is in the last log line of the start. */
const startedUrl = (app: string, child: AppProcess): Promise<string> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`${app} did not start:\n${child.output()}`)), START_MS);
    child.onLine((line) => {
      if (!line.includes(`"${app}.started"`)) return;
      clearTimeout(timer);
      resolve((JSON.parse(line) as { url: string }).url);
    });
    void child.exited.then(({ code }) => {
      clearTimeout(timer);
      reject(new Error(`${app} ended with ${code} at its start:\n${child.output()}`));
    });
  });
