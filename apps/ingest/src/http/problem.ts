import { InvalidPayload } from '@turnkeeper/contracts';
import { DomainError } from '@turnkeeper/domain';
import { isDatabaseAway } from '@turnkeeper/postgres';

const STATUS: Readonly<Record<DomainError['kind'], number>> = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  precondition: 412,
  mismatch: 422,
  limited: 429,
  late: 504,
};

/** RFC 9457 problem details, plus our stable `code` and how to correct the request. Never the offending value. */
export interface Problem {
  /** Relative to the server; opens the code's entry on the errors page. */
  readonly type: string;
  /** Constant per code. */
  readonly title: string;
  /** What is wrong with this request; absent if the title says it all. */
  readonly detail?: string;
  readonly status: number;
  readonly code: string;
  readonly [extra: string]: unknown;
}

/** The page with an entry per code; docs/errors.md is the same as a file. */
const ERRORS_PAGE = '/docs/errors';

const problem = (
  status: number,
  code: string,
  title: string,
  detail: string | undefined,
  extra: Record<string, unknown> = {},
): Problem => ({
  // First, so that no fact of an error can override the members that RFC 9457 defines.
  ...extra,
  type: `${ERRORS_PAGE}#${code}`,
  title,
  status,
  ...(detail === undefined ? {} : { detail }),
  code,
});

/** Detail of this occurrence: the message if the title does not cover it, else the field and its rule. */
const detailOf = ({ message, details: { title, field, rule } }: DomainError): string | undefined => {
  if (title !== undefined && title !== message) return message;
  return field === undefined || rule === undefined ? undefined : `${field} ${rule}.`;
};

const ofDomainError = (error: DomainError): Problem => {
  const { title = error.message, field, rule, next, facts } = error.details;
  return problem(STATUS[error.kind], error.code, title, detailOf(error), {
    ...(field === undefined ? {} : { field }),
    ...(rule === undefined ? {} : { rule }),
    ...(next === undefined ? {} : { next }),
    ...(error instanceof InvalidPayload ? { issues: error.issues } : {}),
    ...facts,
  });
};

const INVALID_JSON = problem(
  400,
  'body.invalid_json',
  'The body is not valid JSON.',
  'The body must be one JSON value.',
  {
    next: 'Check the body with a JSON parser, then send it again.',
  },
);
/** Errors raised by the HTTP layer before any handler, by Fastify code. */
const HTTP_PROBLEMS: Readonly<Record<string, Problem>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: problem(
    413,
    'body.too_large',
    'The body is too large.',
    'The body is larger than this route accepts: MAX_BODY_BYTES of this server, or less where documented.',
    { next: 'Send fewer events per request.' },
  ),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: problem(
    415,
    'body.not_json',
    'The body must be JSON.',
    'This Content-Type is not accepted.',
    { next: 'Send the body as JSON with Content-Type: application/json.' },
  ),
  FST_ERR_MAX_PARAM_LENGTH: problem(
    414,
    'request.path_too_long',
    'A part of the path is too long.',
    'An id in the path is longer than any valid id.',
    { next: 'Check the ids in the path; actor and session ids have at most 255 characters.' },
  ),
  FST_ERR_CTP_EMPTY_JSON_BODY: INVALID_JSON,
  FST_ERR_CTP_INVALID_JSON_BODY: INVALID_JSON,
};
const ROUTE_NOT_FOUND = problem(
  404,
  'route.not_found',
  'There is no such route.',
  'No route matches this method and path.',
  {
    next: 'Check the method and the path in /openapi.json.',
  },
);
const METHOD_NOT_ALLOWED = problem(
  405,
  'route.method_not_allowed',
  'This path is not served with this method.',
  'The path is served, but not with this method.',
  { next: 'Use one of the methods in the Allow header.' },
);
const REQUEST_INVALID = problem(
  400,
  'request.invalid',
  'The request could not be read.',
  'The path or the headers are not valid HTTP.',
  { next: 'Check that the path is percent-encoded and the headers are well-formed.' },
);
const HEADERS_TOO_LARGE = problem(
  431,
  'request.headers_too_large',
  'The headers are too large.',
  'The request line and the headers together are larger than 16 KiB.',
  { next: 'Send fewer or shorter headers.' },
);
const BODY_ENCODING = problem(
  415,
  'body.encoding_unknown',
  'The Content-Encoding is not accepted.',
  'This route does not accept this Content-Encoding.',
  { next: 'Send the body uncompressed, or as JSON with Content-Encoding: gzip.' },
);
const REQUEST_TIMEOUT = problem(
  408,
  'request.timeout',
  'The request took too long to arrive.',
  'The headers or the body did not arrive within HEADERS_TIMEOUT_SECONDS or BODY_TIMEOUT_SECONDS of this server.',
  { next: 'Send the request again over a faster connection, or in smaller parts.' },
);
/** Errors for requests that Node could not parse. */
export const CLIENT_PROBLEMS = {
  headersTooLarge: HEADERS_TOO_LARGE,
  late: REQUEST_TIMEOUT,
  bodyTooLarge: HTTP_PROBLEMS['FST_ERR_CTP_BODY_TOO_LARGE'] as Problem,
  invalid: REQUEST_INVALID,
} as const;
/** Not the request's fault: a retry can succeed, so all of these carry `Retry-After`. */
const UNAVAILABLE: readonly Problem[] = [
  problem(
    503,
    'log.unavailable',
    'The log is unavailable.',
    'The log could not be written; the request may or may not have been stored.',
    { next: 'Send the request again with the same Idempotency-Key.' },
  ),
  problem(
    503,
    'auth.issuer_unavailable',
    'The token issuer is unavailable.',
    "The token issuer's keys could not be fetched, so the token could not be checked.",
    { next: 'Send the request again later, or use an API key.' },
  ),
  problem(
    503,
    'server.busy',
    'This server is too busy.',
    'It holds the maximum bytes of request bodies (MAX_BODY_BYTES_IN_FLIGHT).',
    { next: 'Send the request again after the seconds in Retry-After.' },
  ),
  problem(
    503,
    'broker.unavailable',
    'The broker is unavailable.',
    'NATS could not be reached, or JetStream did not answer in time.',
    { next: 'Send the request again when NATS is back; /readyz shows its state.' },
  ),
  problem(
    503,
    'server.stopping',
    'This server is stopping.',
    'It completes running requests and accepts no new ones.',
    {
      next: 'Send the request again: another server, or this one after its restart, will answer it.',
    },
  ),
];
const DATABASE_UNAVAILABLE = problem(
  503,
  'database.unavailable',
  'The database is unavailable.',
  'The database could not be reached, or was too busy to answer in time.',
  { next: 'Send the request again after the seconds in Retry-After; with an Idempotency-Key that is always safe.' },
);
const SERVER_FAILED = problem(
  500,
  'server.failed',
  'The server failed.',
  'The server could not answer because of an internal error.',
  { next: 'Send the request again; with an Idempotency-Key that is always safe. Report the requestId if it persists.' },
);

