export * from './agora-call.js';
export * from './agora-snapshot.js';
export * from './zego-callbacks.js';
export * from './connector-errors.js';
export * from './connector-places.js';
export * from './zego-call.js';
export * from './vendor-time.js';
