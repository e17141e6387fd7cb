import { describe, expect, it } from 'vitest';
import { cipherWith, testKey } from '../testing/test-cipher.js';
import { EnvelopeCipher } from './envelope-cipher.js';
import { SecretUnreadable } from './secret-cipher.js';

const PLACE = { table: 'webhook_endpoints', rowId: 'one', column: 'secrets' };
const SECRET = 'whsec_ü-s3cret';
const plain = new EnvelopeCipher({ keys: [testKey('a')], sealing: false });

describe('EnvelopeCipher', () => {
  it('decrypts what it encrypted, without exposing the secret', async () => {
    const sealed = await cipherWith('a').seal(SECRET, PLACE);
    expect(sealed).toMatch(/^enc:v1:[0-9a-f]{16}:[\w-]{16}:[\w-]+$/);
    expect(Buffer.from(sealed.split(':').at(-1)!, 'base64url').toString()).not.toContain('s3cret');
    expect(await cipherWith('a').open(sealed, PLACE)).toBe(SECRET);
  });

  it('encrypts the same secret differently each time', async () => {
    const cipher = cipherWith('a');
    expect(await cipher.seal(SECRET, PLACE)).not.toBe(await cipher.seal(SECRET, PLACE));
  });

  it('encrypts the empty secret', async () => {
    const cipher = cipherWith('a');
    expect(await cipher.open(await cipher.seal('', PLACE), PLACE)).toBe('');
  });

  it.each([
    ['table', { ...PLACE, table: 'connectors' }],
    ['row', { ...PLACE, rowId: 'two' }],
    ['column', { ...PLACE, column: 'key' }],
  ])('rejects a value moved to another %s', async (_, elsewhere) => {
    const sealed = await cipherWith('a').seal(SECRET, PLACE);
    await expect(cipherWith('a').open(sealed, elsewhere)).rejects.toBeInstanceOf(SecretUnreadable);
  });

  it('rejects a value with any part changed', async () => {
    const cipher = cipherWith('a');
    const sealed = await cipher.seal(SECRET, PLACE);
    for (let at = 'enc:v1:'.length; at < sealed.length; at += 1) {
      const changed = sealed.slice(0, at) + (sealed[at] === 'A' ? 'B' : 'A') + sealed.slice(at + 1);
      // The last base64 character may contain unused bits.
      if (at === sealed.length - 1 && Buffer.from(changed, 'base64url').equals(Buffer.from(sealed, 'base64url')))
        continue;
      await expect(cipher.open(changed, PLACE), `${at}`).rejects.toBeInstanceOf(SecretUnreadable);
    }
    for (const cut of [
      'enc:v1:',
      sealed.slice(0, -1),
      sealed.slice(0, -20),
      sealed.slice(0, sealed.lastIndexOf(':')),
    ]) {
      await expect(cipher.open(cut, PLACE)).rejects.toBeInstanceOf(SecretUnreadable);
    }
  });

  it('names the setting if the key is missing, but neither key nor secret', async () => {
    const sealed = await cipherWith('a').seal(SECRET, PLACE);
    const error = await cipherWith('b')
      .open(sealed, PLACE)
      .catch((reason: Error) => reason);
    expect(error).toMatchObject({ code: 'secrets.unreadable', message: expect.stringContaining('SECRETS_OLD_KEYS') });
    expect(String(error)).not.toContain(sealed.split(':').at(-1));
  });

  it('decrypts with older keys after a rotation and reports values not under the newest key', async () => {
    const old = await cipherWith('a').seal(SECRET, PLACE);
    const rotated = cipherWith('b', 'a');
    expect(await rotated.open(old, PLACE)).toBe(SECRET);
    const renewed = await rotated.seal(SECRET, PLACE);
    expect([old, SECRET, renewed].map((stored) => rotated.isCurrent(stored))).toEqual([false, false, true]);
    await expect(cipherWith('a').open(renewed, PLACE)).rejects.toBeInstanceOf(SecretUnreadable);
  });

  it('returns plain text unchanged', async () => {
    expect(await cipherWith('a').open(SECRET, PLACE)).toBe(SECRET);
  });

  it('writes plain text if configured and still decrypts encrypted values', async () => {
    expect(await plain.seal(SECRET, PLACE)).toBe(SECRET);
    expect(await plain.open(await cipherWith('a').seal(SECRET, PLACE), PLACE)).toBe(SECRET);
    expect(plain.isCurrent(SECRET)).toBe(true);
  });

  it.each(['enc:v1:x:y:z', 'plain:v1:x'])('round-trips a secret that looks like a stored form: %s', async (odd) => {
    for (const cipher of [plain, cipherWith('a')]) {
      expect(await cipher.open(await cipher.seal(odd, PLACE), PLACE)).toBe(odd);
    }
  });

  it('rejects keys of the wrong length and encryption without a key', () => {
    expect(() => new EnvelopeCipher({ keys: [Buffer.alloc(16)], sealing: true })).toThrow('32 bytes');
    expect(() => new EnvelopeCipher({ keys: [], sealing: true })).toThrow('needs a key');
  });
});
