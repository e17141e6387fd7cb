import { expect, it } from 'vitest';
import { failureOf } from './failure.js';

it('tells what another try may change from what it cannot', () => {
  const sqlState = (code: string) => Object.assign(new Error('refused'), { code });
  expect([sqlState('57P01'), sqlState('08006'), new Error('the connection ended')].map(failureOf)).toEqual(
    Array(3).fill('transient'),
  );
  // A text that was to be longer than the engine can hold never reached the database.
  expect([sqlState('22P02'), new RangeError('Invalid string length')].map(failureOf)).toEqual(Array(2).fill('faulty'));
});
