import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { blocksOf } from './page-commands.js';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
const MODULES = join(ROOT, 'node_modules');
const COMPILER = join(MODULES, 'typescript-7/bin/tsc');
const OPTIONS = {
  strict: true,
  target: 'es2023',
  lib: ['es2023', 'dom', 'dom.iterable'],
  module: 'nodenext',
  types: ['node'],
  typeRoots: [join(MODULES, '@types')],
  // The published declarations must compile on their own.
  skipLibCheck: false,
};
/** Both say that a package is ESM only: it cannot be resolved by what does not know `exports`. */
const ESM_ONLY = new Set(['NoResolution/node10', 'CJSResolvesToESM/node16-cjs']);

/** Peers that the READMEs tell to install: links to those of the workspace, which saves downloads. */
const PEERS = [
  ...['libsql', 'ai', '@openai/agents-core'],
  ...['@langchain/core', '@langchain/langgraph', '@langchain/langgraph-checkpoint'],
];

/** An empty project that has the packed libraries installed. */
export class ProjectOfUser {
  private constructor(
    readonly folder: string,
    readonly tarballs: readonly string[],
  ) {}

  static async create(): Promise<ProjectOfUser> {
    const folder = await mkdtemp(join(tmpdir(), 'turnkeeper-user-'));
    const packs = join(folder, 'packs');
    const { stdout } = await run(process.execPath, [join(ROOT, 'tools/packages/pack.mjs'), packs], { cwd: ROOT });
    const tarballs = stdout.trim().split('\n');
    await writeFile(join(folder, 'package.json'), '{ "name": "app", "private": true, "type": "module" }');
    const { version } = JSON.parse(await readFile(join(MODULES, 'zod/package.json'), 'utf8')) as { version: string };
    const quiet = ['--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts', '--legacy-peer-deps'];
    // The version of zod that is in npm's cache already.
    await run('npm', ['install', ...quiet, ...tarballs, `zod@${version}`], { cwd: folder });
    for (const peer of PEERS) {
      const link = join(folder, 'node_modules', peer);
      await mkdir(dirname(link), { recursive: true });
      await symlink(join(MODULES, peer), link);
    }
    return new ProjectOfUser(folder, tarballs);
  }

  async remove(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
  }

  installed(): Promise<string[]> {
    return readdir(join(this.folder, 'node_modules', '@turnkeeper'));
  }

  /**
   * Code of a package's README. Blocks `ts` are one program, to be run; each `ts example` continues it and is only
   * compiled.
   */
  async samplesOf(name: string): Promise<{ program: string; examples: string[] }> {
    const readme = await readFile(join(this.folder, 'node_modules/@turnkeeper', name, 'README.md'), 'utf8');
    const blocks = [...readme.matchAll(/^```ts( example)?\n([\s\S]*?)^```$/gm)];
    const program = blocks.flatMap(([, example, code = '']) => (example === undefined ? [code] : [])).join('\n');
    const examples = blocks.flatMap(([, example, code = '']) => (example === undefined ? [] : [`${program}\n${code}`]));
    return { program, examples };
  }

  /** The lines of the README's shell blocks, with the reader's own values in place of the printed ones. */
  async commandsOf(name: string, values: Readonly<Record<string, string>>): Promise<string[]> {
    const readme = await readFile(join(this.folder, 'node_modules', name, 'README.md'), 'utf8');
    const lines = blocksOf(readme, 'sh').flatMap((block) => block.trim().split('\n'));
    const entries = Object.entries(values);
    return lines.map((line) => entries.reduce((text, [printed, value]) => text.replace(printed, value), line));
  }

  /**
   * The compiler's errors for these programs; empty if they compile.
   *
   * @param extra `skipLibCheck` for programs that use third-party declarations with errors
   */
  async compile(
    programs: Readonly<Record<string, string>>,
    extra: { readonly skipLibCheck?: boolean } = {},
  ): Promise<string> {
    const names = Object.keys(programs);
    for (const [name, code] of Object.entries(programs)) await writeFile(join(this.folder, `${name}.ts`), code);
    const config = { compilerOptions: { ...OPTIONS, ...extra }, files: names.map((name) => `${name}.ts`) };
    await writeFile(join(this.folder, 'tsconfig.json'), JSON.stringify(config));
    return run(process.execPath, [COMPILER, '--project', 'tsconfig.json'], { cwd: this.folder }).then(
      () => '',
      (error: { stdout: string }) => error.stdout,
    );
  }

  /** Path of a command that an installed package brings. */
  command(name: string): string {
    return join(this.folder, 'node_modules/.bin', name);
  }

  /** Whether each of these modules exports something to a CommonJS program. */
  async exportsByRequire(modules: readonly string[], runtime: string): Promise<boolean[]> {
    const program = `console.log(JSON.stringify(${JSON.stringify(modules)}.map((m) => Object.keys(require(m)).length > 0)))`;
    await writeFile(join(this.folder, 'required.cjs'), program);
    return JSON.parse((await run(runtime, ['required.cjs'], { cwd: this.folder })).stdout) as boolean[];
  }

  /** @param runtime the program that runs it */
  async run(name: string, env: Readonly<Record<string, string>>, runtime: string): Promise<string> {
    const options = { cwd: this.folder, env: { PATH: process.env['PATH'] ?? '', ...env }, timeout: 60_000 };
    return (await run(runtime, [join(this.folder, `${name}.js`)], options)).stdout;
  }
}

/** Runs an example of the repository with an input, and returns the lines of its output. */
export const runExample = async (
  path: string,
  env: Readonly<Record<string, string>>,
  input: string,
): Promise<string[]> => {
  const options = { env: { PATH: process.env['PATH'] ?? '', ...env }, timeout: 60_000 };
  const example = run(process.execPath, [join(ROOT, 'examples', path)], options);
  example.child.stdin?.end(input);
  return (await example).stdout.trim().split('\n');
};

/** Faults of a tarball that its users would meet. */
export const faultsOf = async (tarball: string): Promise<string[]> => {
  const bytes = new Uint8Array(await readFile(tarball));
  const types = await checkPackage(createPackageFromTarballData(bytes));
  const problems = types.types === false ? [NO_TYPES] : types.problems.map(describeProblem);
  const { messages, pkg } = await publint({ pack: { tarball: bytes.buffer }, strict: true });
  return [
    ...problems.filter((problem) => !ESM_ONLY.has(problem) && !(problem === NO_TYPES && isCommand(pkg))),
    ...messages.map((message) => formatMessage(message, pkg, { color: false }) ?? message.code),
  ];
};

const NO_TYPES = 'no types';
/** A package without anything to import. */
const isCommand = ({ bin, exports }: { bin?: unknown; exports?: object }): boolean =>
  bin !== undefined && Object.keys(exports ?? {}).join() === './package.json';

const describeProblem = (problem: { kind: string; resolutionKind?: unknown }): string =>
  `${problem.kind}/${String(problem.resolutionKind ?? '')}`;
