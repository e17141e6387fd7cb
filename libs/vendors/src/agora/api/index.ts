export * from './agents.js';
export * from './bodies.js';
export * from './cursor.js';
export * from './errors.js';
export * from './join.js';
export * from './responses.js';
export * from './routes.js';
export * from './turns.js';
