import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { RUNTIMES } from '@turnkeeper/testing';
import { expect, it } from 'vitest';

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '../../..');

it('keeps memories in a file with the SQLite of the current LTS of Node', async () => {
  const test = ['run', '--project', 'unit', '--no-color', 'libs/short-term-memory/src/file.spec.ts'];
  const { stdout } = await run(RUNTIMES.node(), [join(ROOT, 'node_modules/vitest/vitest.mjs'), ...test], { cwd: ROOT });
  expect(stdout).toMatch(/Tests {2}\d{2,} passed \(\d+\)/);
});
