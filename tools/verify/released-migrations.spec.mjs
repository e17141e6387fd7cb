import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { workspaceRoot } from '../shared/workspace.mjs';

/**
 * Migrations that existing databases have run, in this order; add to it with every release. A database refuses to start
 * if one of them is missing or another one was inserted before the last.
 */
const RELEASED = { 'libs/postgres/migrations': ['0790_baseline'] };

describe('released migrations', () => {
  it.each(Object.entries(RELEASED))('exist, and precede newer ones: %s', (folder, released) => {
    const names = readdirSync(join(workspaceRoot, folder))
      .filter((name) => name.endsWith('.sql'))
      .map((name) => name.slice(0, -'.sql'.length))
      .sort();
    expect(names.slice(0, released.length)).toEqual(released);
  });
});
