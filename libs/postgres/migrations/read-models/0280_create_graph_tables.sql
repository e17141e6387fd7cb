-- Up Migration

-- State of agent graphs (LangGraph): the checkpoints of threads. A thread is a session of an actor.
-- The previous release survives this: it does not know the tables.

create table graph_threads (
  thread_key bigint generated always as identity primary key,
  tenant_id uuid not null,
  memory_id uuid not null,
  actor_id text not null,
  session_id text not null,
  -- Last use, to the minute. A thread expires as a whole: its newest checkpoint refers to values of its oldest.
  touched_at timestamptz not null default now(),
  unique (memory_id, session_id, actor_id)
);

create table graph_checkpoints (
  thread_key bigint not null references graph_threads on delete cascade,
  tenant_id uuid not null,
  memory_id uuid not null,
  checkpoint_ns text collate "C" not null,
  checkpoint_id text collate "C" not null,
  parent_id text collate "C",
  -- Serialized values: the serializer's type and base64.
  type text not null,
  data text not null,
  metadata_type text not null,
  metadata text not null,
  -- Scalar values of the metadata, for filters.
  labels jsonb not null,
  -- Version of every channel; its value is in graph_blobs.
  versions jsonb not null,
  primary key (thread_key, checkpoint_ns, checkpoint_id)
);

create table graph_blobs (
  thread_key bigint not null references graph_threads on delete cascade,
  tenant_id uuid not null,
  memory_id uuid not null,
  checkpoint_ns text collate "C" not null,
  channel text collate "C" not null,
  version text collate "C" not null,
  type text not null,
  data text not null,
  primary key (thread_key, checkpoint_ns, channel, version)
);

-- Writes of tasks; they may arrive before their checkpoint.
create table graph_writes (
  thread_key bigint not null references graph_threads on delete cascade,
  tenant_id uuid not null,
  memory_id uuid not null,
  checkpoint_ns text collate "C" not null,
  checkpoint_id text collate "C" not null,
  task_path text collate "C" not null,
  task_id text collate "C" not null,
  write_index integer not null,
  channel text not null,
  type text not null,
  data text not null,
  primary key (thread_key, checkpoint_ns, checkpoint_id, task_id, write_index)
);

-- Writes requests of one tenant, all or none, in one statement. Rows name their thread by its number in the first three
-- arrays, from 1. Returns the key of each thread; 0 where the memory does not exist.
create function write_graph_batch(
  for_tenant uuid,
  t_memory uuid[], t_actor text[], t_session text[],
  c_thread integer[], c_ns text[], c_id text[], c_parent text[], c_type text[], c_data text[], c_metadata_type text[],
  c_metadata text[], c_labels text[], c_versions text[],
  b_thread integer[], b_ns text[], b_channel text[], b_version text[], b_type text[], b_data text[],
  w_thread integer[], w_ns text[], w_id text[], w_path text[], w_task text[], w_index integer[], w_channel text[],
  w_type text[], w_data text[], w_overwrite boolean[]
)
returns bigint[] language plpgsql volatile as $$
declare
  open_memories uuid[];
  keys bigint[];
