import type { FoundRecord } from '@turnkeeper/search';

/** Names that records use for a subject without a name. */
export const SUBJECTS = ['user', 'assistant'] as const;

/**
 * Candidates of a namespace. $1 tenant, $2 memory, $3 namespace, $4 query, $5 subjects, $6 include
 * superseded, $7-$9 sessions, sequences and scores of ranked turns, $10 weight of a record's own words, $11 limit.
 */
export const FIND_RECORDS = `select record_id, own, matched, words, usual_words, known, turns, has_sources
  from find_records($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`;

/** $1 tenant, $2 memory, $3 namespace */
export const NEWEST_ACTORS = `
  select distinct actor_id from (
    select r.actor_id from records r
    where r.tenant_id = $1 and r.memory_id = $2 and md5(r.namespace) = md5($3) and r.namespace = $3
    order by r.created_at desc, r.record_id limit 50
  ) newest
  where actor_id is not null`;

export interface FoundRow {
  readonly record_id: string;
  readonly own: number;
  readonly matched: number;
  readonly words: number;
  readonly usual_words: number;
  readonly known: number;
  readonly turns: readonly string[] | null;
  readonly has_sources: boolean;
}

/** @param scores of the turns, by session and sequence as in `turns` */
export const foundOf = (row: FoundRow, scores: ReadonlyMap<string, number>): FoundRecord => ({
  recordId: row.record_id,
  own: row.own,
  matched: row.matched,
  words: row.words,
  usualWords: row.usual_words,
  known: row.known,
  turns: new Map((row.turns ?? []).map((turn) => [turn, scores.get(turn) ?? 0])),
  hasSources: row.has_sources,
});
