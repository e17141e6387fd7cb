-- Up Migration

-- Planned once per connection, without the statistics of the tables (ADR 0016): threads are reached by lateral lookups
-- with a limit, which can only use an index. Before, a batch read all threads of an installation that had not been
-- analyzed yet. Most batches continue threads that were touched within the last minute: one lookup each.
create or replace function write_graph_batch(
  for_tenant uuid,
  t_memory uuid[], t_actor text[], t_session text[],
  c_thread integer[], c_ns text[], c_id text[], c_parent text[], c_type text[], c_data text[], c_metadata_type text[],
  c_metadata text[], c_labels text[], c_versions text[],
  b_thread integer[], b_ns text[], b_channel text[], b_version text[], b_type text[], b_data text[],
  w_thread integer[], w_ns text[], w_id text[], w_path text[], w_task text[], w_index integer[], w_channel text[],
  w_type text[], w_data text[], w_overwrite boolean[]
)
returns bigint[] language plpgsql volatile
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_bitmapscan = off
set enable_hashjoin = off
set enable_mergejoin = off
as $$
declare
  open_memories uuid[];
  keys bigint[];
begin
  -- Locked, so that the deletion of a memory cannot miss rows written here.
  open_memories := array(
    select m.memory_id from memories m
     where m.tenant_id = for_tenant and m.memory_id = any (array(select distinct unnest(t_memory)))
       and m.status = 'ACTIVE' for key share
  );
  keys := array(
    select (select t.thread_key from graph_threads t
             where t.memory_id = a.memory_id and t.session_id = a.session_id and t.actor_id = a.actor_id
               and t.tenant_id = for_tenant and t.touched_at >= now() - interval '1 minute'
               and a.memory_id = any (open_memories) limit 1)
      from unnest(t_memory, t_actor, t_session) with ordinality as a(memory_id, actor_id, session_id, nr)
     order by a.nr
  );
  if array_position(keys, null) is not null then
    -- An expired thread starts anew.
    delete from graph_threads
     where thread_key = any (array(
       select x.thread_key
         from unnest(t_memory, t_actor, t_session) as a(memory_id, actor_id, session_id)
        cross join lateral (
          select t.thread_key from graph_threads t
           where t.memory_id = a.memory_id and t.session_id = a.session_id and t.actor_id = a.actor_id
             and t.tenant_id = for_tenant
             and t.touched_at < now() - make_interval(days => (
               select m.event_expiry_duration from memories m where m.memory_id = a.memory_id limit 1))
           limit 1) x));
    insert into graph_threads (tenant_id, memory_id, actor_id, session_id)
    select for_tenant, a.memory_id, a.actor_id, a.session_id
      from unnest(t_memory, t_actor, t_session) as a(memory_id, actor_id, session_id)
     where a.memory_id = any (open_memories)
     order by 2, 4, 3
    on conflict do nothing;
    -- Locked in order, because concurrent batches may touch the same threads.
    update graph_threads set touched_at = now()
     where thread_key = any (array(
       select x.thread_key
         from unnest(t_memory, t_actor, t_session) as a(memory_id, actor_id, session_id)
        cross join lateral (
          select t.thread_key from graph_threads t
           where t.memory_id = a.memory_id and t.session_id = a.session_id and t.actor_id = a.actor_id
             and t.tenant_id = for_tenant and t.touched_at < now() - interval '1 minute'
           limit 1 for no key update) x
        order by a.memory_id, a.session_id, a.actor_id));
    keys := array(
      select coalesce((select t.thread_key from graph_threads t
                        where t.memory_id = a.memory_id and t.session_id = a.session_id and t.actor_id = a.actor_id
                          and t.tenant_id = for_tenant and a.memory_id = any (open_memories) limit 1), 0)
        from unnest(t_memory, t_actor, t_session) with ordinality as a(memory_id, actor_id, session_id, nr)
       order by a.nr
    );
  end if;
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
  if cardinality(w_thread) > 0 then
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
  end if;
  return keys;
end $$;
