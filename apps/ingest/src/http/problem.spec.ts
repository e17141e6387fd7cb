import { LogUnavailable } from '@turnkeeper/application';
import { InvalidPayload } from '@turnkeeper/contracts';
import { DomainError, SequenceConflict } from '@turnkeeper/domain';
import { describe, expect, it } from 'vitest';
import { PLAIN_PROBLEMS, problemOf } from './problem.js';
import { ServerStopping } from './server-stopping.js';

class Refused extends DomainError {
  readonly code = 'thing.refused';
  constructor(
    readonly kind: DomainError['kind'],
    details: DomainError['details'] = {},
  ) {
    super('This cannot be.', details);
  }
}

describe('an error response', () => {
  it.each<[DomainError['kind'], number]>([
    ['invalid', 400],
    ['unauthenticated', 401],
    ['forbidden', 403],
    ['not_found', 404],
    ['conflict', 409],
    ['precondition', 412],
    ['mismatch', 422],
    ['limited', 429],
  ])('%s is %i', (kind, status) => {
    expect(problemOf(new Refused(kind))).toEqual({
      type: '/docs/errors#thing.refused',
      title: 'This cannot be.',
      status,
      code: 'thing.refused',
    });
  });

  it('has the field, the rule, the remedy and machine-readable facts', () => {
    expect(problemOf(new SequenceConflict(7))).toMatchObject({
      status: 409,
      field: 'expectedSequence',
      rule: expect.stringMatching(/\S/),
      next: expect.stringMatching(/\S/),
      currentSequence: 7,
    });
  });

  it('lists every invalid field of a payload', () => {
    const issues = [
      { field: 'a', rule: 'must not be empty' },
      { field: 'b.0', rule: 'is not a known field' },
    ];
    expect(problemOf(new InvalidPayload('thing', issues))).toMatchObject({ status: 400, field: 'a', issues });
  });

  it("is not overridden by an error's facts", () => {
    const facts = { status: 'STOPPED', code: 'x', type: 'x', title: 'x', agentStatus: 'STOPPED' };
    expect(problemOf(new Refused('conflict', { facts }))).toMatchObject({
      status: 409,
      code: 'thing.refused',
      title: 'This cannot be.',
      agentStatus: 'STOPPED',
    });
  });

  it.each([
    [new Error('duplicate key value violates "hunter2"'), 500, 'server.failed'],
    [Object.assign(new Error('hunter2'), { statusCode: 500 }), 500, 'server.failed'],
    ['hunter2', 500, 'server.failed'],
    [new LogUnavailable('hunter2'), 503, 'log.unavailable'],
    [new ServerStopping(), 503, 'server.stopping'],
    [Object.assign(new Error('connect hunter2'), { code: 'ECONNREFUSED' }), 503, 'database.unavailable'],
    [Object.assign(new Error('hunter2'), { code: '57014' }), 503, 'database.unavailable'],
    [Object.assign(new Error('hunter2'), { code: '23505' }), 500, 'server.failed'],
    [
      Object.assign(new Error('hunter2'), { statusCode: 413, code: 'FST_ERR_CTP_BODY_TOO_LARGE' }),
      413,
      'body.too_large',
    ],
    [Object.assign(new Error('hunter2'), { statusCode: 400, code: 'FST_ERR_BAD_URL' }), 400, 'request.invalid'],
    [Object.assign(new Error('hunter2'), { statusCode: 418 }), 418, 'request.refused'],
  ])('reveals nothing internal: %s', (error, status, code) => {
    const problem = problemOf(error);
    expect(problem).toMatchObject({ status, code });
    expect(JSON.stringify(problem)).not.toContain('hunter2');
  });

  it('has one code per problem', () => {
    for (const { code, type, status } of PLAIN_PROBLEMS) {
      expect([type, code]).toEqual([`/docs/errors#${code}`, expect.stringMatching(/^[a-z_]+\.[a-z_]+$/)]);
      expect(status).toBeGreaterThanOrEqual(400);
    }
  });
});
