import { request as httpRequest } from 'node:http';
import { pathParameters, type RouteSpec } from '@turnkeeper/contracts';
import type { Api } from './api.js';
import { sampleOf, type Belongings } from './route-samples.js';

/** Whether the request is about one resource of a tenant. */
export const namesSomething = (route: RouteSpec, belongings: Belongings): boolean => {
  if (route.id === 'agoraJoin') return true;
  const free = ['actorId', 'sessionId', 'vendor', 'appId'];
  if (pathParameters(route).some((name) => !free.includes(name) || isDeletedByName(route))) return true;
  const { query, body } = sampleOf(route, belongings);
  return 'memoryId' in query || (typeof body === 'object' && body !== null && 'memoryId' in body);
};

/** An idempotent delete. */
export const isRepeatable = ({ method, status }: RouteSpec): boolean => method === 'DELETE' && status === 204;

/** Returns limits and public keys, to every key of the tenant. */
export const OF_THE_TENANT: readonly string[] = ['getLimits', 'listErasureKeys'];

/** Deleted by an app id that other tenants may use too: the stranger has no such app. */
const isDeletedByName = (route: RouteSpec): boolean => route.id === 'deleteVendorApp';

/** The path parameter of the container; null if it contains nothing. */
export const containerOf = (route: RouteSpec): 'memoryId' | 'endpointId' | 'tenantId' | null => {
  const [first, second] = pathParameters(route);
  if (second === undefined && !/\{\w+\}\//.test(route.path)) return null;
  if (first === 'memoryId') return first;
  return second !== undefined && (first === 'endpointId' || first === 'tenantId') ? first : null;
};

/** `fetch` sends no body with GET; others do. */
export const getWithBody = (api: Api, path: string, body: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
    const authorization = api.apiKey === null ? {} : { authorization: `Bearer ${api.apiKey}` };
    const request = httpRequest(`${api.url}${path}`, { method: 'GET', headers: { ...headers, ...authorization } });
    request.on('response', (response) => {
      resolve(response.statusCode ?? 0);
      // A stream of events has no end.
      response.destroy();
    });
    request.on('error', reject).end(body);
  });
