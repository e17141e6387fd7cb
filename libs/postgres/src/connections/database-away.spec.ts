import { describe, expect, it } from 'vitest';
import { isDatabaseAway } from './database-away.js';

const coded = (code: string, message = 'x'): Error => Object.assign(new Error(message), { code });

describe('isDatabaseAway', () => {
  it.each([
    // Postgres codes.
    ...['08000', '08001', '08003', '08004', '08006', '08P01'], // connection exceptions
    '25006', // standby
    '25P02', // failed transaction
    '25P03', // idle in transaction
    '25P04', // transaction timeout
    ...['28000', '28P01'], // login rejected
    '3D000', // no such database
    ...['40001', '40003', '40P01'], // serialization failure, unknown completion, deadlock
    ...['53000', '53100', '53200', '53300', '53400'], // disk full, out of memory, too many connections
    '55P03', // lock timeout
    '57014', // statement timeout
    ...['57P01', '57P02', '57P03', '57P04', '57P05'], // shutting down, crashed, starting up, dropped, idle session
    ...['58000', '58030'], // I/O error
    // Socket codes.
    ...['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'EAI_AGAIN', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'EMFILE'],
    ...['EADDRNOTAVAIL', 'ERR_STREAM_DESTROYED', 'ERR_STREAM_WRITE_AFTER_END'],
  ])('is true for the code %s', (code) => {
    expect(isDatabaseAway(coded(code))).toBe(true);
    expect(isDatabaseAway(Object.assign(new Error('query failed'), { driverError: coded(code) }))).toBe(true);
  });

  it.each([
    'timeout exceeded when trying to connect',
    'timeout expired',
    'Connection terminated',
    'Connection terminated unexpectedly',
    'Connection terminated due to connection timeout',
    'Query read timeout',
    'Client has encountered a connection error and is not queryable',
    'Client was closed and is not queryable',
    'Cannot use a pool after calling end on the pool',
    'Driver not Connected',
    'The server does not support SSL connections',
    'Received unexpected commandComplete message from backend.',
  ])('is true for the driver’s message “%s”', (message) => expect(isDatabaseAway(new Error(message))).toBe(true));

  it.each([
    'CannotExecuteNotConnectedError',
    'CannotGetEntityManagerNotConnectedError',
    'QueryRunnerAlreadyReleasedError',
    'QueryRunnerProviderAlreadyReleasedError',
  ])('is true for TypeORM’s %s', (name) => expect(isDatabaseAway(Object.assign(new Error('x'), { name }))).toBe(true));

  it.each([
    // The connection's role is missing or rejected, for example on a server that is being restored.
    Object.assign(coded('22023', 'role "turnkeeper_app" does not exist'), { severity: 'FATAL' }),
    Object.assign(coded('42501', 'permission denied to set role'), { severity: 'FATAL' }),
    Object.assign(coded('XX000'), { severity: 'PANIC' }),
    // The path of a Unix socket whose server is down.
    Object.assign(coded('ENOENT'), { syscall: 'connect' }),
    new Error('query failed', { cause: new Error('wrapped', { cause: coded('ECONNRESET') }) }),
    Object.assign(new AggregateError([coded('ECONNREFUSED'), coded('ECONNREFUSED')]), { code: undefined }),
  ])('is true for %o', (error) => expect(isDatabaseAway(error)).toBe(true));

  it.each([
    coded('23505'), // unique violation
    coded('22P02'), // invalid text representation
    coded('42P01'), // undefined table: a bug
    Object.assign(coded('42501'), { severity: 'ERROR' }), // insufficient privilege: a bug
    Object.assign(coded('XX000'), { severity: 'ERROR' }), // internal server error
    Object.assign(coded('ENOENT'), { syscall: 'open' }), // a local file
    coded('FST_ERR_CTP_BODY_TOO_LARGE'),
    new TypeError('x is not a function'),
    'ECONNREFUSED',
    null,
    undefined,
  ])('is false for %o', (error) => expect(isDatabaseAway(error)).toBe(false));

  it('terminates on an error that is its own cause', () => {
    const error: Error & { cause?: unknown } = new Error('x');
    error.cause = error;
    expect(isDatabaseAway(error)).toBe(false);
  });
});
