import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { builtinModules } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { packFolder, without } from './pack-folder.mjs';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const CLI = join(ROOT, 'apps/cli');
/** Folder of the bundle. The code finds the migrations two levels above itself, as in the workspace. */
const BIN = 'dist/bin';

const readJson = async (path) => JSON.parse(await readFile(path, 'utf8'));

/** The built command line with the workspace's private libraries; packages of others stay imports. */
const bundle = async () => {
  const built = await rolldown({
    // What the compiler wrote, because it alone writes the metadata of decorators.
    input: { turnkeeper: join(CLI, 'dist/main.js') },
    platform: 'node',
    external: (id) => !/^[./]/.test(id) && !id.startsWith('@turnkeeper/'),
    resolve: { conditionNames: ['import', 'node'] },
    logLevel: 'silent',
    treeshake: { moduleSideEffects: false },
  });
  try {
    return (await built.generate({ format: 'esm', chunkFileNames: '[name]-[hash].js' })).output.filter(
      (file) => file.type === 'chunk',
    );
  } finally {
    await built.close();
  }
};

const packageOf = (id) => id.split('/', id.startsWith('@') ? 2 : 1).join('/');

/**
 * Packs the command line as the package `turnkeeper`, with the versions of packages that the workspace was tested with.
 *
 * @param {string} to folder of the tarball
 * @returns {Promise<string>} path of the tarball
 */
export const packCommand = (to) =>
  packFolder('command', to, async (stage) => {
    const files = await bundle();
    await mkdir(join(stage, BIN), { recursive: true });
    for (const { fileName, code } of files) await writeFile(join(stage, BIN, fileName), code);
    await cp(join(ROOT, 'libs/postgres/migrations'), join(stage, 'migrations'), { recursive: true });
    await cp(join(CLI, 'README.md'), join(stage, 'README.md'));
    const own = new Set(files.map(({ fileName }) => fileName));
    const imported = files
      .flatMap(({ imports, dynamicImports }) => [...imports, ...dynamicImports])
      .filter((id) => !own.has(id) && !id.startsWith('node:') && !builtinModules.includes(id));
    const { dependencies } = await readJson(join(ROOT, 'package.json'));
    const names = [...new Set(imported.map(packageOf))].sort();
    return {
      ...without(await readJson(join(CLI, 'package.json')), 'private', 'nx', 'dependencies'),
      name: 'turnkeeper',
      bin: { turnkeeper: `./${BIN}/turnkeeper.js` },
      files: ['dist', 'migrations'],
      exports: { './package.json': './package.json' },
      dependencies: Object.fromEntries(names.map((name) => [name, requireVersion(dependencies, name)])),
    };
  });

const requireVersion = (dependencies, name) => {
  if (name in dependencies) return dependencies[name];
  throw new Error(`apps/cli imports ${name}, which is not a dependency of the workspace.`);
};
