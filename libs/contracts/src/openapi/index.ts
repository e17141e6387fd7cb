export { openApiDocument } from './document.js';
export { PLACEHOLDER } from './examples/synthesize.js';
export { SchemaCollector, type JsonSchema } from './schemas.js';
export { TAG_DESCRIPTIONS } from './tags.js';
