-- Up Migration

-- What an erasure looks for.
create index record_sources_by_session on record_sources (session_key) where session_key is not null;
create index records_by_session on records (session_key) where session_key is not null;
create index records_of_actor on records (memory_id, actor_id) where actor_id is not null;
create index agents_by_session on agents (memory_id, actor_id, session_id);
create index webhook_deliveries_by_agent on webhook_deliveries (agent_id);
create index memories_deleted on memories (memory_id) where status = 'DELETED';
