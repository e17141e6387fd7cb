-- Up Migration

-- Receipts of erasures are signed with a key pair that is derived from this. The previous release survives this.
insert into signing_keys (name, key)
values ('erasure_receipts', replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''))
on conflict do nothing;
