import * as admin from './admin.routes.js';
import * as agents from './agents.routes.js';
import * as audit from './audit.routes.js';
import * as belief from './belief.routes.js';
import * as checkpoints from './checkpoints.routes.js';
import * as extraction from './extraction.routes.js';
import * as context from './context.routes.js';
import * as events from './events.routes.js';
import * as graphStore from './graph-store.routes.js';
import * as limits from './limits.routes.js';
import * as mcp from './mcp.routes.js';
import * as memories from './memories.routes.js';
import * as operations from './operations.routes.js';
import * as records from './records.routes.js';
import * as rollingMemory from './rolling-memory.routes.js';
import type { RouteSpec } from './route.js';
import * as sessions from './sessions.routes.js';
import * as shortTerm from './short-term.routes.js';
import * as transfer from './transfer.routes.js';
import * as turnSearch from './turn-search.routes.js';
import * as webhooks from './webhooks.routes.js';

/** Sorts by path and method, so that the document and the tests do not depend on the order of a module's exports. */
const inOrder = <Module extends Readonly<Record<string, RouteSpec>>>(module: Module): Module =>
  Object.fromEntries(Object.entries(module).sort(([, a], [, b]) => (placeOf(a) < placeOf(b) ? -1 : 1))) as Module;
const placeOf = ({ path, method }: RouteSpec): string => `${path} ${method}`;

/**
 * Every route of our own by its id, except those about vendors. Tests fail if a process serves a route that is missing
 * here.
 */
export const routes = {
  ...inOrder(memories),
  ...inOrder(sessions),
  ...inOrder(events),
  ...inOrder(turnSearch),
  ...inOrder(context),
  ...inOrder(records),
  ...inOrder(belief),
  ...inOrder(extraction),
  ...inOrder(rollingMemory),
  ...inOrder(agents),
  ...inOrder(webhooks),
  ...inOrder(shortTerm),
  ...inOrder(transfer),
  ...inOrder(mcp),
  ...inOrder(checkpoints),
  ...inOrder(graphStore),
  ...inOrder(limits),
  ...inOrder(audit),
  ...inOrder(admin),
  ...inOrder(operations),
} as const;

export const ROUTES: readonly RouteSpec[] = Object.values(routes);

export { AUTH_ROUTES } from './auth.routes.js';
export {
  PATH_PARAMETERS,
  pathParameters,
  noQuery,
  route,
  routesOf,
  storesFirstAnswer,
  VENDOR_BODY_BYTES,
} from './route.js';
export type { InputOf, OutputOf, PathParameter, RouteSpec } from './route.js';
export { allowsScope, APPLICATION_SCOPES, SCOPES, scopesAllowedBy, scopesEnoughFor, type Scope } from './scopes.js';
