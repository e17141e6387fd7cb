import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const DOCS = join(import.meta.dirname, '../../../../docs');

/** Names of the pages in a folder of `docs` with a block of this language. */
export const pagesWith = async (folder: string, language: string): Promise<string[]> => {
  const names = (await readdir(join(DOCS, folder))).filter((name) => name.endsWith('.md'));
  const pages = await Promise.all(
    names.map(async (name) => ({ name, text: await readFile(join(DOCS, folder, name), 'utf8') })),
  );
  return pages
    .filter(({ text }) => blocksOf(text, language).length > 0)
    .map(({ name }) => name.slice(0, -'.md'.length));
};

/** The blocks of a language on a page, also in lists, in order. */
export const blocksOf = (text: string, language: string): string[] =>
  [...text.matchAll(new RegExp(`^( *)\`\`\`${language}\\n(.*?)^\\1\`\`\`$`, 'gms'))].map(([, , block = '']) => block);

/** The shell commands of a page under `docs/platforms` or another folder of `docs`, in order. */
const commandsOf = async (page: string, folder = 'platforms'): Promise<string> =>
  blocksOf(await readFile(join(DOCS, folder, `${page}.md`), 'utf8'), 'bash').join('\n');

/**
 * Runs the commands of a page in one shell, as a reader would, and returns what they print. Rejects if one fails.
 *
 * @param variables what the page tells its reader to set
 * @param place where the page is, and where its commands run
 */
export const runPage = async (
  page: string,
  variables: Readonly<Record<string, string>>,
  place: { readonly folder?: string; readonly cwd?: string } = {},
): Promise<string> => {
  const { stdout } = await promisify(execFile)(
    'bash',
    ['-euo', 'pipefail', '-c', await commandsOf(page, place.folder)],
    {
      env: { PATH: process.env['PATH'] ?? '', ...variables },
      ...(place.cwd === undefined ? {} : { cwd: place.cwd }),
      timeout: 60_000,
    },
  );
  return stdout;
};
