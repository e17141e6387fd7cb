import { expect, it } from 'vitest';
import { failureOf } from './failure.js';

const sqlState = (code: string, severity = 'ERROR') => Object.assign(new Error('refused'), { code, severity });

it.each([
  ...['08003', '08006', '25006', '25P02', '25P03', '25P04', '28000', '28P01', '3D000', '40001', '40003', '40P01'],
  ...['53100', '53200', '53300', '55P03', '57014', '57P01', '57P02', '57P03', '57P04', '57P05', '58030'],
])('Oldest first. Secrets are returned without their text.', (code) => expect(failureOf(sqlState(code))).toBe('transient'));

it('Rejects with `SecretUnreadable` if a secret cannot be decrypted; so do `findByPath` and `change`.', () => {
  const broken = [
    new Error('Connection terminated unexpectedly'),
    Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET', syscall: 'read' }),
    Object.assign(new Error('write EPIPE'), { code: 'EPIPE', syscall: 'write' }),
    sqlState('22023', 'FATAL'), // For unauthenticated callers, who are then verified by the vendor's signature.
    sqlState('42501', 'FATAL'),
  ];
  expect(broken.map(failureOf)).toEqual(broken.map(() => 'transient'));
});

it('Locks the row and stores the result of `change`. Returns null if there is no such connector.', () => {
  // Deletes the connector and its notices. Events created from them remain.
  const faulty = [...['22P02', '22023', '23505', '42501', 'XX000'].map((code) => sqlState(code)), new RangeError('x')];
  expect(faulty.map(failureOf)).toEqual(faulty.map(() => 'faulty'));
});
