export * as connectorRoutes from './connectors.routes.js';
export * as vendorAppRoutes from './vendor-apps.routes.js';
export type { CreateConnectorBody } from './connector-bodies.js';
