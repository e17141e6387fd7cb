import { execFile } from 'node:child_process';
import { cp, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const SOURCES = fileURLToPath(new URL('../../../../libs/python', import.meta.url));

/** One test of pytest. */
export interface PythonTest {
  readonly name: string;
  readonly outcome: 'passed' | 'failed' | 'skipped';
  /** Why it failed. */
  readonly text: string;
}

/**
 * The Python package as its users have it: a wheel, installed into an environment of its own. `npm test` sets TK_PYTHON to
 * an interpreter that has httpx, pytest and setuptools, from which the environment takes them: no index is asked.
 */
export class PythonPackage {
  private constructor(private readonly folder: string) {}

  static async install(): Promise<PythonPackage> {
    const folder = await mkdtemp(join(tmpdir(), 'turnkeeper-python-'));
    const made = new PythonPackage(folder);
    // A copy: setuptools writes beside the sources.
    await cp(SOURCES, join(folder, 'sources'), { recursive: true });
    await run(process.env['TK_PYTHON'] || 'python3', ['-m', 'venv', '--system-site-packages', join(folder, 'env')]);
    const offline = ['--no-index', '--no-deps', '--disable-pip-version-check'];
    const wheels = join(folder, 'wheels');
    await made.python(['-m', 'pip', 'wheel', ...offline, '--no-build-isolation', '--wheel-dir', wheels, './sources']);
    const [wheel = ''] = await readdir(wheels);
    await made.python(['-m', 'pip', 'install', ...offline, join(wheels, wheel)]);
    // What is left of the sources are the tests and the README: they must find the installed package.
    await rm(join(folder, 'sources/src'), { recursive: true });
    return made;
  }

  /** Runs Python in its environment, and returns what it prints. */
  async python(args: readonly string[], settings: Readonly<Record<string, string>> = {}): Promise<string> {
    const env = { ...process.env, PYTHONDONTWRITEBYTECODE: '1', PYTHONUTF8: '1', ...settings };
    const options = { cwd: this.folder, env, timeout: 300_000, maxBuffer: 64 * 1_024 * 1_024 };
    return (await run(join(this.folder, 'env/bin/python'), args, options)).stdout;
  }

  /** Runs the tests of the package against a server. */
  async test(settings: Readonly<Record<string, string>>): Promise<PythonTest[]> {
    const report = join(this.folder, 'report.ndjson');
    const pytest = ['-m', 'pytest', '--quiet', '--rootdir', 'sources', 'sources/tests'];
    // Its exit code says what the report says.
    const given = { ...settings, TURNKEEPER_TEST_REPORT: report };
    const ended = await this.python(pytest, given).catch(
      (error: { stdout?: string; stderr?: string }) => `${error.stdout ?? ''}${error.stderr ?? ''}`,
    );
    const lines = (await readFile(report, 'utf8').catch(() => '')).split('\n').filter((line) => line !== '');
    if (lines.length === 0) throw new Error(`pytest ran no test:\n${ended}`);
    return lines.map((line) => JSON.parse(line) as PythonTest);
  }

  async remove(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
  }
}
