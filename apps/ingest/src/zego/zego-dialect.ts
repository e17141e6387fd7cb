import type { Dialect } from '../http/dialect.js';
import type { Problem } from '../http/problem.js';
import { ZEGO_CODES, ZegoRefusal } from './zego-refusal.js';

/** Second base path of ZEGOCLOUD's API; its clients use the root. */
export const ZEGO_PATH = 'zegocloud';

/** ZEGOCLOUD's envelope; it is always sent with status 200. */
export const zegoAnswer = (requestId: string, data?: object) => ({
  Code: ZEGO_CODES.success,
  Message: 'success',
  RequestId: requestId,
  ...(data === undefined ? {} : { Data: data }),
});

const BY_CODE: Readonly<Record<string, number>> = {
  'agent.not_found': ZEGO_CODES.instanceMissing,
  'agent.not_running': ZEGO_CODES.instanceMissing,
  'body.invalid_json': ZEGO_CODES.jsonInvalid,
  'body.not_json': ZEGO_CODES.jsonInvalid,
  'tenant.rate_limited': ZEGO_CODES.tooManyRequests,
};

const codeOf = (problem: Problem, error: unknown): number => {
  if (error instanceof ZegoRefusal) return error.zegoCode;
  return BY_CODE[problem.code] ?? (problem.status < 500 ? ZEGO_CODES.parameterInvalid : ZEGO_CODES.systemError);
};

export const zegoDialect: Dialect = {
  prefixes: [`/${ZEGO_PATH}`, '/?'],
  refuse: (reply, problem, error) => {
    void reply
      .code(200)
      .type('application/json')
      .send({ Code: codeOf(problem, error), Message: problem.detail ?? problem.title, RequestId: reply.request.id });
  },
};
