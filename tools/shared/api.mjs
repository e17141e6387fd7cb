/** An error response of the API: `status`, and the problem's `code`, `detail` and the rest. */
export class ApiError extends Error {
  constructor(method, path, status, problem) {
    super(`${method} ${path}: ${status} ${problem.code ?? ''} ${problem.detail ?? problem.title ?? ''}`.trimEnd());
    this.name = 'ApiError';
    this.status = status;
    this.problem = problem;
  }
}

/**
 * A small client of Turnkeeper's HTTP API.
 *
 * @typedef {{ get: (path: string) => Promise<any>, post: (path: string, body?: unknown, headers?: Record<string, string>) => Promise<any>,
 *             remove: (path: string) => Promise<any> }} ApiClient
 *
 * @param {{ url: string, key: string, timeoutMs?: number, json?: Pick<JSON, 'parse' | 'stringify'> }} access
 * @returns {ApiClient} rejects with `ApiError` unless the response is a 2xx
 */
export const apiClient = ({ url, key, timeoutMs = 30_000, json = JSON }) => {
  const call = async (method, path, body, headers = {}) => {
    const response = await fetch(new URL(path, url), {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: json.stringify(body) }),
      signal: AbortSignal.timeout(timeoutMs),
    });
    const text = await response.text();
    const answer = parse(json, text);
    if (!response.ok) throw new ApiError(method, path, response.status, answer ?? { detail: text.slice(0, 200) });
    return answer;
  };
  return {
    get: (path) => call('GET', path),
    post: (path, body = {}, headers = {}) => call('POST', path, body, headers),
    remove: (path) => call('DELETE', path),
  };
};

const parse = (json, text) => {
  try {
    return json.parse(text);
  } catch {
    return undefined;
  }
};

/** Encodes path segments that can contain any character. */
export const path = (strings, ...values) =>
  String.raw({ raw: strings }, ...values.map((value) => encodeURIComponent(value)));

/** All events of a session, oldest first. @param {Pick<ApiClient, 'get'>} api @param {string} place path of its events */
export const allEvents = async (api, place) => {
  const events = [];
  for (let after = 0; after !== null;) {
    const page = await api.get(`${place}?order=asc&size=100&after=${after}`);
    events.push(...page.listData);
    after = page.next;
  }
  return events;
};
