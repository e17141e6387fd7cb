import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { workspaceRoot } from '../shared/workspace.mjs';

const FOLDER = join(workspaceRoot, 'docs', 'operate');
const pages = readdirSync(FOLDER).filter((name) => name.endsWith('.md'));

/** Languages whose blocks `operate-pages.ingest.e2e.spec.ts` runs; blocks without a language are configuration. */
const RUN = ['bash', 'sql'];
const NOT_RUN = /^_Not run by the tests: .+_$/;

/** Blocks of commands that no test runs and that do not say so. */
const unmarked = (text) => {
  const lines = text.split('\n');
  const faults = [];
  let open = false;
  let paragraph = '';
  for (const [index, line] of lines.entries()) {
    const fence = /^ *```(\w*)$/.exec(line);
    if (fence !== null) {
      const [, language] = fence;
      const fine = language === '' || RUN.includes(language) || (language === 'sh' && NOT_RUN.test(paragraph));
      if (!open && !fine) faults.push(`line ${index + 1}: ${language}`);
      open = !open;
      paragraph = '';
    } else if (!open && line.trim() !== '') {
      paragraph = lines[index - 1]?.trim() ? `${paragraph} ${line.trim()}` : line.trim();
    }
  }
  return faults;
};

describe('commands on the pages for operators', () => {
  it.each(pages)('%s: are run by a test, or marked as not run', (page) => {
    expect(unmarked(readFileSync(join(FOLDER, page), 'utf8'))).toEqual([]);
  });

  it.each([
    ['Do this:\n\n```sh\nrm -r x\n```', ['line 3: sh']],
    ['_Not run by the tests: deletes x._\n\n```sh\nrm -r x\n```', []],
    ['_Not run by the tests: deletes x._\n\nThen:\n\n```sh\nrm -r x\n```', ['line 5: sh']],
    ['1. Go:\n\n   _Not run by the tests: needs\n   systemd._\n\n   ```sh\n   systemctl\n   ```', []],
    ['```yaml\na: b\n```', ['line 1: yaml']],
  ])('finds an unmarked block: %j', (text, faults) => expect(unmarked(text)).toEqual(faults));
});
