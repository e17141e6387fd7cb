export { apiMarkdown } from './api-page.js';
export { asyncApiDocument } from './asyncapi.js';
export { openApiDocument, openApiJson } from './document.js';
