// Packs the libraries that users install: npm run pack -- [folder]
import { existsSync } from 'node:fs';
import { cp, readdir, readFile, writeFile } from 'node:fs/promises';
import { builtinModules } from 'node:module';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';
import { script } from '../shared/script.mjs';
import { packCommand } from './pack-command.mjs';
import { packFolder, without } from './pack-folder.mjs';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const SOURCE = '@turnkeeper/source';
const USAGE = `npm run pack -- [folder]

Packs the built libraries that applications install, and the command line, into a folder (default tmp/packages), and
prints the tarballs.
`;

/** Folders of libs/, each after those it depends on. */
export const PACKAGES = ['client', 'short-term-memory', 'tools', 'langgraph'];

const readManifest = async (name) => JSON.parse(await readFile(join(ROOT, 'libs', name, 'package.json'), 'utf8'));

/**
 * Bundles the entry points of a library. Other libraries of the workspace that are not published become part of it.
 *
 * @param {string} name folder in libs/
 * @param {'browser' | 'node'} platform
 * @returns {Promise<import('rolldown').OutputChunk[]>}
 */
export const bundleOf = async (name, platform = 'node', minify = false) => {
  const { exports, dependencies = {}, peerDependencies = {} } = await readManifest(name);
  const published = [...Object.keys(dependencies), ...Object.keys(peerDependencies)].filter(
    (each) => !each.startsWith('@turnkeeper/') || PACKAGES.includes(each.slice('@turnkeeper/'.length)),
  );
  const isExternal = (id) => published.some((each) => id === each || id.startsWith(`${each}/`)) || isBuiltin(id);
  const bundle = await rolldown({
    input: Object.fromEntries(
      Object.values(exports)
        .filter((entry) => typeof entry === 'object')
        .map((entry) => [basename(entry.import, '.js'), join(ROOT, 'libs', name, entry[SOURCE])]),
    ),
    platform,
    external: platform === 'browser' ? [] : isExternal,
    resolve: { conditionNames: [SOURCE, 'import', platform] },
    logLevel: 'silent',
    treeshake: { moduleSideEffects: false },
  });
  try {
    const generated = await bundle.generate({ format: 'esm', minify, chunkFileNames: '[name]-[hash].js' });
    return generated.output.filter((file) => file.type === 'chunk');
  } finally {
    await bundle.close();
  }
};

/** Before the first tarball is written: `npm start` builds some of the packages only. */
export const requireBuilt = (root = ROOT) => {
  const folders = [...PACKAGES.map((name) => `libs/${name}`), 'apps/cli'];
  const missing = folders.filter((folder) => !existsSync(join(root, folder, 'dist')));
  if (missing.length > 0) throw new Error(`Not built: ${missing.join(', ')}. Run npm run build first.`);
};

const isBuiltin = (id) => id.startsWith('node:') || builtinModules.includes(id);

/** The published manifest: without fields that only the workspace understands. */
const publishedManifest = async (manifest) => {
  const dependencies = {};
  for (const [name, range] of Object.entries(manifest.dependencies ?? {})) {
    const folder = name.startsWith('@turnkeeper/') ? name.slice('@turnkeeper/'.length) : undefined;
    if (folder === undefined) dependencies[name] = range;
    else if (PACKAGES.includes(folder)) dependencies[name] = `^${(await readManifest(folder)).version}`;
  }
  // `default` instead of `import`: with `import` alone, CommonJS cannot `require` the package.
  const exports = Object.entries(manifest.exports).map(([path, entry]) =>
    typeof entry === 'string' ? [path, entry] : [path, { types: entry.types, default: entry.import }],
  );
  return {
    ...without(manifest, 'private', 'nx', 'devDependencies'),
    files: ['dist'],
    exports: Object.fromEntries(exports),
    dependencies,
  };
};

const copyTypes = async (name, to, dependencies) => {
  const from = join(ROOT, 'libs', name, 'dist');
  const files = await readdir(from, { recursive: true });
  for (const file of files.filter((each) => each.endsWith('.d.ts') && !each.startsWith('spec'))) {
    const text = await readFile(join(from, file), 'utf8');
    for (const [, imported] of text.matchAll(/(?:from |import\()['"](@turnkeeper\/[\w-]+)/g)) {
      if (!(imported in dependencies))
        throw new Error(`libs/${name}: ${file} has types of ${imported}, which is private.`);
    }
    await cp(join(from, file), join(to, file));
  }
};

/**
 * Packs one built library.
 *
 * @param {string} name folder in libs/
 * @param {string} to folder of the tarball
 * @returns {Promise<string>} path of the tarball
 */
export const pack = (name, to) =>
  packFolder(name, to, async (stage) => {
    const manifest = await publishedManifest(await readManifest(name));
    await copyTypes(name, join(stage, 'dist'), manifest.dependencies);
    for (const file of await bundleOf(name)) await writeFile(join(stage, 'dist', file.fileName), file.code);
    await cp(join(ROOT, 'libs', name, 'README.md'), join(stage, 'README.md'));
    return manifest;
  });

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  script(USAGE);
  requireBuilt();
  const to = resolve(process.argv[2] ?? join(ROOT, 'tmp/packages'));
  for (const name of PACKAGES) process.stdout.write(`${await pack(name, to)}\n`);
  process.stdout.write(`${await packCommand(to)}\n`);
}
