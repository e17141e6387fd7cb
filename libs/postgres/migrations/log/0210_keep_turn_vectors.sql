-- Up Migration

-- Vectors of turns, so that a question also finds turns that say the same in other words. The worker embeds the turns of
-- the log in the background, in order, for each model; a search reads the vectors of the turns that words have found.
-- Without a model both tables stay empty. The previous release survives this: it does not know the tables.

create table embedding_models (
  model_id integer generated always as identity primary key,
  -- Vectors of different models cannot be compared.
  model text not null unique,
  dimensions integer not null,
  -- The log has vectors of this model up to here.
  position bigint not null default 0,
  -- It once reached the head of the log. From then on its vectors serve, and those of earlier models are deleted.
  complete boolean not null default false,
  created_at timestamptz not null default now()
);

-- Only ever inserted and deleted.
create table turn_vectors (
  session_key bigint not null,
  sequence bigint not null,
  model_id integer not null references embedding_models,
  tenant_id uuid not null,
  -- One signed byte for each dimension.
  vector bytea not null,
  primary key (session_key, sequence, model_id)
);
create index turn_vectors_of_model on turn_vectors (model_id);

-- Stores vectors of the log's events after one position, up to and with another. Returns how far the model is then; null
-- when another process is storing. `vectors`: [{position, vector}] in base64.
create function keep_turn_vectors(of_model integer, after_position bigint, upto_position bigint, vectors json)
returns bigint language plpgsql security definer set search_path from current as $$
declare
  reached bigint;
  upto bigint := upto_position;
  wanted bigint[];
  held bigint[];
begin
  select m.position into reached from embedding_models m where m.model_id = of_model for update skip locked;
  if reached is null or reached <> after_position then
    return reached;
  end if;
  select array_agg((v ->> 'position')::bigint) into wanted from json_array_elements(vectors) v;
  -- Held until the commit: a deletion that comes later finds these rows, and one that is under way ends this batch before
  -- the event that it deletes.
  select array_agg(e.position) into held from (
    select i.position from events i where i.partition = 0 and i.position = any (wanted) for key share skip locked
  ) e;
  select least(upto, min(e.position) - 1) into upto from events e
  where e.partition = 0 and e.position = any (wanted) and e.position <> all (coalesce(held, '{}'));
  upto := coalesce(upto, upto_position);
  insert into turn_vectors (session_key, sequence, model_id, tenant_id, vector)
  select e.session_key, e.sequence, of_model, e.tenant_id, decode(v.vector, 'base64')
  from json_to_recordset(vectors) as v (position bigint, vector text)
  join events e on e.partition = 0 and e.position = v.position
  where v.position <= upto and v.position = any (held)
  on conflict do nothing;
  update embedding_models m set position = upto where m.model_id = of_model;
  return upto;
end $$;

-- Whatever deletes an event deletes its vectors.
create function forget_turn_vectors() returns trigger language plpgsql security definer
set search_path from current as $$
begin
  delete from turn_vectors v using gone g where v.session_key = g.session_key and v.sequence = g.sequence;
  return null;
end $$;
create trigger forget_turn_vectors after delete on events
  referencing old table as gone for each statement execute function forget_turn_vectors();
