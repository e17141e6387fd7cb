// The log
export * from './log/create-event-store.js';
export * from './log/pg-event-store.js';
export { PgTraceContexts } from './log/trace-contexts.js';
export { observeUnknownEvents } from './log/read/event-row.js';
export * from './log/read/pg-log-provenance.js';
/** @public The type that `createStores` infers names it. */
export { PgSessionActivity } from './log/read/pg-session-activity.js';
export * from './log/read/pg-session-directory.js';
export * from './log/relay/pg-relay-cursor.js';
export * from './log/erase/pg-log-erasure.js';
export * from './log/audit/audit-log.js';

// Search in the log
export * from './search/questions/pg-question-index.js';
export { inSteps } from './search/time-slices.js';
export * from './search/turns/pg-turn-index.js';
export * from './search/vectors/embedding-models.js';
export * from './search/vectors/record-embedder.js';
export * from './search/vectors/record-meaning.js';
export * from './search/vectors/turn-embedder.js';

// Tables that are computed from the log
export * from './projections/agents/agent-store.js';
export * from './projections/memories/memory-store.js';
export * from './projections/memories/rolling-memory-store.js';
export * from './projections/memories/session-pulses.js';
export * from './projections/records/record-writer.js';
export * from './projections/records/record-deletions.js';
export * from './projections/records/record-reader.js';
export * from './projections/usage/tenant-usage.js';
export * from './projections/usage/totals.js';

// Work that is due
export * from './work/agent-idle-store.js';
export * from './work/connectors/connector-store.js';
export * from './work/connectors/notice-store.js';
export { PgDeliveryStore } from './work/deliveries/delivery-store.js';
export { PgWebhookEndpointStore } from './work/deliveries/webhook-endpoint-store.js';
export * from './work/dispatch/dispatch-cursor.js';
export * from './work/extraction/extraction-claims.js';
export * from './work/extraction/extraction-schedule.js';
export * from './work/extraction/extraction-states.js';
export * from './work/extraction/spent-states.js';
export * from './work/parked/parked-work-store.js';
export * from './work/parked/parking-lot.js';
export * from './work/activity-log.js';
export * from './work/work-gauges.js';

// Tenants, keys and what they may do
export * from './access/audit-log-store.js';
export { databaseRoles } from './access/database-roles.js';
export { PgIdempotentRequests } from './access/idempotent-requests.js';
export * from './access/key-store.js';
export * from './access/rate-budgets.js';
export * from './access/service-login.js';
export * from './access/signing-keys.js';
export * from './access/tenant-store.js';
export * from './access/vendor-agent-store.js';
export * from './access/vendor-app-store.js';

// Erasure of a tenant, a memory, an actor or a session
export * from './erasure/personal-rows.js';
export * from './erasure/tenant-erasure.js';

// State of agent graphs
export { PgCheckpointStore, purgeExpiredThreads } from './graphs/checkpoint-store.js';
export { PgGraphItems, purgeExpiredItems } from './graphs/graph-items.js';
export { PgGraphTransfer } from './graphs/graph-transfer.js';

// Encryption of stored secrets
export type { SecretCipher } from './secrets/secret-cipher.js';
export { EnvelopeCipher } from './secrets/envelope-cipher.js';
export * from './secrets/seal-stored-secrets.js';

// Rebuild of the projections
export * from './rebuild/pg-shadow-projections.js';
export { PROJECTION_TABLES } from './rebuild/projection-tables.js';
export { createShadowStores } from './rebuild/shadow-stores.js';

// Connections and migrations
export { DatabaseClock } from './connections/database-clock.js';
export * from './connections/database-away.js';
export * from './connections/database.js';
export { withinReach } from './connections/row-reach.js';
export * from './connections/caller-activity.js';
export * from './connections/pacer.js';
export * from './connections/lasting-failure.js';
export { shareConnections } from './connections/share-connections.js';
export { TypeOrmUnitOfWork } from './connections/unit-of-work.js';
export * from './connections/with-database.js';
export * from './migrate/applied-migrations.js';
export * from './migrate/migrate-database.js';
