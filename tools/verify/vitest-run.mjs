import { join } from 'node:path';
import { run } from '../shared/command.mjs';
import { readJson } from '../shared/json-file.mjs';
import { workspaceRoot } from '../shared/workspace.mjs';

/**
 * @typedef {{ passed: number, failed: number, skipped: number, ok: boolean, why?: string, output: string }} Outcome
 */

/**
 * Runs test projects and counts.
 *
 * @param {readonly string[]} projects
 * @param {{ env: NodeJS.ProcessEnv, folder: string, onLine?: (line: string) => void }} options `folder` for the report
 * @returns {Promise<Outcome>}
 */
export const runTests = async (projects, { env, folder, onLine }) => {
  const report = join(folder, `vitest-${projects.join('-')}-${process.hrtime.bigint()}.json`);
  const args = [
    join(workspaceRoot, 'node_modules', 'vitest', 'vitest.mjs'),
    'run',
    ...projects.flatMap((project) => ['--project', project]),
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
  ];
  const { code, output } = await run(process.execPath, args, { env: { ...env, NO_COLOR: '1' }, onLine });
  return { ...outcomeOf(code, readJson(report)), output };
};

/**
 * The result of a run. A run without tests is a failure: the tests were not found. A file that could not be loaded has
 * no tests to count, and counts as one failure.
 *
 * @param {number} code
 * @param {any} report of vitest's JSON reporter; undefined if it wrote none
 * @returns {Omit<Outcome, 'output'>}
 */
export const outcomeOf = (code, report) => {
  if (!report)
    return { passed: 0, failed: 1, skipped: 0, ok: false, why: `vitest ended with code ${code} and wrote no report` };
  const unloadable = report.testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0,
  );
  const counts = {
    passed: report.numPassedTests,
    failed: report.numFailedTests + unloadable.length,
    skipped: report.numPendingTests + report.numTodoTests,
  };
  if (report.numTotalTests === 0) return { ...counts, failed: counts.failed || 1, ok: false, why: 'no test was found' };
  if (counts.failed > 0) return { ...counts, ok: false };
  if (code !== 0) return { ...counts, failed: 1, ok: false, why: `vitest ended with code ${code}` };
  return { ...counts, ok: true };
};
