import { until } from '../../tools/shared/wait.mjs';

/** User messages per session; an assistant answers each of them. */
const TURNS = [
  'I moved to Hue last month.',
  'I like green tea.',
  'My brother is called Minh.',
  'I work for a bakery.',
  'I have a cat.',
  'My birthday is in May.',
];

/** A whole agent session through the API and its extraction: the sample that `fill` copies. */
export const sampleSession = async (api, memoryId) => {
  const agent = await api.post('/v1/agents', { memoryId, actorId: 'sample', sessionId: 'sample', name: 'sample' });
  for (const message of TURNS) {
    await api.post(`/memory/memories/${memoryId}/actors/sample/sessions/sample/events`, {
      payload: { type: 'CONVERSATIONAL', role: 'user', message },
    });
    await api.post(`/memory/memories/${memoryId}/actors/sample/sessions/sample/events`, {
      payload: { type: 'CONVERSATIONAL', role: 'assistant', message: 'I see.' },
    });
  }
  await api.post(`/v1/agents/${agent.id}/stop`);
  return agent.id;
};

/**
 * Copies the sample until the log has about this many events. Writes directly to the tables: a million events and their
 * extractions would take hours through the API, and only reading them is measured.
 *
 * @returns {Promise<number>} the log's newest position
 */
export const fill = async (database, { memoryId, events }) => {
  const sample = await until('the extraction of the sample', async () => {
    const { rows } = await database.query(
      `select count(*)::int as events, (select count(*)::int from extraction_states
                where memory_id = $1 and watermark > 0 and status = 'idle') as read
         from events where memory_id = $1 and session_key is not null`,
      [memoryId],
    );
    return rows[0].read > 0 ? rows[0] : null;
  });
  const copies = Math.floor(events / sample.events);
  // Ids within a session: its agent, its events, its records.
  const { rows: ids } = await database.query(
    `select distinct id[1] as id from events,
            regexp_matches(event_id::text || data::text, '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}', 'g')
              as id
      where memory_id = $1 and session_key is not null`,
    [memoryId],
  );
  const { rows: kept } = await database.query('select strategy_id::text as id from strategies where memory_id = $1', [
    memoryId,
  ]);
  const own = ids.map(({ id }) => id).filter((id) => !kept.some((strategy) => strategy.id === id));
  await database.query('begin');
  try {
    // Triggers and foreign keys off: the rows are valid by construction.
    await database.query('set local session_replication_role = replica');
    // With the version and variant of a UUID: a rebuild refuses events whose ids have none.
    await database.query(`create function pg_temp.copy_of(id text, n bigint) returns uuid language sql as $$
      select overlay(overlay(md5(id || n) placing '8' from 13) placing '8' from 17)::uuid $$`);
    await database.query(`create function pg_temp.copied(of text, ids text[], n bigint) returns text language plpgsql as $$
      declare id text; begin
        foreach id in array ids loop of := replace(of, id, pg_temp.copy_of(id, n)::text); end loop;
        return replace(replace(of, '"sample', '"copy ' || n), '/actors/sample', '/actors/actor ' || n);
      end $$`);
    const { rows } = await database.query(
      `with sample as (
         select e.*, row_number() over (order by e.position) as place from events e
          where e.memory_id = $1 and e.session_key is not null
       ), copied as (
         insert into sessions (tenant_id, memory_id, actor_id, session_id, created_at)
         select (select tenant_id from sample limit 1), $1, 'actor ' || n, 'session ' || n, now() from generate_series(1, $2::int) n
         returning session_key, substr(actor_id, 7)::bigint as n
       ), head as (
         select max(position) as position from events
       ), inserted as (
         insert into events (partition, position, event_id, tenant_id, memory_id, session_key, sequence, type, schema_version,
                             data, occurred_at, recorded_at, expires_at)
         select 0, head.position + (copied.n - 1) * $3 + sample.place, pg_temp.copy_of(sample.event_id::text, copied.n),
                sample.tenant_id, sample.memory_id, copied.session_key, sample.sequence, sample.type, sample.schema_version,
                pg_temp.copied(sample.data::text, $4, copied.n)::json, sample.occurred_at, sample.recorded_at,
                sample.expires_at
           from copied, sample, head
         returning position
       )
       select max(position)::float8 as head from inserted`,
      [memoryId, copies, sample.events, own],
    );
    const [{ head }] = rows;
    // Nothing must be relayed, dispatched or indexed: only the rebuild is measured.
    for (const cursor of await cursorsOf(database)) {
      await database.query(`update ${cursor} set position = $1`, [head]);
    }
    await database.query('commit');
    await database.query('analyze');
    return head;
  } catch (error) {
    await database.query('rollback');
    throw error;
  }
};

const cursorsOf = async (database) => {
  const { rows } = await database.query(
    `select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'position'
      where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname like '%cursor' order by 1`,
  );
  return rows.map(({ name }) => name);
};
