-- Up Migration

-- Keys that this installation signs with, made here where no setting gives one. Each is 244 random bits.
create table signing_keys (
  name text primary key,
  key text not null,
  created_at timestamptz not null default now()
);
insert into signing_keys (name, key)
values ('history_links', replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''));
