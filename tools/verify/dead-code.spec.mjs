import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { localProgram } from '../shared/command.mjs';
import { workspaceRoot } from '../shared/workspace.mjs';

const MINUTE = 60_000;

/** Unused files, exports, types and dependencies below a folder with a `knip.json`: a line per finding; none if it is clean. */
const deadCode = (root) => {
  const { stdout, stderr, status } = spawnSync(
    localProgram('knip'),
    ['--no-progress', '--no-config-hints', '--reporter', 'compact'],
    { cwd: root, encoding: 'utf8' },
  );
  if (status !== 0 && status !== 1) throw new Error(stderr);
  return stdout.trim();
};

it(
  'no file, export, type or dependency is unused',
  () => {
    expect(deadCode(workspaceRoot)).toBe('');
  },
  3 * MINUTE,
);

describe('planted dead code', () => {
  let root;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'turnkeeper-dead-code-'));
    copyFileSync(join(workspaceRoot, 'knip.json'), join(root, 'knip.json'));
    write('package.json', { private: true, type: 'module', workspaces: ['apps/*', 'libs/*'] });
    write('libs/plain/package.json', {
      name: '@turnkeeper/plain',
      type: 'module',
      exports: { '.': { '@turnkeeper/source': './src/index.ts', import: './dist/index.js' } },
    });
    write('libs/plain/src/index.ts', `export { used } from './used.js';`);
    write('libs/plain/src/used.ts', 'export const used = 1;');
    write('apps/one/package.json', { type: 'module', dependencies: { '@turnkeeper/plain': '*' } });
    write('apps/one/src/main.ts', `import { used } from '@turnkeeper/plain'; console.log(used);`);
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));
  const write = (name, content) => {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), typeof content === 'string' ? content : JSON.stringify(content));
  };

  it('is not found where everything is used', () => {
    expect(deadCode(root)).toBe('');
  });

  it('is found: a file, an export of a file and of a library, a type, and a dependency', () => {
    write('libs/plain/src/planted-file.ts', 'export const a = 1;');
    write(
      'libs/plain/src/used.ts',
      'export const used = 1; export const plantedExport = 2; export type PlantedType = 1;',
    );
    write('libs/plain/src/index.ts', `export { used, used as plantedOfLibrary } from './used.js';`);
    write('apps/one/package.json', { dependencies: { '@turnkeeper/plain': '*', 'planted-package': '1.0.0' } });
    const found = deadCode(root);
    for (const planted of ['planted-file.ts', 'plantedExport', 'PlantedType', 'plantedOfLibrary', 'planted-package']) {
      expect(found).toContain(planted);
    }
  });
});
