-- Up Migration

-- Below a policy, Postgres uses no index for a comparison of arrays: its operators are not leakproof. With row-level
-- security, reading one item of a graph store, or the items below a namespace, therefore read all items of the memory.
-- The owner of the table reads them by their key.

create function graph_items_at(for_tenant uuid, of_memory uuid, places jsonb)
returns table (nr bigint, namespace text[], key text, value jsonb, created_at timestamptz, updated_at timestamptz)
language plpgsql stable security definer set search_path from current
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
begin
  if not tenant_allowed(for_tenant) then
    return;
  end if;
  return query
  with wanted as materialized (
    select w.nr, array(select jsonb_array_elements_text(w.place -> 'namespace')) collate "C" as namespace,
           w.place ->> 'key' as key
    from jsonb_array_elements(places) with ordinality as w (place, nr)
  )
  select w.nr, i.namespace, i.key, i.value, i.created_at, i.updated_at
  from wanted w join graph_items i on i.memory_id = of_memory and i.namespace = w.namespace and i.key = w.key
  where i.tenant_id = for_tenant and (i.expires_at is null or i.expires_at > now());
end $$;

create function graph_items_below(for_tenant uuid, of_memory uuid, prefix text[])
returns setof graph_items
language plpgsql stable security definer set search_path from current as $$
declare
  depth constant integer := cardinality(prefix);
begin
  if not tenant_allowed(for_tenant) then
    return;
  end if;
  return query
  select i.* from graph_items i
  where i.memory_id = of_memory and i.tenant_id = for_tenant and (i.expires_at is null or i.expires_at > now())
    -- No text sorts between a label and this label followed by the smallest character.
    and i.namespace >= prefix and (depth = 0 or i.namespace < prefix[:depth - 1] || (prefix[depth] || chr(1)))
    and i.namespace[1:depth] = prefix;
end $$;

create function next_graph_item(for_tenant uuid, of_memory uuid, after_namespace text[], after_key text)
returns setof graph_items
language plpgsql stable security definer set search_path from current
set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off set plan_cache_mode = force_generic_plan as $$
begin
  if not tenant_allowed(for_tenant) then
    return;
  end if;
  return query
  select i.* from graph_items i
  where i.memory_id = of_memory and i.tenant_id = for_tenant and (i.expires_at is null or i.expires_at > now())
    and (i.namespace, i.key) > (after_namespace collate "C", after_key collate "C")
  order by i.namespace, i.key limit 1;
end $$;

create function delete_graph_items(for_tenant uuid, of_memory uuid, places jsonb) returns void
language plpgsql security definer set search_path from current
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set plan_cache_mode = force_generic_plan as $$
begin
  if not tenant_allowed(for_tenant) then
    return;
  end if;
  with wanted as materialized (
    select array(select jsonb_array_elements_text(w.place -> 'namespace')) collate "C" as namespace, w.place ->> 'key' as key
    from jsonb_array_elements(places) as w (place)
  )
  delete from graph_items i using wanted w
  where i.memory_id = of_memory and i.tenant_id = for_tenant and i.namespace = w.namespace and i.key = w.key;
end $$;
