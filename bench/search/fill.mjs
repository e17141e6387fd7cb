import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { withoutIndexes } from '../without-indexes.mjs';
import { randomFrom } from '../../tools/shared/random.mjs';

/** Events per statement. */
const CHUNK = 20_000;
const TURNS_PER_SESSION = 20;

/**
 * Fills an empty log with one tenant's memory of many actors, who have `sizes` turns each; the last size is repeated
 * until there are `events`. In the second half of the log, every actor belongs to a tenant of its own: searches must not
 * get slower with what others write. Then indexes the turns as the worker does.
 *
 * Writes events directly to their tables: a million would take too long through the API, and only searches are measured.
 *
 * @param {{ database: string, store: any, texts: any, events: number, sizes: readonly number[], note: (text: string) => void }} what
 * @returns {Promise<{ tenantId: string, memoryId: string }>} actors are called by the place of their size, from 0
 */
export const fill = async ({ database, store, texts, events, sizes, note }) => {
  const client = new pg.Client({ connectionString: database });
  await client.connect();
  const scope = { tenantId: randomUUID(), memoryId: randomUUID() };
  try {
    await client.query('set session_replication_role = replica');
    const openMemory = ({ tenantId, memoryId }) =>
      client.query(
        'insert into memory_gates (memory_id, tenant_id, event_expiry_days, is_open) values ($1, $2, 365, true)',
        [memoryId, tenantId],
      );
    await openMemory(scope);
    const random = randomFrom(1);
    const insertAll = async () => {
      let position = 0;
      for (let actor = 0; position < events; actor += 1) {
        const size = Math.min(sizes[actor] ?? sizes.at(-1), events - position);
        const isOther = actor >= sizes.length && position >= events / 2;
        const owner = isOther ? { tenantId: randomUUID(), memoryId: randomUUID() } : scope;
        if (isOther) await openMemory(owner);
        for (let from = 0; from < size; from += CHUNK) {
          const turns = turnsOf(texts, random, Math.min(CHUNK, size - from));
          await insertTurns(client, owner, { actor, from, position, turns });
          position += turns.length;
          note(`${position.toLocaleString('en-US')} events`);
        }
      }
    };
    const indexAll = async () => {
      for (let left = 1; left > 0;) {
        left = await store.turns.catchUp(20_000);
        note(`${left.toLocaleString('en-US')} events to index`);
      }
    };
    await withoutIndexes(client, 'events', insertAll, note);
    await client.query('analyze');
    await indexAll();
    await client.query(`select seal_turn_segments('0', 1000000)`);
    await client.query('vacuum analyze');
    return scope;
  } finally {
    await client.end();
  }
};

const turnsOf = (texts, random, count) => Array.from({ length: count }, () => texts.turn(random));

const insertTurns = (client, { tenantId, memoryId }, { actor, from, position, turns }) =>
  client.query(
    `with said as (
       select n, text, ($4::bigint + n - 1) / ${TURNS_PER_SESSION} as session, ($4::bigint + n - 1) % ${TURNS_PER_SESSION} + 1 as sequence
       from unnest($6::text[]) with ordinality t (text, n)
     ), opened as (
       insert into sessions (tenant_id, memory_id, actor_id, session_id, created_at)
       select distinct $1::uuid, $2::uuid, $3::text, 'session ' || session, now() from said
       returning session_key, session_id
     )
     insert into events (partition, position, event_id, tenant_id, memory_id, session_key, sequence, type, schema_version,
       data, recorded_at, expires_at, user_turn)
     select 0, $5::bigint + n, gen_random_uuid(), $1, $2, o.session_key, sequence, 'message.appended', 1,
       json_build_object('payloadType', 'CONVERSATIONAL', 'role', case when n % 2 = 1 then 'user' else 'assistant' end,
         'content', text),
       now(), now() + interval '365 days', n % 2 = 1
     from said join opened o on o.session_id = 'session ' || said.session`,
    [tenantId, memoryId, String(actor), from, position, turns],
  );
