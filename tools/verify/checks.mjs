import { join } from 'node:path';
import { localProgram, run } from '../shared/command.mjs';
import { workspaceRoot } from '../shared/workspace.mjs';
import { lint, lintEnvironment, missedViolations } from './planted-violation.mjs';
import { runTests } from './vitest-run.mjs';

/**
 * The checks, in order.
 *
 * @typedef {{ ok: boolean, detail?: string, output?: string, passed?: number, failed?: number, skipped?: number }}
 * Result
 * @typedef {{ name: string, needed?: boolean, check: (context: { env: NodeJS.ProcessEnv, folder: string }, note:
 * Function) => Promise<Result> }} Check
 *   `needed`: later checks are pointless without it
 */

const command =
  (options, program, ...args) =>
  async (_context, note) => {
    const settings = { env: lintEnvironment(), onLine: note, ...options };
    const { code, output } = await run(localProgram(program), args, settings);
    return { ok: code === 0, output };
  };
const foreground = (...words) => command({}, ...words);
/** At low priority, next to tests that depend on leases and deadlines. */
const background = (...words) => command({ background: true }, ...words);

const inOrder =
  (...checks) =>
  async (context, note) => {
    /** @type {Result} */
    let result = { ok: true };
    for (const check of checks) {
      result = await check(context, note);
      if (!result.ok) break;
    }
    return result;
  };

const planted = async () => {
  const missed = await missedViolations();
  const detail = missed.length === 0 ? 'every planted violation is refused' : 'lint let a planted violation pass';
  return { ok: missed.length === 0, detail, output: missed.join('\n') };
};

const tests =
  (projects, extra = {}) =>
  async ({ env, folder }, note) => {
    const outcome = await runTests(projects, { env: { ...env, ...extra }, folder, onLine: note });
    const skipped = outcome.skipped > 0 ? `, ${outcome.skipped} skipped` : '';
    return { ...outcome, detail: outcome.why ?? `${outcome.passed} passed, ${outcome.failed} failed${skipped}` };
  };

const lintAll = async (_context, note) => {
  const places = ['apps', 'libs', 'tools', 'bench', 'eslint.config.mjs'];
  const { code, output } = await lint(places, { onLine: note });
  return { ok: code === 0, output };
};

/** Scripts are JavaScript with types in JSDoc. */
const scriptTypes = (folder) => background('../typescript-7/bin/tsc', '--project', folder);

/** A minute under faults. Few writers: other tests run beside it. */
const SHORT_FAULTS = '--minutes 0.8 --fault-seconds 4 --writers 4 --pause-ms 100 --seed 11'.split(' ');
const shortFaults = async (_context, note) => {
  const args = [join(workspaceRoot, 'tools', 'faults', 'faults.mjs'), ...SHORT_FAULTS];
  const { code, output } = await run(process.execPath, args, { onLine: note });
  return { ok: code === 0, output };
};

/** Installs the packages of a folder, which are too large for `npm start`, before a check. */
const installed = (folder, check) => async (context, note) => {
  const { code, output } = await run('npm', ['ci', '--no-audit', '--no-fund', '--ignore-scripts'], {
    cwd: join(workspaceRoot, 'tools', folder),
    onLine: note,
  });
  return code === 0 ? check(context, note) : { ok: false, output };
};
/** Type check and tests of such a folder. */
const folderOf = (folder, project) => installed(folder, inOrder(scriptTypes(`tools/${folder}`), tests([project])));

/**
 * Stages run in order. Within a stage, lanes run in parallel and each lane's checks in order: end-to-end tests mostly
 * wait, so two lanes of tests leave CPU time for lint.
 *
 * @type {Check[][][]}
 */
export const STAGES = [
  [
    [
      { name: 'build', check: foreground('nx', 'run-many', '-t', 'build'), needed: true },
      { name: 'types', check: foreground('nx', 'run-many', '-t', 'typecheck'), needed: true },
    ],
  ],
  [
    [
      { name: 'tests', check: tests(['unit', 'int']) },
      { name: 'e2e postgres', check: tests(['e2e'], { TK_E2E_QUEUE: 'postgres', TK_E2E_SPLIT: 'on' }) },
      { name: 'faults', check: shortFaults },
    ],
    [
      { name: 'chart', check: folderOf('chart', 'chart') },
      { name: 'docs', check: folderOf('docs-site', 'docs') },
      // Before the end-to-end tests, which use them too.
      { name: 'runtimes', check: installed('runtimes', tests(['runtimes'])) },
      { name: 'python', check: tests(['python'], { TK_E2E_QUEUE: 'postgres' }) },
      { name: 'e2e ingest', check: tests(['e2e-ingest']) },
      { name: 'fresh clone', check: tests(['fresh-clone']) },
      { name: 'e2e redis', check: tests(['e2e'], { TK_E2E_QUEUE: 'redis', TK_E2E_SPLIT: 'on', TK_E2E_NODE: 'lts' }) },
    ],
    [
      { name: 'format', check: background('prettier', '--check', '--no-color', '.') },
      { name: 'script types', check: scriptTypes('tools') },
      { name: 'lint', check: lintAll },
      { name: 'boundaries', check: planted },
    ],
  ],
];
