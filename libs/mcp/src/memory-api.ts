import type { OutputOf, PathParameter, RouteSpec } from '@turnkeeper/contracts';

interface ApiRequest {
  readonly method: RouteSpec['method'];
  /** Path and query. */
  readonly url: string;
  /** JSON value; absent for a request without a body. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

interface ApiResponse {
  readonly status: number;
  /** Parsed JSON; null for an empty body. */
  readonly body: unknown;
}

/**
 * Sends a request to Turnkeeper's HTTP API as the caller of the MCP server. Every tool and resource goes through it, so
 * scopes, restricted keys, rate limits, validation and the audit log are those of the HTTP routes.
 */
export type SendRequest = (request: ApiRequest) => Promise<ApiResponse>;

/** A problem returned by the API. */
export class ApiRefusal extends Error {
  constructor(
    readonly status: number,
    readonly problem: Readonly<Record<string, unknown>>,
  ) {
    super(sentenceOf(status, problem));
    this.name = 'ApiRefusal';
  }
}

const sentenceOf = (status: number, problem: Readonly<Record<string, unknown>>): string => {
  const { code, detail, field, rule, next } = problem;
  const said = (value: unknown): string => (typeof value === 'string' ? value : '');
  const what = said(field) === '' ? '' : ` (${said(field)} ${said(rule)})`;
  return `${said(code) || `HTTP ${status}`}: ${said(detail)}${what} ${said(next)}`.trim();
};

interface Parts {
  readonly path?: Partial<Readonly<Record<PathParameter, string>>>;
  readonly query?: Readonly<Record<string, string | number>>;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Calls routes of the table. */
export class MemoryApi {
  constructor(private readonly send: SendRequest) {}

  /** Rejects with `ApiRefusal` if the response is not a success. */
  async call<R extends RouteSpec>(route: R, { path = {}, query = {}, ...rest }: Parts): Promise<OutputOf<R>> {
    const filled = route.path.replaceAll(/\{(\w+)\}/g, (_, name: PathParameter) =>
      encodeURIComponent(path[name] ?? ''),
    );
    const search = new URLSearchParams(
      Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
    );
    const url = search.size === 0 ? filled : `${filled}?${search}`;
    const { status, body } = await this.send({ method: route.method, url, ...rest });
    if (status >= 200 && status < 300) return body as OutputOf<R>;
    throw new ApiRefusal(status, isObject(body) ? body : {});
  }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;
