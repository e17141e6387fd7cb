import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { canInstall, installDebianPackage } from '../servers/debian.mjs';
import { findProgram } from '../shared/programs.mjs';
import { step } from '../shared/steps.mjs';

/**
 * The program, installed from the Debian package if it is missing.
 *
 * @param {string} name
 * @param {string} [debianPackage] its package, where the name differs
 * @returns {Promise<string>} its path
 */
export const program = async (name, debianPackage = name) => {
  const found = findProgram([name]);
  if (found !== undefined) return found;
  await install(name, debianPackage);
  const installed = findProgram([name]);
  if (installed === undefined) throw new Error(`${debianPackage} does not contain ${name}.`);
  return installed;
};

const DEBIAN_POSTGRES = '/usr/lib/postgresql';

/**
 * The folder of Debian's Postgres programs, newest version. The packaged Postgres of `npm start` has no tools for
 * backups and replication.
 */
export const debianPostgres = async () => {
  if (newestPostgres() === undefined) await install('pg_basebackup', 'postgresql');
  return newestPostgres();
};

const newestPostgres = () => {
  const versions = existsSync(DEBIAN_POSTGRES) ? readdirSync(DEBIAN_POSTGRES) : [];
  return versions
    .sort((a, b) => Number(b) - Number(a))
    .map((version) => join(DEBIAN_POSTGRES, version, 'bin'))
    .find((folder) => existsSync(join(folder, 'pg_basebackup')));
};

const install = async (name, debianPackage) => {
  const installed =
    canInstall() &&
    (await step(
      name,
      (note) => installDebianPackage([debianPackage], note),
      () => 'installed',
    ));
  if (!installed) throw new Error(`${name} is missing. On Debian: apt-get install ${debianPackage}`);
};
