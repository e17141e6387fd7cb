import { describe, expect, it } from 'vitest';
import { isDatabaseAway } from './database-away.js';

const coded = (code: string, message = 'x'): Error => Object.assign(new Error(message), { code });

describe('isDatabaseAway', () => {
  it.each([
    coded('ECONNREFUSED'),
    coded('ECONNRESET'),
    coded('ENOTFOUND'),
    coded('08006'),
    coded('53300'), // too many connections
    coded('57014'), // statement timeout
    coded('57P01'), // shutting down
    coded('57P03'), // starting up
    coded('25006'), // a standby
    coded('40P01'), // deadlock
    coded('55P03'), // lock timeout
    coded('25P03'), // idle in transaction
    coded('28P01'),
    new Error('timeout exceeded when trying to connect'),
    new Error('Connection terminated unexpectedly'),
    new Error('Connection terminated due to connection timeout'),
    new Error('Query read timeout'),
    new Error('Client was closed and is not queryable'),
    Object.assign(new Error('x'), { name: 'CannotExecuteNotConnectedError' }),
    Object.assign(new Error('query failed'), { driverError: coded('57P01') }),
    new Error('query failed', { cause: new Error('wrapped', { cause: coded('ECONNRESET') }) }),
    Object.assign(new AggregateError([coded('ECONNREFUSED'), coded('ECONNREFUSED')]), { code: undefined }),
  ])('is true of %o', (error) => expect(isDatabaseAway(error)).toBe(true));

  it.each([
    coded('23505'), // unique violation
    coded('22P02'), // invalid text representation
    coded('42P01'), // no such table: a defect
    coded('42501'), // no permission: a defect
    coded('FST_ERR_CTP_BODY_TOO_LARGE'),
    new TypeError('x is not a function'),
    'ECONNREFUSED',
    null,
    undefined,
  ])('is false of %o', (error) => expect(isDatabaseAway(error)).toBe(false));

  it('ends on an error that is its own cause', () => {
    const error: Error & { cause?: unknown } = new Error('x');
    error.cause = error;
    expect(isDatabaseAway(error)).toBe(false);
  });
});
