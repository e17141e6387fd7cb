export * from './runtime.js';
export * from './status.js';
export * from './stores.js';
export * from './webhooks.js';
