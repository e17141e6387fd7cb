import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const PAGES = join(import.meta.dirname, '../../../../docs/platforms');

/** The shell commands of a page under `docs/platforms`, in order. */
export const commandsOf = async (page: string): Promise<string> => {
  const text = await readFile(join(PAGES, `${page}.md`), 'utf8');
  return [...text.matchAll(/^```bash\n(.*?)^```$/gms)].map(([, commands]) => commands).join('\n');
};

/**
 * Runs the commands of a page in one shell, as a reader would, and returns what they print. Rejects if one fails.
 *
 * @param variables what the page tells its reader to set
 */
export const runPage = async (page: string, variables: Readonly<Record<string, string>>): Promise<string> => {
  const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', await commandsOf(page)], {
    env: { PATH: process.env['PATH'] ?? '', ...variables },
    timeout: 60_000,
  });
  return stdout;
};
