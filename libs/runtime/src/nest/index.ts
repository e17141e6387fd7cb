export * from './runtime.module.js';
export * from './tokens.js';
export * from './use-cases.js';
