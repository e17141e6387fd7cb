import { EnvelopeCipher } from '../secrets/envelope-cipher.js';

/** A key of tests: each letter makes another one. */
export const testKey = (letter = 'a'): Uint8Array => Buffer.alloc(32, letter);

/** Encrypts with the first key and opens with all of them. */
export const cipherWith = (...letters: readonly string[]): EnvelopeCipher =>
  new EnvelopeCipher({ keys: letters.map(testKey), sealing: true });

export const testCipher = cipherWith('a');