begin
  -- Locked, so that the deletion of a memory cannot miss what is written here.
  open_memories := array(
    select m.memory_id from memories m
     where m.tenant_id = for_tenant and m.memory_id = any (t_memory) and m.status = 'ACTIVE' for key share
  );
  -- An expired thread starts anew.
  delete from graph_threads t
   using memories m, unnest(t_memory, t_actor, t_session) as a(memory_id, actor_id, session_id)
   where t.memory_id = a.memory_id and t.actor_id = a.actor_id and t.session_id = a.session_id
     and t.tenant_id = for_tenant and m.memory_id = t.memory_id
     and t.touched_at < now() - make_interval(days => m.event_expiry_duration);
  insert into graph_threads (tenant_id, memory_id, actor_id, session_id)
  select for_tenant, a.memory_id, a.actor_id, a.session_id
    from unnest(t_memory, t_actor, t_session) as a(memory_id, actor_id, session_id)
   where a.memory_id = any (open_memories)
   order by 2, 4, 3
  on conflict do nothing;
  update graph_threads t set touched_at = now()
    from unnest(t_memory, t_actor, t_session) as a(memory_id, actor_id, session_id)
   where t.memory_id = a.memory_id and t.actor_id = a.actor_id and t.session_id = a.session_id
     and t.tenant_id = for_tenant and t.touched_at < now() - interval '1 minute';
  keys := array(
    select coalesce(t.thread_key, 0)
      from unnest(t_memory, t_actor, t_session) with ordinality as a(memory_id, actor_id, session_id, nr)
      left join graph_threads t on t.memory_id = a.memory_id and t.actor_id = a.actor_id
        and t.session_id = a.session_id and t.tenant_id = for_tenant and t.memory_id = any (open_memories)
     order by a.nr
  );
  insert into graph_checkpoints as old
    (thread_key, tenant_id, memory_id, checkpoint_ns, checkpoint_id, parent_id, type, data, metadata_type, metadata,
     labels, versions)
  select keys[c.thread], for_tenant, t_memory[c.thread], c.ns, c.id, c.parent, c.type, c.data, c.metadata_type,
         c.metadata, c.labels::jsonb, c.versions::jsonb
    from unnest(c_thread, c_ns, c_id, c_parent, c_type, c_data, c_metadata_type, c_metadata, c_labels, c_versions)
      as c(thread, ns, id, parent, type, data, metadata_type, metadata, labels, versions)
   where keys[c.thread] > 0
   order by 1, c.ns, c.id
  on conflict (thread_key, checkpoint_ns, checkpoint_id) do update
    set parent_id = excluded.parent_id, type = excluded.type, data = excluded.data,
        metadata_type = excluded.metadata_type, metadata = excluded.metadata, labels = excluded.labels,
        versions = excluded.versions;
  insert into graph_blobs (thread_key, tenant_id, memory_id, checkpoint_ns, channel, version, type, data)
  select keys[b.thread], for_tenant, t_memory[b.thread], b.ns, b.channel, b.version, b.type, b.data
    from unnest(b_thread, b_ns, b_channel, b_version, b_type, b_data) as b(thread, ns, channel, version, type, data)
   where keys[b.thread] > 0
   order by 1, b.ns, b.channel, b.version
  on conflict do nothing;
  -- Special writes (errors, interrupts, resumes) replace those of an earlier attempt.
  insert into graph_writes
    (thread_key, tenant_id, memory_id, checkpoint_ns, checkpoint_id, task_path, task_id, write_index, channel, type, data)
  select keys[w.thread], for_tenant, t_memory[w.thread], w.ns, w.id, w.path, w.task, w.index, w.channel, w.type, w.data
    from unnest(w_thread, w_ns, w_id, w_path, w_task, w_index, w_channel, w_type, w_data, w_overwrite)
      as w(thread, ns, id, path, task, index, channel, type, data, overwrite)
   where keys[w.thread] > 0 and w.overwrite
   order by 1, w.ns, w.id, w.task, w.index
  on conflict (thread_key, checkpoint_ns, checkpoint_id, task_id, write_index) do update
    set task_path = excluded.task_path, channel = excluded.channel, type = excluded.type, data = excluded.data;
  insert into graph_writes
    (thread_key, tenant_id, memory_id, checkpoint_ns, checkpoint_id, task_path, task_id, write_index, channel, type, data)
  select keys[w.thread], for_tenant, t_memory[w.thread], w.ns, w.id, w.path, w.task, w.index, w.channel, w.type, w.data
    from unnest(w_thread, w_ns, w_id, w_path, w_task, w_index, w_channel, w_type, w_data, w_overwrite)
      as w(thread, ns, id, path, task, index, channel, type, data, overwrite)
   where keys[w.thread] > 0 and not w.overwrite
   order by 1, w.ns, w.id, w.task, w.index
  on conflict do nothing;
  return keys;
end $$;
