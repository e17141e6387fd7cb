/**
 * Selects due sessions, oldest first, with a limit per tenant, and marks them as queued. The cost grows with the number
 * of tenants with due work, not with their backlog: a loose index scan finds the tenants, and each tenant's rows are
 * read up to its limit.
 *
 * $1 limit per tenant, $2 seconds until a queued but unclaimed session is queued again
 */
export const ADMIT_EXTRACTIONS = `
  with recursive tenants as (
    (select tenant_id from extraction_states where due_at is not null order by tenant_id limit 1)
    union all
    select (select x.tenant_id from extraction_states x
             where x.due_at is not null and x.tenant_id > tenants.tenant_id order by x.tenant_id limit 1)
      from tenants where tenants.tenant_id is not null
  ), chosen as (
    select due.ctid
      from tenants
     cross join lateral (
       select count(*) as n from extraction_states x
        where x.tenant_id = tenants.tenant_id and x.admitted_until > now()
     ) as busy
     cross join lateral (
       select x.ctid from extraction_states x
        where x.tenant_id = tenants.tenant_id and x.due_at <= now() and x.status = 'waiting'
          and (x.admitted_until is null or x.admitted_until <= now())
        order by x.due_at
        limit greatest($1 - busy.n, 0)
          for update skip locked
     ) as due
  )
  update extraction_states x
     set admitted_until = now() + make_interval(secs => $2)
   -- By their places: they are locked and cannot have moved. A join would read the whole table for a dozen rows.
   where x.ctid = any(array(select ctid from chosen))
  returning x.session_key::float8, x.strategy_id`;
