export * from './create-event-store.js';
export * from './pg-event-store.js';
export * from './migrate-log.js';
export * from './relay/pg-relay-cursor.js';
export * from './audit/audit-log.js';
