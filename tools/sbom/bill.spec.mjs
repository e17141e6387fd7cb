import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { workspaceRoot } from '../shared/workspace.mjs';
import { bill } from './bill.mjs';

it('the SBOM has the runtime packages with their versions, and no development package', async () => {
  const { bomFormat, components } = JSON.parse(await bill());
  const versions = new Map(components.map(({ name, version }) => [name, version]));
  const { dependencies, devDependencies } = JSON.parse(readFileSync(join(workspaceRoot, 'package.json'), 'utf8'));
  expect(bomFormat).toBe('CycloneDX');
  for (const [name, version] of Object.entries(dependencies))
    expect([name, versions.get(name)]).toEqual([name, version]);
  expect(
    Object.keys(devDependencies).filter((name) => ['vitest', 'eslint', 'nx'].includes(name) && versions.has(name)),
  ).toEqual([]);
}, 30_000);
