import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../shared/command.mjs';
import { workspaceRoot } from '../shared/workspace.mjs';

const folder = join(workspaceRoot, 'tools', 'docs-site');
export const siteFolder = join(workspaceRoot, 'dist', 'docs-site');

/** The generator is large, so `npm start` does not install it. */
const installSite = async (onLine) => {
  const { code, output } = await run('npm', ['ci', '--no-audit', '--no-fund', '--ignore-scripts'], {
    cwd: folder,
    onLine,
  });
  if (code !== 0) throw new Error(`npm ci failed in tools/docs-site:\n${output}`);
};

/** Builds the site into dist/docs-site. A link to a page that does not exist fails the build. */
export const buildSite = async (onLine) => {
  const program = join(folder, 'node_modules', 'vitepress', 'bin', 'vitepress.js');
  if (!existsSync(program)) await installSite(onLine);
  return run(process.execPath, [program, 'build', folder], { onLine });
};
