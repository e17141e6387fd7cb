/**
 * Ranks a namespace's records by the share of the query's words that they hold, each word weighted by its rarity in
 * the namespace (inverse document frequency, as in BM25). A word counts once: repeating it does not make a record
 * more relevant. The score lies between 0 and 1 and is 1 when a record holds every word.
 *
 * A word that no record holds lowers the score of all of them alike. It weighs no more than the heaviest word that one
 * holds: in a namespace of three facts it would otherwise outweigh everything that was found.
 *
 * The words are OR-ed: a question seldom repeats the words of the fact that answers it, and an AND of all of them
 * finds next to nothing in conversations.
 *
 * $1 tenant, $2 memory, $3 namespace, $4 query text, $5 least score, $6 limit, $7 superseded ones too
 */
export const SEARCH_RECORDS = `
  with query as (
    select lexeme from unnest(to_tsvector('english', $4))
  ), scope as (
    select record_id, words, created_at from records
     where tenant_id = $1 and memory_id = $2 and md5(namespace) = md5($3) and namespace = $3
       and ($7 or superseded_by is null)
  ), total as (
    select count(*)::float8 as n from scope
  ), hits as (
    select scope.record_id, word.lexeme
      from scope, unnest(scope.words) as word
     where word.lexeme in (select lexeme from query)
  ), weights as (
    select query.lexeme,
           count(hits.record_id) as held,
           ln(1 + (total.n - count(hits.record_id) + 0.5) / (count(hits.record_id) + 0.5)) as weight
      from total, query left join hits using (lexeme)
     group by query.lexeme, total.n
  ), whole as (
    select sum(least(weight, heaviest)) as weight
      from weights, (select max(weight) as heaviest from weights where held > 0) known
  ), scores as (
    select hits.record_id, least(sum(weights.weight) / (select weight from whole), 1) as score
      from hits join weights using (lexeme)
     group by hits.record_id
  )
  select record_id, score
    from scores join scope using (record_id)
   where score >= $5
   order by score desc, created_at desc, record_id
   limit $6`;
