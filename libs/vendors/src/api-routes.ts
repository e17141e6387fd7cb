import {
  AUTH_ROUTES,
  openApiDocument,
  ROUTES,
  OWN_USER_DATA,
  type RouteSpec,
  type UserData,
} from '@turnkeeper/contracts';
import { CONNECTABLE, VENDORS } from './vendors.js';
import * as connectors from './management/connectors.routes.js';
import * as vendorApps from './management/vendor-apps.routes.js';

const inOrder = (routes: readonly RouteSpec[]): readonly RouteSpec[] =>
  [...routes].sort((a, b) => (`${a.path} ${a.method}` < `${b.path} ${b.method}` ? -1 : 1));

/** Our own routes about vendors and in their formats, and where vendors send their callbacks. */
const VENDOR_ROUTES: readonly RouteSpec[] = [
  ...inOrder(CONNECTABLE.map(({ connector }) => connector.callback)),
  ...inOrder(VENDORS.flatMap(({ routes }) => routes ?? [])),
  ...inOrder(Object.values(connectors)),
  ...inOrder(Object.values(vendorApps)),
];

/** Routes of the vendors' server APIs, with the vendors' errors. */
export const VENDOR_API_ROUTES: readonly RouteSpec[] = VENDORS.flatMap(({ api }) => api?.routes ?? []);

/** Routes with our own errors. */
export const OUR_ROUTES: readonly RouteSpec[] = [...ROUTES, ...VENDOR_ROUTES];

/** The same and the routes of the vendors' server APIs that take our keys. */
export const API_ROUTES: readonly RouteSpec[] = [
  ...OUR_ROUTES,
  ...VENDOR_API_ROUTES.filter(({ scope }) => scope !== null),
];

const KEYED: ReadonlyMap<string, RouteSpec> = new Map(API_ROUTES.map((spec) => [spec.id, spec]));

/** The route with this id, of those that take our keys. */
export const apiRoute = (routeId: string | undefined): RouteSpec | undefined => KEYED.get(routeId ?? '');

/** Every route of the OpenAPI document. */
export const DOCUMENTED_ROUTES: readonly RouteSpec[] = [...OUR_ROUTES, ...AUTH_ROUTES, ...VENDOR_API_ROUTES];

/** Whose data a route accesses. Unknown routes are treated as `everyone`, which is rejected. */
export const userDataOf = (routeId: string | undefined): UserData =>
  apiRoute(routeId)?.userData ?? OWN_USER_DATA[routeId ?? ''] ?? 'everyone';

/** Ids of all routes for which `userDataOf` has an entry. */
export const USER_DATA_ROUTES: readonly string[] = [
  ...Object.keys(OWN_USER_DATA),
  ...API_ROUTES.flatMap(({ id, userData }) => (userData === undefined ? [] : [id])),
];

const TAGS: Readonly<Record<string, string>> = Object.fromEntries(
  VENDORS.flatMap(({ api }) => (api === undefined ? [] : [[api.routes[0]?.tag ?? '', api.tag]])),
);

/** The whole API as an OpenAPI 3.1 document. */
export const apiDocument = (): ReturnType<typeof openApiDocument> => openApiDocument(DOCUMENTED_ROUTES, TAGS);
