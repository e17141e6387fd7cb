import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { workspaceRoot } from '../shared/workspace.mjs';
import { distributedPackages, isAllowed, licencesMarkdown, notAllowed, readLock } from './licences.mjs';

const planted = (entries) => distributedPackages({ ...readLock(), ...entries });

describe('licences of the distributed packages', () => {
  it('are all allowed', () => expect(notAllowed(distributedPackages(readLock()))).toEqual([]));

  it('are those of docs/licences.md', async () => {
    const page = licencesMarkdown(distributedPackages(readLock()));
    await expect(page).toMatchFileSnapshot(join(workspaceRoot, 'docs/licences.md'));
  });

  it('include the packages of the services and of the browser bundle, not the tools', () => {
    const names = distributedPackages(readLock()).map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['pg', 'fastify', 'react', 'scheduler', '@mantine/core']));
    expect(names).not.toEqual(expect.arrayContaining(['vitest']));
    expect(names).not.toEqual(expect.arrayContaining(['vite']));
  });

  it.each([
    ['a copyleft licence', { version: '1.0.0', license: 'GPL-3.0-only' }],
    ['a choice between two licences that are not allowed', { version: '1.0.0', license: '(GPL-2.0 OR AGPL-3.0)' }],
    ['two licences of which one is not allowed', { version: '1.0.0', license: 'MIT AND SSPL-1.0' }],
    ['no licence', { version: '1.0.0' }],
    ['a package deep in the tree', { version: '1.0.0', license: 'UNLICENSED' }, 'node_modules/pg/node_modules/planted'],
  ])('finds %s', (_, entry, path = 'node_modules/planted') =>
    expect(notAllowed(planted({ [path]: entry })).map(({ name }) => name)).toEqual(['planted']),
  );

  it('finds a package that only the browser bundle needs', () => {
    const scheduler = { version: '1.0.0', license: 'SSPL-1.0', dev: true };
    expect(notAllowed(planted({ 'node_modules/scheduler': scheduler })).map(({ name }) => name)).toEqual(['scheduler']);
  });

  it('ignores development packages', () =>
    expect(notAllowed(planted({ 'node_modules/planted': { version: '1.0.0', dev: true } }))).toEqual([]));

  it.each([
    ['MIT', true],
    ['(AFL-2.1 OR BSD-3-Clause)', true],
    ['MIT AND ISC', true],
    ['MIT OR (ISC AND GPL-3.0-only)', false],
    ['SEE LICENSE IN LICENSE', false],
  ])('%s: %s', (licence, allowed) => expect(isAllowed(licence)).toBe(allowed));
});
