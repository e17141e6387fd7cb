export * as connectorRoutes from './connectors.routes.js';
export * as vendorAppRoutes from './vendor-apps.routes.js';
