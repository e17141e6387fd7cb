import { existsSync } from 'node:fs';
import { join } from 'node:path';

export const workspaceRoot = join(import.meta.dirname, '../../../..');

export type App = 'ingest' | 'worker' | 'cli';

/** The built entry point of an app: the tests run what is shipped, never the sources. */
export const mainOf = (app: App): string => {
  const main = join(workspaceRoot, 'apps', app, 'dist', 'main.js');
  if (!existsSync(main)) throw new Error(`${main} is not there: run \`npm run build\` first.`);
  return main;
};
