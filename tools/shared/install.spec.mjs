import { describe, expect, it } from 'vitest';
import { checkNode, isInstalled } from './install.mjs';

const lock = {
  packages: {
    '': { name: 'root' },
    'libs/domain': { version: '0.1.0' },
    'node_modules/@turnkeeper/domain': { resolved: 'libs/domain', link: true },
    'node_modules/zod': { version: '4.6.7' },
    'node_modules/only-on-macos': { version: '1.0.0', optional: true },
  },
};
const installed = (packages) => ({ packages: { 'node_modules/@turnkeeper/domain': { link: true }, ...packages } });

describe('the installed packages', () => {
  it('are up to date if each has the version of the lock file', () => {
    expect(isInstalled(lock, installed({ 'node_modules/zod': { version: '4.6.7' } }))).toBe(true);
  });
  it('are outdated if one has another version', () => {
    expect(isInstalled(lock, installed({ 'node_modules/zod': { version: '4.6.6' } }))).toBe(false);
  });
  it('are outdated if one is missing', () => expect(isInstalled(lock, installed({}))).toBe(false));
  it('are outdated if a workspace is not linked', () => {
    expect(isInstalled(lock, { packages: { 'node_modules/zod': { version: '4.6.7' } } })).toBe(false);
  });
  it('are outdated if npm was interrupted', () => expect(isInstalled(lock, undefined)).toBe(false));
});

describe('the version of Node', () => {
  it.each(['20.19.0', '20.20.2', '22.12.0', '24.1.0'])('%s is supported', (version) => {
    expect(() => checkNode(version)).not.toThrow();
  });
  it.each(['18.20.0', '20.18.9', '21.7.0', '22.11.0'])('%s is rejected', (version) => {
    expect(() => checkNode(version)).toThrow(/needs 20.19/);
  });
});
