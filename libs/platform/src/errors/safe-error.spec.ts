import { describe, expect, it } from 'vitest';
import { InvalidSettings } from '../config/define-settings.js';
import { connectOrSay, PortInUse, startFailure } from './fail-start.js';
import { errorLine, safeError } from './safe-error.js';

const MARK = 'hunter2';
const SECRET = `whsec_${'A'.repeat(43)}=`;

/** An error as pg throws it and TypeORM wraps it. */
const ofDatabase = (message: string, code: string) => {
  const driverError = Object.assign(new Error(message), {
    code,
    detail: `Failing row contains (1, ${MARK}).`,
    hint: MARK,
    where: `COPY x, line 1: "${MARK}"`,
    constraint: 'records_pkey',
    table: 'records',
  });
  return Object.assign(new Error(message), {
    name: 'QueryFailedError',
    query: `insert into webhook_endpoints values ('${MARK}')`,
    parameters: [SECRET, MARK],
    driverError,
  });
};

describe('a logged error', () => {
  it.each<[string, unknown]>([
    ['a refused row', ofDatabase('duplicate key value violates unique constraint "records_pkey"', '23505')],
    ['a value of the wrong form', ofDatabase(`invalid input syntax for type uuid: "${MARK}"`, '22P02')],
    ['half a quoted value', ofDatabase(`invalid byte sequence "${MARK}`, '22021')],
    ['an error of several lines', new Error(`first\n${MARK}`)],
    [
      'what JSON.parse says',
      (() => {
        try {
          return JSON.parse(`{"a": ${MARK}`) as unknown;
        } catch (error) {
          return error;
        }
      })(),
    ],
    [
      'an answer of a model',
      Object.assign(new Error('The answer is no JSON.'), { rawAnswer: MARK, request: { body: MARK } }),
    ],
    ['a cause', new Error('outer', { cause: Object.assign(new Error('inner'), { parameters: [MARK] }) })],
    ['several at once', new AggregateError([Object.assign(new Error('one'), { body: MARK })], 'all failed')],
    ['a URL with a password', new Error(`cannot reach postgres://app:${MARK}@db:5432/x`)],
    ['a header', new Error(`refused: Authorization: Bearer ${MARK}`)],
    ['a signing secret', new Error(`bad secret ${SECRET}`)],
  ])('contains no content: %s', (_, error) => {
    const logged = JSON.stringify(safeError(error));
    expect(logged).not.toContain(MARK);
    expect(logged).not.toContain(SECRET);
    expect(errorLine(error)).not.toContain(MARK);
  });

  it('contains what an operator needs', () => {
    expect(safeError(ofDatabase('duplicate key value violates unique constraint "records_pkey"', '23505'))).toEqual({
      type: 'QueryFailedError',
      message: 'duplicate key value violates unique constraint "records_pkey"',
      code: '23505',
      constraint: 'records_pkey',
      table: 'records',
      stack: expect.stringMatching(/^\s+at /) as string,
    });
  });

  it('terminates, even with circular causes', () => {
    const error = new Error('round');
    error.cause = error;
    expect(JSON.stringify(safeError(error)).length).toBeLessThan(20_000);
  });

  it('handles values that are not errors', () =>
    expect(safeError('gone')).toEqual({ type: 'string', message: 'gone' }));
});

describe('a start failure', () => {
  it('is one line without a stack trace', () => {
    expect(startFailure('ingest', new PortInUse({ variable: 'INGEST_PORT', host: '127.0.0.1', port: 8080 }))).toBe(
      'ingest does not start: INGEST_PORT=8080 is in use on 127.0.0.1. Stop the process that listens there, or set INGEST_PORT to another port (0 takes a free one). (EADDRINUSE)\n',
    );
    const nowhere = new AggregateError(
      [Object.assign(new Error('connect ECONNREFUSED ::1:1'), { code: 'ECONNREFUSED' })],
      '',
    );
    expect(startFailure('worker', nowhere)).toBe('worker does not start: connect ECONNREFUSED ::1:1\n');
  });

  it('names the setting of a server that cannot be reached', async () => {
    const failing = (message: string, code: string) =>
      connectOrSay(() => Promise.reject(Object.assign(new Error(message), { code })), 'DATABASE_URL').catch(
        (error: unknown) => startFailure('worker', error),
      );
    expect(await failing('connect ECONNREFUSED 127.0.0.1:1', 'ECONNREFUSED')).toBe(
      'worker does not start: The server of DATABASE_URL cannot be used: connect ECONNREFUSED 127.0.0.1:1\n',
    );
    expect(await failing('password authentication failed for user "u"', '28P01')).toBe(
      'worker does not start: The server of DATABASE_URL cannot be used: password authentication failed for user "u" (28P01)\n',
    );
    // Not about the connection: as it is.
    expect(await failing('relation "events" does not exist', '42P01')).toBe(
      'worker does not start: relation "events" does not exist (42P01)\n',
    );
  });

  it('has one line per invalid setting', () => {
    const problems = [
      { name: 'A', rule: 'is required' },
      { name: 'B', rule: 'must be between 1 and 9' },
    ];
    expect(startFailure('ingest', new InvalidSettings(problems))).toBe(
      'ingest does not start:\n  A is required\n  B must be between 1 and 9\n',
    );
  });
});
