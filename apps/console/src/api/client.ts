import createClient from 'openapi-fetch';
import { ApiProblem, type ProblemBody } from './problem';
import type { components, paths } from './schema.generated';

export type Schemas = components['schemas'];
export type { paths as Paths };

/** The key or token of the signed-in user. Lives in memory; the session module may also store it for this tab. */
let credential: string | null = null;
export const setCredential = (value: string | null): void => {
  credential = value;
};

export const authorization = (): Record<string, string> =>
  credential === null ? {} : { authorization: `Bearer ${credential}` };

export const api = createClient<paths>({
  baseUrl: '/',
  // The key is the only credential: cookies of the origin must not sign anyone in.
  credentials: 'omit',
});
api.use({
  onRequest: ({ request }) => {
    for (const [name, value] of Object.entries(authorization())) request.headers.set(name, value);
    return request;
  },
});

export interface Answer<T> {
  readonly data?: T;
  readonly error?: unknown;
  readonly response: Response;
}

/** The body of a successful response. @throws ApiProblem */
export const ask = async <T>(answering: Promise<Answer<T>>): Promise<NonNullable<T>> => {
  const { data, error, response } = await answering;
  if (response.ok) return data as NonNullable<T>;
  throw new ApiProblem(response.status, isProblem(error) ? error : {});
};

const isProblem = (value: unknown): value is ProblemBody => typeof value === 'object' && value !== null;

/** For routes outside of the API document. @throws ApiProblem */
export const getJson = async <T>(path: string): Promise<T> => {
  const response = await fetch(path, { headers: authorization(), credentials: 'omit' });
  const body: unknown = await response.json().catch(() => ({}));
  if (!response.ok) throw new ApiProblem(response.status, isProblem(body) ? body : {});
  return body as T;
};
