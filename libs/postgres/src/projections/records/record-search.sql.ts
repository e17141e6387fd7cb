/** Names that records use for a subject without a name. */
export const SUBJECTS = ['user', 'assistant'] as const;

/**
 * Records of a namespace by their own words. $1 tenant, $2 memory, $3 namespace, $4 query, $5 subjects, $6 include
 * superseded, $7 limit.
 */
export const FIND_BY_WORDS = `select weights, whole, known, usual_words, records
  from find_record_words($1, $2, $3, $4, $5, $6, $7)`;

/**
 * Records of a namespace that cite turns. $1 tenant, $2 memory, $3 namespace, $4 query, $5 include superseded, $6 and $7
 * sessions and sequences of the turns.
 */
export const FIND_BY_TURNS = 'select records from find_citing_records($1, $2, $3, $4, $5, $6, $7)';

/** $1 tenant, $2 memory, $3 namespace */
export const NEWEST_ACTORS = `
  select distinct actor_id from (
    select r.actor_id from records r
    where r.tenant_id = $1 and r.memory_id = $2 and md5(r.namespace) = md5($3) and r.namespace = $3
    order by r.created_at desc, r.record_id limit 50
  ) newest
  where actor_id is not null`;
