-- Up Migration

-- Items of a store that agent graphs share. The previous release survives this: it does not know the table.
create table graph_items (
  item_key bigint generated always as identity,
  tenant_id uuid not null,
  memory_id uuid not null,
  namespace text[] collate "C" not null,
  key text collate "C" not null,
  value jsonb not null,
  -- Null for an item that a query does not rank.
  words tsvector,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- Null: kept until it is deleted.
  expires_at timestamptz,
  primary key (memory_id, namespace, key)
);
create index graph_items_expired on graph_items (expires_at) where expires_at is not null;

-- Whether a value has what a filter asks for, by LangGraph's rules: a scalar is equal, or an object of operators holds.
-- Ranges compare numbers with numbers and texts with texts.
create function graph_value_matches(item jsonb, wanted jsonb) returns boolean
language plpgsql immutable parallel safe as $$
declare
  field record;
  test record;
  found jsonb;
  is_equal boolean;
  compared integer;
  holds boolean;
begin
  for field in select * from jsonb_each(wanted) loop
    found := item -> field.key;
    if jsonb_typeof(field.value) <> 'object' then
      if found is null or jsonb_typeof(found) in ('object', 'array') or found <> field.value then
        return false;
      end if;
      continue;
    end if;
    for test in select * from jsonb_each(field.value) loop
      is_equal := found is not null and jsonb_typeof(found) not in ('object', 'array') and found = test.value;
      compared := case
        when jsonb_typeof(found) = 'number' and jsonb_typeof(test.value) = 'number'
          then sign((found #>> '{}')::numeric - (test.value #>> '{}')::numeric)::integer
        when jsonb_typeof(found) = 'string' and jsonb_typeof(test.value) = 'string'
          then case when found #>> '{}' = test.value #>> '{}' then 0
                    when (found #>> '{}') collate "C" < (test.value #>> '{}') collate "C" then -1 else 1 end
      end;
      holds := case test.key
        when '$eq' then is_equal
        when '$ne' then not is_equal
        when '$gt' then coalesce(compared > 0, false)
        when '$gte' then coalesce(compared >= 0, false)
        when '$lt' then coalesce(compared < 0, false)
        when '$lte' then coalesce(compared <= 0, false)
        when '$in' then found is not null and jsonb_typeof(found) not in ('object', 'array')
          and exists (select from jsonb_array_elements(test.value) as one where one = found)
        when '$nin' then found is null or jsonb_typeof(found) in ('object', 'array')
          or not exists (select from jsonb_array_elements(test.value) as one where one = found)
        else false
      end;
      if not holds then
        return false;
      end if;
    end loop;
  end loop;
  return true;
end $$;
