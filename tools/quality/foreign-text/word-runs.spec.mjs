import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { workspaceRoot } from '../../shared/workspace.mjs';
import { linesIn, listOf } from './word-runs.mjs';

const list = readFileSync(new URL('word-runs.bin', import.meta.url));
const TEXT = ['*.ts', '*.tsx', '*.mjs', '*.md', '*.txt', '*.sql', '*.py', '*.yml', '*.yaml'];

describe('sentences of the data sets that quality is measured on', () => {
  it('are not in this repository', () => {
    const files = execFileSync('git', ['ls-files', ...TEXT], { cwd: workspaceRoot, encoding: 'utf8' }).split('\n');
    const found = files
      .filter((file) => file !== '')
      .flatMap((file) =>
        linesIn(list, readFileSync(join(workspaceRoot, file), 'utf8')).map((line) => `${file}:${line}`),
      );
    expect(found).toEqual([]);
  }, 120_000);

  it('are found by seven words in a row, whatever their case and punctuation', () => {
    const own = listOf(['The heron that lives by our canal caught a remarkably large eel this morning.']);
    const near = 'x\n// heron, that lives by OUR canal: caught a large eel\n';
    expect(linesIn(own, near)).toEqual([2]);
    expect(linesIn(own, 'The heron that lives by our pond caught a remarkably small eel.')).toEqual([]);
  });
});
