import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { workspaceRoot } from '../shared/workspace.mjs';

const PAGES = [
  ...['README.md', 'CONTRIBUTING.md', 'bench/README.md'],
  ...['docs', 'docs/adr'].flatMap((folder) =>
    readdirSync(join(workspaceRoot, folder))
      .filter((name) => name.endsWith('.md'))
      .map((name) => `${folder}/${name}`),
  ),
];

/**
 * Code spans that name our own files, such as `libs/domain/src/x.ts`, `apps/ingest`,
 * `libs/…/migrations/*_append_events.sql`.
 */
const NAMED = /`((?:apps|libs|tools|bench|deploy|docs)\/[\w./*-]+)`/g;
/** `libs/domain/src/x.ts`, `y.ts`: the second file is beside the first. */
const NAMED_BESIDE = /`((?:apps|libs|tools|bench|deploy|docs)\/[\w./-]+\/)[\w.-]+\.\w+`, `([\w.-]+\.\w+)`/g;

const exists = (path) => {
  if (!path.includes('*')) return existsSync(join(workspaceRoot, path));
  const folder = join(workspaceRoot, dirname(path));
  const [before, after] = path.slice(dirname(path).length + 1).split('*');
  return existsSync(folder) && readdirSync(folder).some((name) => name.startsWith(before) && name.endsWith(after));
};

describe('files named in the documentation', () => {
  it.each(PAGES)('exist: %s', (page) => {
    const text = readFileSync(join(workspaceRoot, page), 'utf8');
    const named = [
      ...[...text.matchAll(NAMED)].map(([, path]) => path),
      ...[...text.matchAll(NAMED_BESIDE)].map(([, folder, name]) => `${folder}${name}`),
    ];
    expect(named.filter((path) => !exists(path))).toEqual([]);
  });
});

describe('architecture decisions', () => {
  const pages = PAGES.filter((page) => /^docs\/adr\/\d/.test(page));
  const index = readFileSync(join(workspaceRoot, 'docs/adr/README.md'), 'utf8');
  // Smaller decisions have an entry in the log of the index instead of a page.
  const logged = [...index.matchAll(/^- \*\*(\d{4})\*\* /gm)].map(([, number]) => number);
  const paged = pages.map((page) => page.slice('docs/adr/'.length, 'docs/adr/'.length + 4));
  const numbers = new Set([...paged, ...logged]);

  it('have a page or one entry in the log', () => {
    expect(numbers.size).toBe(paged.length + logged.length);
  });

  it('named in code and pages exist', () => {
    const files = execFileSync('git', ['ls-files', '*.ts', '*.tsx', '*.mjs', '*.md'], {
      cwd: workspaceRoot,
      encoding: 'utf8',
    });
    const cited = files
      .trim()
      .split('\n')
      .filter((file) => file !== 'CHANGELOG.md' && exists(file))
      .flatMap((file) => {
        const text = readFileSync(join(workspaceRoot, file), 'utf8');
        return [...text.matchAll(/(?:\bADR |docs\/adr\/)(\d{4})\b/g)].map(([, number]) => ({ file, number }));
      });
    expect(cited.length).toBeGreaterThan(0);
    expect(cited.filter(({ number }) => !numbers.has(number))).toEqual([]);
  });

  it.each(pages)('have a number, a status and one row in the index: %s', (page) => {
    const name = page.slice('docs/adr/'.length);
    const text = readFileSync(join(workspaceRoot, page), 'utf8');
    expect(text).toMatch(new RegExp(`^# ${name.slice(0, 4)}\\. \\S`));
    expect(text).toMatch(/^- Status: \S/m);
    expect(index.split(`](${name})`)).toHaveLength(2);
    const cited = [...text.matchAll(/\b(?:ADR )?\(?(?<=ADR |\()(0\d{3})\b/g)].map(([, number]) => number);
    expect(cited.filter((number) => !numbers.has(number))).toEqual([]);
  });
});
