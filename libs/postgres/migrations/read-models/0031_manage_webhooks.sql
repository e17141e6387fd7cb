-- Up Migration

-- A secret has a life of its own: { secret, createdAt, expiresAt }, newest first.
update webhook_endpoints e
   set secrets = (select json_agg(json_build_object('secret', s.secret, 'createdAt', to_char(
                           e.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'expiresAt', null)
                         order by s.place)
                    from json_array_elements_text(e.secrets) with ordinality as s(secret, place));

-- What is not about an agent has its body from the beginning.
alter table webhook_deliveries alter column agent_id drop not null;

-- Listings go on behind a time as clients read it: in milliseconds.
alter table webhook_deliveries alter column created_at type timestamptz(3);
drop index webhook_deliveries_by_endpoint;
create index webhook_deliveries_by_endpoint on webhook_deliveries (endpoint_id, created_at desc, delivery_id desc);
