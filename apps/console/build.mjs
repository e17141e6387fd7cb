// Builds the console, unless `dist` was built from the same inputs: types of the API from docs/openapi.json, then Vite.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';

const here = import.meta.dirname;
const openApi = join(here, '..', '..', 'docs', 'openapi.json');
const generated = join(here, 'src', 'api', 'schema.generated.ts');
const stamp = join(here, 'dist', '.inputs');
const require = createRequire(import.meta.url);

const sources = readdirSync(join(here, 'src'), { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath, entry.name))
  .filter((file) => file !== generated);
const own = ['build.mjs', 'index.html', 'package.json', 'vite.config.mjs'].map((name) => join(here, name));

const inputs = createHash('sha256');
for (const file of [...sources, ...own, openApi].sort()) inputs.update(relative(here, file)).update(readFileSync(file));
const wanted = inputs.digest('hex');

const run = (module, file, ...args) => {
  const program = join(dirname(require.resolve(`${module}/package.json`)), file);
  const { status } = spawnSync(process.execPath, [program, ...args], { cwd: here, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
};

const isBuilt = existsSync(stamp) && existsSync(generated) && readFileSync(stamp, 'utf8') === wanted;
if (!isBuilt) {
  run('openapi-typescript', 'bin/cli.js', openApi, '-o', generated);
  run('vite', 'bin/vite.js', 'build', '--logLevel', 'warn');
  // Last, so that an interrupted build counts as none.
  writeFileSync(stamp, wanted);
}
