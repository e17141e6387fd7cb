import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const dependenciesOf = (folder: string): string[] => {
  const file = new URL(`../../../../${folder}/package.json`, import.meta.url);
  const { dependencies = {} } = JSON.parse(readFileSync(file, 'utf8')) as { dependencies?: Record<string, string> };
  return Object.keys(dependencies);
};

it('the command line tool contains no code that could call a model', () => {
  const reached = new Set<string>();
  const follow = (folder: string): void => {
    for (const name of dependenciesOf(folder)) {
      if (reached.has(name)) continue;
      reached.add(name);
      if (name.startsWith('@turnkeeper/')) follow(name.replace('@turnkeeper', 'libs'));
    }
  };
  follow('apps/cli');
  expect(reached).toContain('@turnkeeper/postgres');
  expect(reached).not.toContain('@turnkeeper/extraction');
});
