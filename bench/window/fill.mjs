import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { withoutIndexes } from '../without-indexes.mjs';

/** Messages per statement. */
const CHUNK = 250_000;

/**
 * Fills an empty log with one memory of one actor: a long session, and sessions of `short` messages for the rest. User
 * and assistant alternate. Every question occurs once, and `What time is it?` once per hundred messages.
 *
 * Writes directly to the tables: ten million messages would take all day through the API, and only reading them is
 * measured.
 *
 * @param {{ url: string, messages: number, long: number, short: number, note: (text: string) => void }} what
 */
export const fill = async ({ url, messages, long, short, note }) => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const scope = { tenantId: randomUUID(), memoryId: randomUUID(), actorId: 'ada', sessionId: 'long' };
  try {
    await client.query(`set session_replication_role = replica; set maintenance_work_mem = '512MB'`);
    await client.query(
      'insert into memory_gates (memory_id, tenant_id, event_expiry_days, is_open) values ($1, $2, 365, true)',
      [scope.memoryId, scope.tenantId],
    );
    await client.query(
      `insert into sessions (tenant_id, memory_id, actor_id, session_id, created_at)
       select $1, $2, 'ada', case n when 0 then 'long' else 'session ' || n end, now()
       from generate_series(0, ($3::bigint + $4 - 1) / $4) n`,
      [scope.tenantId, scope.memoryId, messages - long, short],
    );
    const insertAll = async () => {
      for (let from = 1; from <= messages; from += CHUNK) {
        note(`${(from - 1).toLocaleString('en-US')} of ${messages.toLocaleString('en-US')} messages`);
        await insertMessages(client, scope, from, Math.min(messages, from + CHUNK - 1), long, short);
      }
    };
    await withoutIndexes(client, 'events', insertAll, note);
    note('vacuum');
    await client.query('vacuum analyze');
    return scope;
  } finally {
    await client.end();
  }
};

const insertMessages = (client, { tenantId, memoryId }, from, to, long, short) =>
  client.query(
    `insert into events (partition, position, event_id, tenant_id, memory_id, session_key, sequence, type, schema_version,
       data, recorded_at, expires_at)
     select 0, n, gen_random_uuid(), $1, $2,
       (select min(session_key) from sessions) + case when n <= $5 then 0 else 1 + (n - $5 - 1) / $6 end,
       case when n <= $5 then n else 1 + (n - $5 - 1) % $6 end,
       'message.appended', 1,
       json_build_object(
         'payloadType', 'CONVERSATIONAL',
         'role', case when n % 2 = 1 then 'user' else 'assistant' end,
         'content', case
           when n % 2 = 0 then 'This is the answer to question number ' || n - 1 || ', said at some length so as to weigh something.'
           when n % 100 = 1 then 'What time is it?'
           else 'What about question number ' || n || '?'
         end),
       now(), now() + interval '365 days'
     from generate_series($3::bigint, $4::bigint) n`,
    [tenantId, memoryId, from, to, long, short],
  );
