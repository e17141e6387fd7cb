export { openApiDocument, openApiJson } from './document.js';
