-- Up Migration

-- The id that the voice platform gave a connector's agent: it is sent on in webhooks, and its client finds the agent by
-- it. The previous release survives this: it writes no such id.
alter table agents add column vendor_agent_id text;
create index agents_by_vendor_id on agents (tenant_id, vendor_agent_id) where vendor_agent_id is not null;

-- Two projects of a voice platform can run agents of the same name, as they can there. The previous release survives
-- this: it reports the same violation, only less often.
drop index agents_running_name;
create unique index agents_running_name on agents (tenant_id, coalesce(app_id, ''), name) where status = 'RUNNING';
