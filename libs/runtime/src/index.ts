export * from './runtime.js';
export * from './stores.js';
export * from './webhooks.js';
