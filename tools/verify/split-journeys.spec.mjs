import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { workspaceRoot } from '../shared/workspace.mjs';
import { ON_ONE_QUEUE, fileOf, runElsewhere } from './split-journeys.mjs';

const names = Object.values(ON_ONE_QUEUE).flat();

describe('journeys on one queue backend', () => {
  it('exist, and run on exactly one', () => {
    expect(names.filter((name) => !existsSync(join(workspaceRoot, fileOf(name))))).toEqual([]);
    const left = ['redis', 'postgres'].flatMap((queue) => runElsewhere({ TK_E2E_SPLIT: 'on', TK_E2E_QUEUE: queue }));
    expect(left.sort()).toEqual(names.map(fileOf).sort());
  });

  it('run on whichever backend is asked for outside of npm test', () => {
    expect(runElsewhere({ TK_E2E_QUEUE: 'postgres' })).toEqual([]);
  });
});
