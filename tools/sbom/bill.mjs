import { spawn } from 'node:child_process';
import { workspaceRoot } from '../shared/workspace.mjs';

/** npm's progress goes to stderr; stdout has only the SBOM. @returns {Promise<string>} */
export const bill = () =>
  new Promise((resolve, reject) => {
    // `--omit dev` would also omit runtime packages that a development package needs as well, such as pg.
    const args = ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'];
    const npm = spawn('npm', args, { cwd: workspaceRoot, stdio: ['ignore', 'pipe', 'pipe'] });
    let out = '';
    let said = '';
    npm.stdout.setEncoding('utf8').on('data', (text) => (out += text));
    npm.stderr.setEncoding('utf8').on('data', (text) => (said += text));
    npm.once('error', reject);
    npm.once('close', (code) =>
      code === 0 ? resolve(withoutDevelopment(out)) : reject(new Error(`npm sbom failed.\n${said}`)),
    );
  });

const withoutDevelopment = (text) => {
  const { components, dependencies, ...rest } = JSON.parse(text);
  const kept = components.filter(({ properties = [] }) => !properties.some(({ name }) => name === DEVELOPMENT));
  const refs = new Set([rest.metadata.component['bom-ref'], ...kept.map((component) => component['bom-ref'])]);
  const links = dependencies.filter(({ ref }) => refs.has(ref));
  return JSON.stringify({
    ...rest,
    components: kept,
    dependencies: links.map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((on) => refs.has(on)) })),
  });
};
const DEVELOPMENT = 'cdx:npm:package:development';
