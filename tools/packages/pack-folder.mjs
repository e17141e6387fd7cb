import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const LICENSE = fileURLToPath(new URL('../../LICENSE', import.meta.url));

/**
 * Packs what `fill` puts into an empty folder, with the license.
 *
 * @param {string} name part of the folder's name
 * @param {string} to folder of the tarball
 * @param {(folder: string) => Promise<object>} fill resolves to the manifest
 * @returns {Promise<string>} path of the tarball
 */
export const packFolder = async (name, to, fill) => {
  const stage = await mkdtemp(join(tmpdir(), `turnkeeper-${name}-`));
  try {
    await writeFile(join(stage, 'package.json'), `${JSON.stringify(withRepository(await fill(stage)), null, 2)}\n`);
    await cp(LICENSE, join(stage, 'LICENSE'));
    await mkdir(to, { recursive: true });
    const { stdout } = await run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', to], {
      cwd: stage,
    });
    return join(to, JSON.parse(stdout)[0].filename);
  } finally {
    await rm(stage, { recursive: true, force: true });
  }
};

export const without = (object, ...keys) =>
  Object.fromEntries(Object.entries(object).filter(([key]) => !keys.includes(key)));

/**
 * npm accepts provenance only for a package that names the repository it was built in.
 *
 * @param {object} manifest
 * @param {Record<string, string | undefined>} [env] `PACKAGE_REPOSITORY`: address of the repository; unset: not named
 */
export const withRepository = (manifest, env = process.env) =>
  env.PACKAGE_REPOSITORY ? { ...manifest, repository: { type: 'git', url: env.PACKAGE_REPOSITORY } } : manifest;
