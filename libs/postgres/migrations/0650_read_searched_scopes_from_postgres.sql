-- Up Migration

-- Ingest processes no longer hold searched scopes in memory (docs/adr/0086): what had changed since and what was not
-- indexed yet were read in different snapshots, and a search missed messages in between.
-- Fails rather than make appends queue behind a long backup.
set local lock_timeout = '5s';
drop trigger note_added_turns on turn_sessions;
drop trigger note_updated_turns on turn_sessions;
drop trigger note_deleted_turns on turn_sessions;
drop trigger note_dropped_turns on turn_sessions;
drop trigger note_added_records on records;
drop trigger note_updated_records on records;
drop trigger note_deleted_records on records;
drop trigger note_added_sources on record_sources;
drop trigger note_updated_sources on record_sources;
drop trigger note_deleted_sources on record_sources;
drop function note_changed_turns();
drop function note_changed_records();
drop function note_changed_sources();
drop function records_scope(uuid, text);

-- Processes of the previous release still call the following. They are told that all they hold may have changed, and that
-- nothing can be held: they search in Postgres then.
create or replace function check_held_turns(for_tenant uuid, of_memory uuid, of_actor text, since text)
returns table (indexed float8, head float8, as_of text, session_keys bigint[])
language sql stable set search_path from current
begin atomic
  select c.position::float8, newest_position()::float8, '', null::bigint[] from question_cursor c where c.name = 'turns';
end;

create or replace function list_held_turns(for_tenant uuid, of_memory uuid, of_actor text, chosen bigint[], after_session bigint, most integer)
returns table (session_key float8, words float8, first_day integer, last_day integer, speakers text[], languages text[], turns text)
language sql immutable set search_path from current
begin atomic
  select null::float8, null::float8, null::integer, null::integer, null::text[], null::text[], null::text where false;
end;

create or replace function check_held_records(
  for_tenant uuid, of_memory uuid, in_namespace text, since text, query text, subjects text
)
returns table (as_of text, record_ids uuid[], asked text)
language sql immutable set search_path from current
begin atomic
  select '', null::uuid[], null::text;
end;

create or replace function list_held_records(
  for_tenant uuid, of_memory uuid, in_namespace text, chosen uuid[], before timestamptz, after_record uuid, most integer
)
returns table (
  record_id uuid, created_at timestamptz, created float8, is_superseded boolean, actor_id text, terms text, has_sources boolean, sources text
)
language sql immutable set search_path from current
begin atomic
  select null::uuid, null::timestamptz, null::float8, null::boolean, null::text, null::text, null::boolean, null::text
  where false;
end;

create or replace function forget_search_changes(most integer) returns integer
language sql immutable set search_path from current
return 0;

drop function changes_since(bigint, text);
drop function snapshot_epoch();
drop table search_changes;
