import type { ApiErrors, Problem } from '../../vendor.js';
import { ZEGO_CODES, ZegoRefusal } from './codes.js';

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
  'agent.no_action_endpoint': ZEGO_CODES.actionUnknown,
  'body.invalid_json': ZEGO_CODES.jsonInvalid,
  'body.not_json': ZEGO_CODES.jsonInvalid,
  'tenant.rate_limited': ZEGO_CODES.tooManyRequests,
};

/** In ZEGOCLOUD's words, where ours name something that its API does not have. */
const MESSAGES: Readonly<Record<string, string>> = {
  'agent.not_found': 'The agent instance does not exist.',
  'agent.not_running': 'The agent instance does not exist.',
  'agent.no_action_endpoint': 'This Action needs a speech engine, and none is connected here.',
  'memory.not_found': 'The memory of this AppId does not exist anymore.',
  'tenant.too_many_vendor_agents': 'Too many agents are registered. Unregister one that is no longer used.',
  'tenant.rate_limited': 'Too many requests. Try again later.',
};

const codeOf = (problem: Problem, error: unknown): number => {
  if (error instanceof ZegoRefusal) return error.zegoCode;
  return BY_CODE[problem.code] ?? (problem.status < 500 ? ZEGO_CODES.parameterInvalid : ZEGO_CODES.systemError);
};

export const zegoErrors: ApiErrors = {
  prefixes: [`/${ZEGO_PATH}`, '/?'],
  answer: (problem, { error, requestId }) => ({
    status: 200,
    body: {
      Code: codeOf(problem, error),
      Message: MESSAGES[problem.code] ?? problem.detail ?? problem.title,
      RequestId: requestId,
    },
  }),
};
