/** Held during admission: two concurrent admissions would fill the same slots. */
export const ADMISSION_LOCK = `select pg_advisory_xact_lock(hashtext('turnkeeper.admit_deliveries'))`;

/**
 * Selects due deliveries, with a limit per endpoint, and marks them as queued. An endpoint whose last attempts timed
 * out has a lower limit, and all such endpoints share a cap. The first delivery of each endpoint precedes any second
 * one. The cost grows with the number of endpoints with pending deliveries, not with their backlog: a loose index scan
 * finds the endpoints, and each one's rows are read up to its limit.
 *
 * $1 limit per endpoint, $2 limit per timed-out endpoint, $3 cap for all timed-out endpoints, $4 maximum per call,
 * $5 seconds until a queued but unclaimed delivery is queued again, $6 see above
 */
export const ADMIT_DELIVERIES = `
  with recursive endpoints as (
    (select endpoint_id from webhook_deliveries where due_at is not null order by endpoint_id limit 1)
    union all
    select (select d.endpoint_id from webhook_deliveries d
             where d.due_at is not null and d.endpoint_id > endpoints.endpoint_id order by d.endpoint_id limit 1)
      from endpoints where endpoints.endpoint_id is not null
  ), waiting as (
    select due.delivery_id, e.endpoint_id, due.due_at, room.size, busy.n + row_number() over (
             partition by e.endpoint_id order by due.due_at, due.delivery_id) as nth,
           e.timeouts > 0 as timed_out
      from endpoints
      join webhook_endpoints e on e.endpoint_id = endpoints.endpoint_id and e.status = 'active'
     cross join lateral (
       select count(*) as n from webhook_deliveries d
        where d.endpoint_id = e.endpoint_id and d.admitted_until > now()
     ) as busy
     cross join lateral (select case when e.timeouts > 0 then $2::int else $1::int end as size) as room
     cross join lateral (
       select d.delivery_id, d.due_at from webhook_deliveries d
        where d.endpoint_id = e.endpoint_id and d.due_at <= now() and d.status = 'pending'
          and (d.admitted_until is null or d.admitted_until <= now())
          and (d.agent_place is null or not exists (
            select from webhook_deliveries earlier
             where earlier.endpoint_id = d.endpoint_id and earlier.agent_id = d.agent_id
               and earlier.agent_place < d.agent_place and earlier.status = 'pending'
               and (earlier.attempts = 0 or earlier.created_at > now() - make_interval(secs => $6))))
        order by d.due_at, d.delivery_id
        limit greatest(room.size - busy.n, 0)
          -- Admissions of all tenants wait for this one, so it waits for no row that an erasure has locked.
          for update skip locked
     ) as due
  ), fitting as (
    select * from waiting where not timed_out
    union all
    (select * from waiting where timed_out order by due_at, delivery_id
      limit greatest($3::int - (
        select count(*) from webhook_deliveries d join webhook_endpoints e using (endpoint_id)
         where d.admitted_until > now() and e.timeouts > 0), 0))
  ), chosen as (
    select * from fitting order by nth, due_at, delivery_id limit $4::int
  ), admitted as (
    update webhook_deliveries d
       set admitted_until = now() + make_interval(secs => $5)
      from chosen
     where d.delivery_id = chosen.delivery_id and (d.lease_until is null or d.lease_until < now())
    returning d.delivery_id, d.endpoint_id, chosen.nth, chosen.size, chosen.due_at
  )
  select delivery_id, endpoint_id, nth >= size as is_last_room from admitted order by nth, due_at, delivery_id`;
