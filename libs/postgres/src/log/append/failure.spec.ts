import { expect, it } from 'vitest';
import { failureOf } from './failure.js';

const sqlState = (code: string, severity = 'ERROR') => Object.assign(new Error('refused'), { code, severity });

it.each([
  ...['08003', '08006', '25006', '25P02', '25P03', '25P04', '28000', '28P01', '3D000', '40001', '40003', '40P01'],
  ...['53100', '53200', '53300', '55P03', '57014', '57P01', '57P02', '57P03', '57P04', '57P05', '58030'],
])('classifies code %s as transient', (code) => expect(failureOf(sqlState(code))).toBe('transient'));

it('classifies errors that broke the connection as transient', () => {
  const broken = [
    new Error('Connection terminated unexpectedly'),
    Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET', syscall: 'read' }),
    Object.assign(new Error('write EPIPE'), { code: 'EPIPE', syscall: 'write' }),
    sqlState('22023', 'FATAL'), // the connection's role does not exist (yet)
    sqlState('42501', 'FATAL'),
  ];
  expect(broken.map(failureOf)).toEqual(broken.map(() => 'transient'));
});

it('classifies statement errors as faulty', () => {
  // The text exceeded the engine's string limit, so it was never sent.
  const faulty = [...['22P02', '22023', '23505', '42501', 'XX000'].map((code) => sqlState(code)), new RangeError('x')];
  expect(faulty.map(failureOf)).toEqual(faulty.map(() => 'faulty'));
});