/** Problems without an error class. */
export const PLAIN_PROBLEMS: readonly Problem[] = [
  ...Object.values(HTTP_PROBLEMS),
  ROUTE_NOT_FOUND,
  METHOD_NOT_ALLOWED,
  REQUEST_INVALID,
  HEADERS_TOO_LARGE,
  REQUEST_TIMEOUT,
  BODY_ENCODING,
  ...UNAVAILABLE,
  DATABASE_UNAVAILABLE,
  SERVER_FAILED,
];

const ofHttpError = (error: { status: number; code?: string }): Problem => {
  const known = error.code === undefined ? undefined : HTTP_PROBLEMS[error.code];
  if (known !== undefined) return known;
  if (error.code === REQUEST_TIMEOUT.code) return REQUEST_TIMEOUT;
  if (error.code === BODY_ENCODING.code) return BODY_ENCODING;
  if (error.status === 405) return METHOD_NOT_ALLOWED;
  if (error.status === 404) return ROUTE_NOT_FOUND;
  if (error.status === 400) return REQUEST_INVALID;
  return problem(error.status, 'request.refused', 'The request was refused.', undefined, {
    next: 'Compare the request with /openapi.json.',
  });
};

interface HttpLike {
  readonly code?: string;
  readonly statusCode?: number;
  readonly getStatus?: () => number;
  readonly cause?: unknown;
}

/** Maps any error to its one client-facing problem. */
export const problemOf = (error: unknown): Problem => {
  if (error instanceof DomainError) return ofDomainError(error);
  const like = error as HttpLike;
  const status = like.getStatus?.() ?? like.statusCode;
  if (status !== undefined && status >= 400 && status < 500) {
    // Nest wraps Fastify's errors; the cause carries the code.
    const { code } = (like.cause ?? like) as { code?: string };
    return ofHttpError({ status, ...(code === undefined ? {} : { code }) });
  }
  const unavailable = UNAVAILABLE.find(({ code }) => code === like.code);
  if (unavailable !== undefined) return unavailable;
  return isDatabaseAway(error) ? DATABASE_UNAVAILABLE : SERVER_FAILED;
};
