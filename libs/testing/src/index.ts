export * from './servers.js';
export * from './test-database.js';
