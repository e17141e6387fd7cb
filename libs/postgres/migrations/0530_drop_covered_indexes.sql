-- Up Migration

-- Other indexes begin with the same columns: record_sources_by_turn and records_of_actor.
-- Records first, as by every statement that writes both. Fails rather than make readers queue behind a long backup.
set local lock_timeout = '5s';
drop index records_by_actor;
drop index record_sources_by_session;
