import { problemView } from '../http/problem.js';
import { scopesEnoughFor, type Scope } from '../routes/scopes.js';
import type { RouteSpec } from '../routes/route.js';
import { PATH_PARAMETERS, pathParameters, storesFirstAnswer } from '../routes/route.js';
import { TAG_DESCRIPTIONS } from './tags.js';
import { addExamples } from './examples/index.js';
import { webhooksOf } from './webhooks.js';
import { SchemaCollector, type JsonSchema } from './schemas.js';

type Json = JsonSchema;

const TITLES = {
  200: 'Done.',
  201: 'Created.',
  202: 'Accepted. The work is carried out later.',
  204: 'Done. No content.',
  400: 'The request is not valid. `issues` names every invalid field.',
  401: 'The key or token is missing or not valid.',
  403: 'The key or token does not permit this request.',
  404: 'Not found, or it belongs to another tenant.',
  409: 'The request conflicts with the current state.',
  413: 'The body is too large.',
  412: '`If-Match` does not name the current version.',
  422: 'The idempotency key was already used with another body.',
  429: 'Too many requests; `Retry-After` says when to try again.',
  431: 'The headers are too large.',
  503: 'The log is unavailable. Retrying with the same key is safe.',
} as const;

/** Refusals with a problem document, by status: the same for all routes. */
const REFUSALS = {
  400: 'Invalid',
  401: 'Unauthenticated',
  403: 'Forbidden',
  404: 'NotFound',
  409: 'Conflict',
  412: 'VersionDiffers',
  413: 'TooLarge',
  422: 'KeyReused',
  429: 'TooManyRequests',
  431: 'HeadersTooLarge',
  503: 'Unavailable',
} as const;
type RefusalStatus = keyof typeof REFUSALS;
const refusalRef = (status: RefusalStatus): Json => ({ $ref: `#/components/responses/${REFUSALS[status]}` });

const RETRY_AFTER = {
  'Retry-After': { description: 'Seconds after which to try again.', schema: { type: 'integer' } },
};
/** As in the draft of the IETF, on every response to a tenant with limits. */
const RATE_LIMIT = {
  'RateLimit-Policy': {
    description: 'What the tenant may send, such as `"requests";q=100;w=1`.',
    schema: { type: 'string' },
  },
  RateLimit: { description: 'What is left of it, and the seconds until it is full again.', schema: { type: 'string' } },
};
const headersOfRefusal = (status: RefusalStatus): Json =>
  status === 429 ? { headers: { ...RETRY_AFTER, ...RATE_LIMIT } } : status === 503 ? { headers: RETRY_AFTER } : {};

const refusalResponses = (problem: Json): Json =>
  Object.fromEntries(
    (Object.keys(REFUSALS).map(Number) as RefusalStatus[]).map((status) => [
      REFUSALS[status],
      {
        description: TITLES[status],
        ...headersOfRefusal(status),
        content: { 'application/problem+json': { schema: problem } },
      },
    ]),
  );

/** Whether the route changes a versioned resource. */
const isGuarded = ({ versioned, method }: RouteSpec): boolean => versioned === true && method !== 'GET';

const VERSION_HEADERS = {
  GET: ['If-None-Match', 'An `ETag` that the client has. If it is current, the response is 304 without a body.'],
  change: [
    'If-Match',
    'The `ETag` of the version to change; 412 if the resource has changed since. Absent: any version is changed.',
  ],
} as const;

const REPEATS =
  'The same key with the same request returns the first response for 24 hours, with `Idempotency-Replayed: true`; with ' +
  'another body it is rejected (422). 1 to 255 printable ASCII characters.';

/** Error statuses of a route besides its own, derived from its inputs. */
const refusalStatuses = (route: RouteSpec): RefusalStatus[] => {
  const of = (condition: boolean, ...statuses: RefusalStatus[]) => (condition ? statuses : []);
  return [
    400,
    ...of(route.credential === 'any', 401),
    ...of(route.scope !== null, 401, 403),
    ...of(pathParameters(route).length > 0 || route.body !== undefined, 404),
    ...of(route.method !== 'GET', 409),
    ...of(route.body !== undefined, 413),
    ...of(isGuarded(route), 412),
    ...of(route.headers?.['Idempotency-Key'] !== undefined || storesFirstAnswer(route), 422),
    429,
    503,
  ];
};

const parametersOf = (route: RouteSpec, schemas: SchemaCollector): Json[] => {
  const inPath = pathParameters(route).map((name) => ({
    name,
    in: 'path',
    required: true,
    schema: schemas.add(route.pathSchemas?.[name] ?? PATH_PARAMETERS[name]),
  }));
  const { properties = {}, required = [] } = (route.query === undefined ? {} : schemas.add(route.query)) as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  const inQuery = Object.entries(properties).map(([name, schema]) => {
    const { description, ...rest } = schema;
    return {
      name,
      in: 'query',
      required: required.includes(name),
      ...(description === undefined ? {} : { description }),
      schema: rest,
    };
  });
  const inHeaders = Object.entries(route.headers ?? {}).map(([name, schema]) => {
    const { description, ...rest } = schemas.add(schema);
    return {
      name,
      in: 'header',
      required: !schema.safeParse(undefined).success,
      ...(description === undefined ? {} : { description }),
      schema: rest,
    };
  });
  const [name, description] = VERSION_HEADERS[route.method === 'GET' ? 'GET' : 'change'];
  const ofVersion =
    route.versioned === true ? [{ name, in: 'header', required: false, description, schema: { type: 'string' } }] : [];
  const ofRepeats = storesFirstAnswer(route)
    ? [{ name: 'Idempotency-Key', in: 'header', required: false, description: REPEATS, schema: { type: 'string' } }]
    : [];
  return [...inPath, ...inQuery, ...inHeaders, ...ofRepeats, ...ofVersion];
};

