import type { ApiErrors, Problem } from '../../vendor.js';

/** Base path of Agora's agent API (their REST reference). */
export const AGORA_PREFIX = '/api/conversational-ai-agent/';

/** Regional base path of the same API, for mainland China. */
const CN = '/cn';

/** Serves the regional path as the other one. */
export const withoutRegion = (url: string): string =>
  url.startsWith(`${CN}${AGORA_PREFIX}`) ? url.slice(CN.length) : url;

interface Refusal {
  readonly status: number;
  readonly reason: string;
  /** In the words of Agora's reference. Absent: the violated rule about the request's own field. */
  readonly detail?: string;
}

const NOT_IMPLEMENTED: Refusal = { status: 404, reason: 'NotImplemented', detail: 'This endpoint is not implemented.' };
const TASK_GONE: Refusal = {
  status: 404,
  reason: 'TaskNotFound',
  detail: 'The agent does not exist, or has left the channel.',
};

/** Agora's status, `reason` and words for our codes where the error class alone is not enough. */
const BY_CODE: Readonly<Record<string, Refusal>> = {
  'agent.name_taken': { status: 409, reason: 'TaskConflict', detail: 'An agent with this name is already running.' },
  'agent.not_running': TASK_GONE,
  'agent.not_found': TASK_GONE,
  'agent.no_action_endpoint': {
    ...NOT_IMPLEMENTED,
    detail: 'No speech engine is connected that could carry out this operation.',
  },
  'agent.actor_label_missing': { status: 400, reason: 'MissingRequiredField' },
  'agent.memory_label_missing': { status: 400, reason: 'MissingRequiredField' },
  'memory.not_found': {
    status: 400,
    reason: 'InvalidFieldValue',
    detail: 'properties.labels.memory_id does not name a memory of this account.',
  },
  'message.invalid': { status: 400, reason: 'InvalidFieldValue' },
  'body.invalid_json': { status: 400, reason: 'InvalidRequestBody', detail: 'The request body is not valid JSON.' },
  'route.not_found': NOT_IMPLEMENTED,
  'route.method_not_allowed': NOT_IMPLEMENTED,
};

const BY_STATUS: Readonly<Record<number, Omit<Refusal, 'status'>>> = {
  400: { reason: 'InvalidRequestBody' },
  401: { reason: 'InvalidPermission', detail: 'The customer ID and secret, or the token, are missing or not valid.' },
  403: { reason: 'InvalidPermission', detail: 'These credentials do not permit this operation.' },
  404: { reason: 'TaskNotFound' },
  409: { reason: 'TaskConflict' },
  413: { reason: 'InvalidRequestBody', detail: 'The request body is too large.' },
  414: { reason: 'InvalidFieldValue', detail: 'A part of the path is too long.' },
  415: { reason: 'InvalidRequestBody', detail: 'The request body must be JSON.' },
  422: { reason: 'InvalidRequestBody' },
  429: { reason: 'ResourceQuotaLimitExceeded', detail: 'Too many requests. Try again later.' },
  503: { reason: 'ServiceUnavailable', detail: 'The service is unavailable. Try again later.' },
};

const refusalOf = ({ code, status, rule }: Problem): Refusal => {
  const known = BY_CODE[code];
  if (known !== undefined) return known;
  const isMissing = code === 'payload.invalid' && rule === 'is required';
  const byStatus = BY_STATUS[status] ?? { reason: 'InternalError', detail: 'An internal error occurred.' };
  return { status, ...byStatus, ...(isMissing ? { reason: 'MissingRequiredField' } : {}) };
};

/** An error in Agora's format: `{ detail, reason }`, and the id of the agent that runs under a name. */
export const agoraRefusal = (
  problem: Problem,
): { readonly status: number; readonly body: { detail: string; reason: string; agent_id?: string } } => {
  const { status, reason, detail = problem.detail ?? problem.title } = refusalOf(problem);
  const running = problem['runningAgentId'];
  return typeof running === 'string'
    ? { status, body: { detail: `${detail} agent_id: ${running}.`, reason, agent_id: running } }
    : { status, body: { detail, reason } };
};

export const agoraErrors: ApiErrors = {
  prefixes: [AGORA_PREFIX],
  answer: (problem) => {
    const { status, body } = agoraRefusal(problem);
    return { status, body, ...(status === 401 ? { headers: { 'www-authenticate': 'Basic realm="turnkeeper"' } } : {}) };
  },
};
