export * from './event-schemas.js';
export * from './upcast.js';
export * from './check-event.js';
