import * as admin from './admin.routes.js';
import * as agents from './agents.routes.js';
import * as belief from './belief.routes.js';
import * as extraction from './extraction.routes.js';
import * as connectors from './connectors.routes.js';
import * as events from './events.routes.js';
import * as memories from './memories.routes.js';
import * as records from './records.routes.js';
import * as rollingMemory from './rolling-memory.routes.js';
import type { RouteSpec } from './route.js';
import * as sessions from './sessions.routes.js';
import * as shortTerm from './short-term.routes.js';
import * as transfer from './transfer.routes.js';
import * as vendorApps from './vendor-apps.routes.js';
import * as webhooks from './webhooks.routes.js';

/** Every route by its id. A route that a process serves and that is not here fails the build's tests. */
export const routes = {
  ...memories,
  ...sessions,
  ...events,
  ...records,
  ...belief,
  ...extraction,
  ...rollingMemory,
  ...agents,
  ...webhooks,
  ...connectors,
  ...vendorApps,
  ...shortTerm,
  ...transfer,
  ...admin,
} as const;

export const ROUTES: readonly RouteSpec[] = Object.values(routes);

export { PATH_PARAMETERS, pathParameters, noQuery, route } from './route.js';
export type { InputOf, OutputOf, PathParameter, RouteSpec } from './route.js';
export { APPLICATION_SCOPES, SCOPES, type Scope } from './scopes.js';
