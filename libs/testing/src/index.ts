export * from './servers.js';
export * from './test-database.js';
export * from './model-server/index.js';
