import { join } from 'node:path';
import { lastLines, run } from '../shared/command.mjs';
import { workspaceRoot } from '../shared/workspace.mjs';

/**
 * Runs `turnkeeper log audit` and `turnkeeper rebuild --check`.
 *
 * @param {NodeJS.ProcessEnv} env with the owner's login
 * @returns {Promise<string[]>} what they found
 */
export const verifyLog = async (env) => {
  const faults = [];
  for (const args of [
    ['log', 'audit'],
    ['rebuild', '--check'],
  ]) {
    const main = join(workspaceRoot, 'apps', 'cli', 'dist', 'main.js');
    const { code, output } = await run(process.execPath, [main, ...args], { env });
    if (code !== 0) faults.push(`turnkeeper ${args.join(' ')} ended with ${code}: ${lastLines(output, 10)}`);
  }
  return faults;
};
