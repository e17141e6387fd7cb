import { request as httpRequest } from 'node:http';
import { declaredIn, type RouteSpec } from '@turnkeeper/contracts';
import { API_ROUTES, userDataOf } from '@turnkeeper/vendors';
import type { Api } from './api.js';
import { sampleOf, type Belongings, type Sample } from './route-samples.js';
import type { Cell } from './reach-world.js';

/** Routes that a restricted key can call with the scopes of an application. */
export const REACH_ROUTES: readonly RouteSpec[] = API_ROUTES.filter(({ scope }) => scope !== null && scope !== 'admin');

/** A caller who is restricted, something that it reaches, and what it must not reach. */
export interface Restriction {
  readonly name: string;
  readonly api: Api;
  readonly own: Cell;
  readonly foreign: readonly Cell[];
  /** Texts that no answer to this caller may hold. */
  readonly secret: readonly string[];
}

/** A request that reached what it must not. */
export interface Breach {
  readonly route: string;
  readonly what: string;
}

interface Sent {
  readonly status: number;
  readonly text: string;
}

/** `fetch` sends no body with GET. The streams end by themselves here: they are closed after the first part. */
const send = (api: Api, method: string, url: string, body: string | null, headers: object): Promise<Sent> =>
  new Promise((resolve, reject) => {
    const type = body === null ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
    const request = httpRequest(`${api.url}${url}`, {
      method,
      headers: { authorization: `Bearer ${api.apiKey}`, ...type, ...api.headers, ...headers },
    });
    request.on('response', (response) => {
      const parts: Buffer[] = [];
      const end = (): void => resolve({ status: response.statusCode ?? 0, text: Buffer.concat(parts).toString() });
      response.on('data', (part: Buffer) => {
        parts.push(part);
        if (Buffer.concat(parts).includes('up to date')) response.destroy();
      });
      response.on('close', end);
    });
    request.on('error', reject).end(body ?? undefined);
  });

/** Names of what the caller reaches, in places that no route declares. */
const HEADERS = ['memoryId', 'actorId', 'sessionId', 'memory-id', 'actor-id', 'x-memory-id', 'x-actor-id'] as const;

interface Decoy {
  readonly name: string;
  readonly query: boolean;
  readonly body: boolean;
  readonly headers: boolean;
}
const DECOYS: readonly Decoy[] = [
  { name: 'nothing else', query: false, body: false, headers: false },
  { name: 'its own names in the query', query: true, body: false, headers: false },
  { name: 'its own names in the body', query: false, body: true, headers: false },
  { name: 'its own names in headers', query: false, body: false, headers: true },
  { name: 'its own names everywhere', query: true, body: true, headers: true },
];

/** The caller's own names, without those that the route declares in this part. */
const namesFor = (route: RouteSpec, part: 'query' | 'body', { memoryId, actorId, sessionId }: Belongings) =>
  Object.fromEntries(
    Object.entries({ memoryId, actorId, sessionId }).filter(
      ([field]) => !declaredIn(route, field as 'memoryId' | 'actorId' | 'sessionId')[part],
    ),
  );

const sendSample = (
  { api, own }: Restriction,
  route: RouteSpec,
  { path, query, body }: Sample,
  decoy: Decoy = DECOYS[0]!,
): Promise<Sent> => {
  const search = new URLSearchParams({
    ...query,
    ...(decoy.query ? (namesFor(route, 'query', own.belongings) as Record<string, string>) : {}),
  });
  const extra = decoy.body ? namesFor(route, 'body', own.belongings) : {};
  const isObject = body === undefined || (typeof body === 'object' && !Array.isArray(body));
  const whole = isObject ? { ...(body as object | undefined), ...extra } : body;
  const text = typeof whole === 'string' ? whole : JSON.stringify(whole);
  const hasBody = body !== undefined || Object.keys(extra).length > 0;
  const { memoryId = '', actorId = '', sessionId = '' } = own.belongings;
  const values = [memoryId, actorId, sessionId, memoryId, actorId, memoryId, actorId];
  const headers = {
    ...(decoy.headers ? Object.fromEntries(HEADERS.map((name, at) => [name, values[at]])) : {}),
    ...(route.bodyType === undefined ? {} : { 'content-type': route.bodyType }),
  };
  const url = search.size === 0 ? path : `${path}?${search}`;
  return send(api, route.method, url, hasBody ? text : null, headers);
};

/** Reads of a memory without any user's data, and of the tenant's limits, are open to keys of one actor. */
const isOpen = (route: RouteSpec, { own }: Restriction, cell: Cell, isOfOneMemory: boolean): boolean => {
  const kind = userDataOf(route.id);
  if (kind === 'tenant') return true;
  const sameMemory = !isOfOneMemory || own.belongings['memoryId'] === cell.belongings['memoryId'];
  return kind === 'none' && route.method === 'GET' && sameMemory;
};

