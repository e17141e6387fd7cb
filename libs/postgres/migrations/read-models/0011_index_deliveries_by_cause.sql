-- Up Migration

create index webhook_deliveries_by_cause on webhook_deliveries (cause_event_id);
