import { timingSafeEqual } from 'node:crypto';

/** Compares a hex digest that came from outside with ours, in constant time. Malformed hex is simply not equal. */
export const hexEquals = (expected: Buffer, given: string | undefined): boolean => {
  if (given === undefined || given.length !== expected.length * 2 || !/^[0-9a-fA-F]+$/.test(given)) return false;
  return timingSafeEqual(expected, Buffer.from(given, 'hex'));
};
