-- Up Migration

-- A session's rows by its name. The previous release survives this.
create index extraction_states_by_session on extraction_states (memory_id, actor_id, session_id);
