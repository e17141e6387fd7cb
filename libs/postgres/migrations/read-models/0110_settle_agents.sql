-- Up Migration

-- Gives an agent the session sequence of its start or its end, between the append of that event and the commit. The
-- agent's row was written, and so locked, before. The previous release survives this: it does not know the function.
create function settle_agent(of_agent uuid, of_event uuid) returns void language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
begin
  update agents a
  set started_sequence = case when e.type = 'agent.started' then e.sequence else a.started_sequence end,
      stopped_sequence = case when e.type = 'agent.started' then a.stopped_sequence else e.sequence end
  from events e
  where a.agent_id = of_agent and e.tenant_id = a.tenant_id and e.event_id = of_event
    and e.type in ('agent.started', 'agent.stopped', 'agent.failed');
end $$;
