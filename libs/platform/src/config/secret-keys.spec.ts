import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { InvalidSettings } from './define-settings.js';
import { readSecretKeys } from './secret-keys.js';

const keyOf = (letter: string): string => Buffer.alloc(32, letter).toString('base64');
const [A, B, C] = ['a', 'b', 'c'].map(keyOf) as [string, string, string];
const bytes = (...keys: string[]) => keys.map((key) => Buffer.from(key, 'base64'));
const file = (text: string): string => {
  const path = join(mkdtempSync(join(tmpdir(), 'keys-')), 'key');
  writeFileSync(path, text);
  return path;
};

describe('readSecretKeys', () => {
  it('returns the key followed by older ones', () => {
    expect(readSecretKeys({ SECRETS_KEY: A, SECRETS_OLD_KEYS: `${B}, ${C}` })).toEqual({
      keys: bytes(A, B, C),
      sealing: true,
    });
  });

  it('reads keys from a file, one per line, if no key is given', () => {
    const SECRETS_KEY_FILE = file(`${A}\n${B}\n`);
    expect(readSecretKeys({ SECRETS_KEY_FILE }).keys).toEqual(bytes(A, B));
    expect(readSecretKeys({ SECRETS_KEY_FILE, SECRETS_KEY: C }).keys).toEqual(bytes(C));
  });

  it('requires no key for plain text and keeps given keys for reading', () => {
    expect(readSecretKeys({ SECRETS_AT_REST: 'plaintext' })).toEqual({ keys: [], sealing: false });
    expect(readSecretKeys({ SECRETS_AT_REST: 'plaintext', SECRETS_KEY: A }).keys).toEqual(bytes(A));
  });

  it.each([
    ['SECRETS_KEY', {}],
    ['SECRETS_KEY', { SECRETS_OLD_KEYS: A }],
    ['SECRETS_KEY', { SECRETS_KEY: 'hunter2hunter2' }],
    ['SECRETS_OLD_KEYS', { SECRETS_KEY: A, SECRETS_OLD_KEYS: `${B},hunter2` }],
    ['SECRETS_KEY_FILE', { SECRETS_KEY_FILE: '/nowhere/hunter2.key' }],
    ['SECRETS_KEY_FILE', { SECRETS_KEY_FILE: file('') }],
    ['SECRETS_KEY_FILE', { SECRETS_KEY_FILE: file('hunter2') }],
  ])('rejects a missing or malformed key by name, without the value: %s %#', (name, environment) => {
    expect(() => readSecretKeys(environment)).toThrow(InvalidSettings);
    expect(() => readSecretKeys(environment)).toThrow(new RegExp(`^Settings that stop the start: ${name} `));
    expect(() => readSecretKeys(environment)).not.toThrow('hunter2');
  });
});
