import { timingSafeEqual } from 'node:crypto';

/** Compares an untrusted hex digest in constant time. Malformed hex is unequal. */
export const hexEquals = (expected: Buffer, given: string | undefined): boolean => {
  if (given === undefined || given.length !== expected.length * 2 || !/^[0-9a-fA-F]+$/.test(given)) return false;
  return timingSafeEqual(expected, Buffer.from(given, 'hex'));
};
