import { cpSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { localProgram, run } from '../shared/command.mjs';
import { workspaceRoot } from '../shared/workspace.mjs';

/**
 * Violations, each in its own file, and the words of lint's expected error: an import that breaks the dependency rule,
 * or source text.
 */
const PLANTED = [
  {
    file: 'libs/domain/src/planted-package.ts',
    from: '@nestjs/common',
    says: 'not allowed to import "@nestjs/common"',
  },
  { file: 'libs/domain/src/planted-builtin.ts', from: 'node:crypto', says: "'node:crypto' import is restricted" },
  { file: 'libs/domain/src/planted-circle.ts', from: '@turnkeeper/application', says: 'Circular dependency' },
  {
    file: 'libs/messaging/src/planted-sibling.ts',
    from: '@turnkeeper/jobs',
    says: '"layer:adapter" can only depend on',
  },
  { file: 'apps/ingest/src/planted-driver.ts', from: 'pg', says: 'not allowed to import "pg"' },
  { file: 'libs/runtime/src/planted-driver.ts', from: 'typeorm', says: 'not allowed to import "typeorm"' },
  {
    file: 'apps/ingest/src/planted-app.ts',
    from: '../../worker/src/main.js',
    says: 'cannot be imported by a relative',
  },
  {
    file: 'apps/ingest/src/planted-pattern.ts',
    source: 'export const used = /^([^/]+)([^/]+)([^/]+)X$/;',
    says: 'can be exploited to cause at least polynomial backtracking',
  },
  {
    file: 'apps/ingest/src/planted-vendor.ts',
    source: "export const used = (vendor: string) => vendor === 'zegocloud';",
    says: 'belongs in its folder in libs/vendors',
  },
  {
    file: 'apps/ingest/src/planted-promise.ts',
    source: 'export const used = async (): Promise<void> => {};\nused();',
    says: 'Promises must be awaited',
  },
  { file: 'apps/ingest/src/planted-test-kit.ts', from: '@turnkeeper/testing', says: '"layer:app" can only depend on' },
];

const COPIED = ['apps', 'libs', 'package.json', 'package-lock.json', 'nx.json', 'eslint.config.mjs'];
const LEFT_OUT = new Set(['node_modules', 'dist']);

/**
 * Lints as `npm run lint` does. Nx fails open: without its project graph, the boundary rule accepts everything. The first
 * command makes the graph.
 *
 * @param {readonly string[]} places
 * @param {object} options of `run`
 */
export const lint = async (places, options) => {
  const settings = { background: true, env: lintEnvironment(), ...options };
  await run(localProgram('nx'), ['show', 'projects'], settings);
  return run(localProgram('eslint'), [...places, '--max-warnings', '0'], settings);
};

/**
 * Plants the violations in a copy of the workspace and lints them: this proves that lint is effective. The workspace itself is not touched, so a crash leaves
 * nothing to clean up.
 *
 * @returns {Promise<string[]>} a line for each violation that lint accepted; empty is good
 */
export const missedViolations = async () => {
  const copy = mkdtempSync(join(tmpdir(), 'turnkeeper-planted-'));
  try {
    copyWorkspace(copy);
    for (const { file, from, source } of PLANTED) {
      const text = source ?? `import * as planted from '${from}';\nexport const used = planted;`;
      writeFileSync(join(copy, file), `${text}\n`);
    }
    const { output } = await lint(
      PLANTED.map(({ file }) => file),
      { cwd: copy },
    );
    return PLANTED.filter((planted) => !isRefused(output, planted)).map(
      ({ file, from, source }) =>
        `${file} ${source === undefined ? `imports ${from}` : `has ${source}`}, and lint let it pass`,
    );
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
};

/** ESLint prints a block per file: its path, its problems, an empty line. */
export const isRefused = (output, { file, says }) =>
  output
    .split(/\n(?=\/)/)
    .filter((block) => block.split('\n')[0].endsWith(file))
    .some((block) => block.includes(says));

/** Without the daemon, colours and the real workspace's cache. */
export const lintEnvironment = () => ({
  ...process.env,
  NX_DAEMON: 'false',
  NX_TUI: 'false',
  TK_LINT: 'all',
  FORCE_COLOR: '0',
});

const copyWorkspace = (copy) => {
  const tsconfigs = readdirSync(workspaceRoot).filter((name) => /^tsconfig.*\.json$/.test(name));
  const filter = (source) => !LEFT_OUT.has(basename(source)) && !source.endsWith('.spec.ts');
  for (const name of [...COPIED, ...tsconfigs])
    cpSync(join(workspaceRoot, name), join(copy, name), { recursive: true, filter });
  symlinkSync(join(workspaceRoot, 'node_modules'), join(copy, 'node_modules'));
};
