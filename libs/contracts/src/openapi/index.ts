export { apiMarkdown } from './api-page.js';
export { asyncApiDocument } from './asyncapi.js';
export { DOCUMENTED_ROUTES, openApiDocument, openApiJson } from './document.js';
