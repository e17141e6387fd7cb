export * from './connector-errors.js';
export * from './connector-places.js';
export * from './vendor-time.js';
