import { EnvelopeCipher } from '../secrets/envelope-cipher.js';

/** A test key; each letter gives a different key. */
export const testKey = (letter = 'a'): Uint8Array => Buffer.alloc(32, letter);

/** Encrypts with the first key and decrypts with all of them. */
export const cipherWith = (...letters: readonly string[]): EnvelopeCipher =>
  new EnvelopeCipher({ keys: letters.map(testKey), sealing: true });

export const testCipher = cipherWith('a');