const responseHeaders = ({ location, versioned, method }: RouteSpec): Json => {
  const schema = { type: 'string' };
  const headers = {
    ...(location === undefined
      ? {}
      : { Location: { description: `Path of the created resource: \`${location}\`.`, schema } }),
    ...(versioned === true && method !== 'DELETE'
      ? { ETag: { description: 'The version, for `If-Match` and `If-None-Match`.', schema } }
      : {}),
  };
  return Object.keys(headers).length === 0 ? {} : { headers };
};

const CREDENTIALS = {
  signature: 'Needs no key; the signature authenticates the sender.',
  any: 'Needs any valid key or token.',
  none: 'Needs no key.',
} as const;

const enoughFor = (scope: Scope): string =>
  scopesEnoughFor(scope)
    .map((each) => `\`${each}\``)
    .join(' or ');

/** Adds to the summary: the required scope, and the route's own error codes. */
const descriptionOf = ({ scope, credential, refusals = [] }: RouteSpec): string => {
  const caller =
    scope === null ? CREDENTIALS[credential ?? 'signature'] : `Needs a key with the scope ${enoughFor(scope)}.`;
  const own = refusals.map((code) => `[\`${code}\`](/docs/errors#${code})`).join(', ');
  return own === '' ? caller : `${caller}\n\nSpecific errors: ${own}.`;
};

const operationOf = (route: RouteSpec, schemas: SchemaCollector): Json => {
  const parameters = parametersOf(route, schemas);
  const refusal = route.refusal === undefined ? null : schemas.add(route.refusal);
  return {
    operationId: route.id,
    tags: [route.tag],
    summary: route.summary,
    description: descriptionOf(route),
    security: route.scope === null && route.credential !== 'any' ? [] : [{ bearer: [] }],
    ...(route.scope === null ? {} : { 'x-scope': route.scope }),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(route.body === undefined
      ? {}
      : {
          requestBody: {
            required: !route.body.safeParse(undefined).success,
            content: { [route.bodyType ?? 'application/json']: { schema: schemas.add(route.body) } },
          },
        }),
    responses: {
      [route.status]: {
        description: TITLES[route.status],
        ...responseHeaders(route),
        ...(route.response === null
          ? {}
          : { content: { [route.responseType ?? 'application/json']: { schema: schemas.add(route.response) } } }),
      },
      ...(route.versioned === true && route.method === 'GET'
        ? { 304: { description: 'Not modified: `If-None-Match` names the current version.' } }
        : {}),
      ...(route.refusalsAreInBody === true
        ? { 431: refusalRef(431) }
        : Object.fromEntries(
            refusalStatuses(route).map((status) => [
              status,
              refusal === null
                ? refusalRef(status)
                : {
                    description: TITLES[status],
                    ...headersOfRefusal(status),
                    content: { 'application/json': { schema: refusal } },
                  },
            ]),
          )),
    },
  };
};

/**
 * The API as an OpenAPI 3.1 document, generated from the route table. Deterministic.
 *
 * @param tags descriptions of tags beyond `TAG_DESCRIPTIONS`
 */
export const openApiDocument = (routes: readonly RouteSpec[], tags: Readonly<Record<string, string>> = {}): Json => {
  const schemas = new SchemaCollector();
  const paths: Record<string, Record<string, Json>> = {};
  for (const route of routes) {
    (paths[route.path] ??= {})[route.method.toLowerCase()] = operationOf(route, schemas);
  }
  const webhooks = webhooksOf(schemas);
  const responses = refusalResponses(schemas.add(problemView));
  const components = schemas.components();
  addExamples([...Object.values(paths), ...Object.values(webhooks)].flatMap(Object.values<Json>), components);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Turnkeeper',
      version: '1',
      summary: 'Self-hosted, event-sourced memory for conversational agents.',
      description:
        'Paths under `/memory` use the field names and paging of AgentBase Memory; those under `/v1` are Turnkeeper’s own. ' +
        'Errors are problem details (RFC 9457) with a stable `code`. Paths under `/api/conversational-ai-agent` are ' +
        'Agora’s and `/zegocloud` is ZEGOCLOUD’s, with their errors. `webhooks` are the messages that endpoints receive.',
      contact: { name: 'Turnkeeper' },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    tags: [...new Set(routes.map((route) => route.tag))].map((name) => ({
      name,
      description: TAG_DESCRIPTIONS[name] ?? tags[name],
    })),
    paths,
    webhooks,
    components: {
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description: 'An API key (`tk_…`) or a JWT of the configured issuer.',
        },
      },
      responses,
      schemas: components,
    },
  };
};