const breachIn = (
  { secret }: Restriction,
  { status, text }: Sent,
  route: RouteSpec,
  what: string,
  mayPass: boolean,
): Breach[] => {
  const leaked = secret.filter((marker) => text.includes(marker));
  if (leaked.length > 0) return [{ route: route.id, what: `${what}: the answer has ${leaked.join(', ')}` }];
  // 401: an earlier request of the matrix erased the key, so nothing more would be tested.
  if (status >= 500 || status === 401) return [{ route: route.id, what: `${what}: ${status} ${text}` }];
  return status < 300 && !mayPass ? [{ route: route.id, what: `${what}: ${status}` }] : [];
};

/** Requests about what is foreign, each with the caller's own names as decoys. None may succeed. */
export const aboutForeign = async (restriction: Restriction, route: RouteSpec): Promise<Breach[]> => {
  const found: Breach[] = [];
  const isOfOneMemory = restriction.foreign.some(
    (cell) => cell.belongings['memoryId'] !== restriction.own.belongings['memoryId'],
  );
  for (const cell of restriction.foreign) {
    const sample = sampleOf(route, cell.belongings);
    for (const decoy of DECOYS) {
      const sent = await sendSample(restriction, route, sample, decoy);
      const what = `${restriction.name} about ${cell.marker}, with ${decoy.name}`;
      found.push(...breachIn(restriction, sent, route, what, isOpen(route, restriction, cell, isOfOneMemory)));
    }
  }
  return found;
};

/** Fields whose foreign value always makes a request one about something foreign. */
const IDENTIFYING = ['memoryId', 'actorId', 'namespace', 'recordId', 'agentId', 'eventId', 'checkpointId'];

/** Requests about the caller's own, but for one name that is foreign. */
export const withOneForeignName = async (restriction: Restriction, route: RouteSpec): Promise<Breach[]> => {
  const found: Breach[] = [];
  const { own, foreign } = restriction;
  const plain = wholeSampleOf(route, own.belongings);
  if (route.scope?.endsWith(':read') === true) {
    const sent = await sendSample(restriction, route, plain);
    found.push(...breachIn(restriction, sent, route, `${restriction.name} about its own`, true));
  }
  for (const cell of foreign) {
    const names = Object.keys(cell.belongings).filter((name) => cell.belongings[name] !== own.belongings[name]);
    for (const name of names) {
      const mixed = { ...own.belongings, [name]: cell.belongings[name]! };
      const { path, query, body } = wholeSampleOf(route, mixed);
      if (JSON.stringify(plain) === JSON.stringify({ path, query, body })) continue;
      const sent = await sendSample(restriction, route, { path, query, body });
      const what = `${restriction.name} about its own, but ${name} of ${cell.marker}`;
      // Writing to a session of this name, and reading what it holds of the caller's own, is no breach by itself.
      const mayPass =
        !IDENTIFYING.includes(name) ||
        isRepeatable(route) ||
        isOpen(route, restriction, cell, true) ||
        (name === 'checkpointId' && route.method === 'POST');
      found.push(...breachIn(restriction, sent, route, what, mayPass));
    }
  }
  return found;
};

const isRepeatable = ({ method, status }: RouteSpec): boolean => method === 'DELETE' && status === 204;

/** A sample that names its subjects in optional fields too. */
const wholeSampleOf = (route: RouteSpec, belongings: Belongings): Sample => {
  const optional = Object.fromEntries(
    (['memoryId', 'actorId', 'sessionId'] as const)
      .filter((field) => declaredIn(route, field).query || declaredIn(route, field).body)
      .map((field) => [field, declaredIn(route, field).query ? 'query' : 'body'] as const),
  );
  const sample = sampleOf(route, belongings);
  const given = (part: 'query' | 'body') =>
    Object.fromEntries(
      Object.entries(optional)
        .filter(([, where]) => where === part)
        .map(([field]) => [field, belongings[field]!]),
    );
  const isObject = typeof sample.body === 'object' && sample.body !== null && !Array.isArray(sample.body);
  return {
    ...sample,
    query: { ...sample.query, ...given('query') },
    body: isObject ? { ...(sample.body as object), ...given('body') } : sample.body,
  };
};

/** Whether an unrestricted key finds the marker with the same request: otherwise a refusal would prove nothing. */
export const findsMarker = async (api: Api, route: RouteSpec, cell: Cell): Promise<boolean> => {
  const restriction = { name: 'anyone', api, own: cell, foreign: [], secret: [] };
  const { status, text } = await sendSample(restriction, route, wholeSampleOf(route, cell.belongings));
  if (status === 429) throw new Error(`${route.id}: ${text}`);
  return status < 300 && text.includes(cell.marker);
};
