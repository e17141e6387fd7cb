import { cli } from '../dev/command-line.mjs';

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
    await cli(args, env).catch(({ message }) => faults.push(message));
  }
  return faults;
};
