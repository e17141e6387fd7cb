/** Names that records use for a subject without a name. */
export const SUBJECTS = ['user', 'assistant'] as const;

/**
 * Records of a namespace by their own words. $1 tenant, $2 memory, $3 namespace, $4 query, $5 subjects, $6 include
 * superseded, $7 limit, $8 ids of the only records that may be found, newest first, or null.
 */
export const FIND_BY_WORDS = `select weights, whole, known, usual_words, records
  from find_record_words($1, $2, $3, $4, $5, $6, $7, $8)`;

/**
 * Records of a namespace that cite turns. $1 tenant, $2 memory, $3 namespace, $4 query, $5 include superseded, $6 and $7
 * sessions and sequences of the turns, $8 ids of the only records that may be found, or null.
 */
export const FIND_BY_TURNS = 'select records from find_citing_records($1, $2, $3, $4, $5, $6, $7, $8)';

/**
 * The actors that a namespace's newest records are about and, if there are none, its records by their own words, in one
 * round trip. The parameters are those of `FIND_BY_WORDS`.
 */
export const FIND_ACTORS_OR_RECORDS = `
  with newest as materialized (
    select r.actor_id from records r
    where r.tenant_id = $1 and r.memory_id = $2 and md5(r.namespace) = md5($3) and r.namespace = $3
    order by r.created_at desc, r.record_id limit 50
  ), actors as materialized (
    select array(select distinct n.actor_id from newest n where n.actor_id is not null) as ids
  ), asked as materialized (
    -- The function takes a column of this row: with $4, it would also run if there are actors.
    select $4::text as query from actors a where cardinality(a.ids) = 0
  )
  select a.ids as actors, w.weights, w.whole, w.known, w.usual_words, w.records
  from actors a
  left join (
    select f.* from asked q cross join lateral find_record_words($1, $2, $3, q.query, $5, $6, $7, $8) f
  ) w on true`;

/**
 * The records among these ids that may be found, and the newest ones. $1 tenant, $2 memory, $3 namespace, $4 ids, $5 include
 * superseded, $6 number of newest ones.
 */
export const READ_FOUND = (columns: string): string => `
  select ${columns} from records r
  where r.tenant_id = $1 and r.memory_id = $2 and r.namespace = $3 and r.record_id = any ($4::uuid[] || array(
      select n.record_id from records n
      where n.tenant_id = $1 and n.memory_id = $2 and md5(n.namespace) = md5($3) and n.namespace = $3
      order by n.created_at desc, n.record_id limit $6))
    and ($5 or r.superseded_by is null)`;

/** Texts whose words a misspelt query is compared with, in lines. $1 tenant, $2 memory, $3 namespace. */
export const NEWEST_TEXTS = `
  select string_agg(left(n.text, 500), e'\\n') as texts from (
    select r.text from records r
    where r.tenant_id = $1 and r.memory_id = $2 and md5(r.namespace) = md5($3) and r.namespace = $3
    order by r.created_at desc, r.record_id limit 1000
  ) n`;
