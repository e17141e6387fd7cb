-- Up Migration

-- Deliveries whose content is no longer kept are forgotten after a time, with their attempts, and so are parked messages
-- that were replayed or dropped. Deliveries of histories stay for as long as their agent: an erasure tells those who got
-- one. The previous release survives this: it deletes none of them.
create index webhook_deliveries_final on webhook_deliveries (created_at)
  where purged_at is not null and event_type <> 'agent.history';
create index parked_items_resolved on parked_items (resolved_at) where resolved_at is not null;
