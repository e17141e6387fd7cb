export * from './create-event-store.js';
export * from './pg-event-store.js';
export * from './migrate-log.js';
export * from './relay/pg-relay-cursor.js';
export * from './audit/audit-log.js';
export * from './erase/pg-log-erasure.js';
export * from './read/pg-session-directory.js';
export * from './questions/pg-question-index.js';
