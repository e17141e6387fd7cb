export { createEmbedders } from './create-embedders.js';
export { openEmbedders } from './open-embedders.js';
