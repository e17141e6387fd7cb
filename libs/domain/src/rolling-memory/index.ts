export * from './rolling-state.js';
export * from './captured-state.js';
export * from './restore.js';
export * from './rolling-memory-events.js';
