import type { Dialect } from '../http/dialect.js';
import type { Problem } from '../http/problem.js';

/** Base path of Agora's agent API (their REST reference). */
export const AGORA_PREFIX = '/api/conversational-ai-agent/';

/** Agora's status and `reason` for our codes where the error class alone is not enough. */
const BY_CODE: Readonly<Record<string, readonly [status: number, reason: string]>> = {
  'agent.name_taken': [409, 'TaskConflict'],
  // Agora: no such agent, or it has already left.
  'agent.not_running': [404, 'TaskNotFound'],
  'agent.not_found': [404, 'TaskNotFound'],
  'agent.actor_label_missing': [400, 'MissingRequiredField'],
  'agent.memory_label_missing': [400, 'MissingRequiredField'],
  'memory.not_found': [400, 'InvalidFieldValue'],
  'message.invalid': [400, 'InvalidFieldValue'],
  'route.not_found': [404, 'NotImplemented'],
  'route.method_not_allowed': [404, 'NotImplemented'],
};

const BY_STATUS: Readonly<Record<number, string>> = {
  400: 'InvalidRequestBody',
  401: 'InvalidPermission',
  403: 'InvalidPermission',
  404: 'TaskNotFound',
  409: 'TaskConflict',
  413: 'InvalidRequestBody',
  422: 'InvalidRequestBody',
  429: 'ResourceQuotaLimitExceeded',
  503: 'ServiceUnavailable',
};

/** A field name as Agora's requests spell it. */
const inAgoraNames = (detail: string): string => detail.replace(/^memoryId\b/, 'properties.labels.memory_id');

/** An error in Agora's format: `{ detail, reason }`. */
export const agoraRefusal = (
  problem: Problem,
): { readonly status: number; readonly body: { detail: string; reason: string } } => {
  const [status, reason] = BY_CODE[problem.code] ?? [problem.status, BY_STATUS[problem.status] ?? 'InternalError'];
  const { title, detail = title, next } = problem;
  const said = [inAgoraNames(detail), next].filter((part) => typeof part === 'string').join(' ');
  return { status, body: { detail: said, reason } };
};

export const agoraDialect: Dialect = {
  prefixes: [AGORA_PREFIX],
  refuse: (reply, problem) => {
    const { status, body } = agoraRefusal(problem);
    if (status === 401) void reply.header('www-authenticate', 'Basic realm="turnkeeper"');
    void reply.code(status).type('application/json').send(body);
  },
};
