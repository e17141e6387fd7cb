export { apiMarkdown } from './api-page.js';
export { asyncApiDocument } from './asyncapi.js';
export { openApiDocument } from './document.js';
export { PLACEHOLDER } from './examples/synthesize.js';
