-- Up Migration

-- Names of agents without a vendor's app were unique in the whole tenant: two products of a company could not both run a "desk".

drop index agents_running_name;
create unique index agents_running_name on agents (tenant_id, coalesce(app_id, memory_id::text), name) where status = 'RUNNING';
