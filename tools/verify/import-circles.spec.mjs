import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { workspaceRoot } from '../shared/workspace.mjs';
import { importCircles } from './import-circles.mjs';

it.each(['apps', 'libs', 'tools', 'bench', 'examples'])('no files of %s import each other in a circle', (folder) => {
  expect(importCircles(join(workspaceRoot, folder))).toEqual([]);
});

describe('a planted circle', () => {
  let root;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'turnkeeper-circle-'));
    mkdirSync(join(root, 'inner'));
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));
  const write = (name, text) => writeFileSync(join(root, name), text);

  it('is found through types, re-exports, dynamic imports, and names without extension', () => {
    write('a.ts', `import type { B } from './inner/b.js';`);
    write('inner/b.ts', `export * from '../c';`);
    write('c.tsx', `const a = () => import('./a.js');`);
    expect(importCircles(root)).toEqual(['a.ts → c.tsx → inner/b.ts'].map(expectSameFiles));
  });

  it('is found in a file that imports itself', () => {
    write('a.ts', `import { a } from './a.js';`);
    expect(importCircles(root)).toEqual(['a.ts']);
  });

  it('is not seen where two files import a third', () => {
    write('a.ts', `import './b.js'; import './c.js';`);
    write('b.ts', `import './c.js';`);
    write('c.ts', `import 'vitest'; export const text = "import './a.js'";`);
    expect(importCircles(root)).toEqual([]);
  });
});

/** The order within a circle depends on where the search began. */
const expectSameFiles = (circle) =>
  expect.toSatisfy((found) => found.split(' → ').sort().join() === circle.split(' → ').sort().join());
