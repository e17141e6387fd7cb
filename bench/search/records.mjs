import { randomBytes, randomUUID } from 'node:crypto';
import pg from 'pg';
import { randomFrom } from '../../tools/shared/random.mjs';

const CHUNK = 10_000;

/** Namespaces of records that were inserted, and of as many that were extracted from the turns of an actor. */
export const namespaceOf = (count, actor) => (actor === undefined ? `/inserted/${count}` : `/extracted/${count}`);

/**
 * Fills a namespace with records; those of an actor cite a turn of theirs.
 *
 * @param {{ database: string, scope: { tenantId: string, memoryId: string }, texts: any, count: number, actor?: number }} what
 */
export const fillRecords = async ({ database, scope, texts, count, actor }) => {
  const client = new pg.Client({ connectionString: database });
  await client.connect();
  try {
    await client.query('set session_replication_role = replica');
    const random = randomFrom(count);
    for (let from = 0; from < count; from += CHUNK) {
      const size = Math.min(CHUNK, count - from);
      const ids = Array.from({ length: size }, () => randomUUID());
      const said = ids.map(() => texts.record(random));
      await insertRecords(client, scope, namespaceOf(count, actor), actor, ids, said);
      if (actor !== undefined) await citeTurns(client, scope, actor, ids);
    }
    await client.query('vacuum analyze records, record_sources');
  } finally {
    await client.end();
  }
};

const DIMENSIONS = 512;

/** A model that takes no time: what is measured is the search. */
const embedder = {
  model: 'bench',
  dimensions: DIMENSIONS,
  embed: async (texts) => texts.map(() => Array.from(randomBytes(DIMENSIONS), (byte) => byte - 127.5)),
};
export const embedders = { current: embedder, of: () => embedder, close: async () => {} };

/** Gives every record a vector of the embedders' model. */
export const fillVectors = async (database) => {
  const client = new pg.Client({ connectionString: database });
  await client.connect();
  try {
    const { rows } = await client.query(
      `insert into embedding_models (model, dimensions, complete, records_complete) values ($1, $2, true, true)
       returning model_id`,
      [embedder.model, DIMENSIONS],
    );
    await client.query(
      `insert into record_vectors (record_id, tenant_id, model_id, scope, vector)
       select record_id, tenant_id, $1, vector_scope(memory_id, namespace), decode(v.hex, 'hex')
       from records, lateral (select string_agg(md5(record_id::text || n), '') as hex from generate_series(1, $2) n) v`,
      [rows[0].model_id, DIMENSIONS / 16],
    );
    await client.query('vacuum analyze record_vectors');
  } finally {
    await client.end();
  }
};

const insertRecords = (client, { tenantId, memoryId }, namespace, actor, ids, texts) =>
  client.query(
    `insert into records (record_id, tenant_id, memory_id, namespace, actor_id, text, fact_key, extractor, event_id,
       created_at, updated_at, stated_at)
     select id, $1, $2, $3, $4, text, id::text, 'bench', gen_random_uuid(), now(), now(), now()
     from unnest($5::uuid[], $6::text[]) r (id, text)`,
    [tenantId, memoryId, namespace, actor === undefined ? null : String(actor), ids, texts],
  );

/** Each record cites a turn of the actor's, spread evenly. */
const citeTurns = (client, { tenantId, memoryId }, actor, ids) =>
  client.query(
    `with said as materialized (
       select e.event_id, e.session_key, e.sequence, row_number() over (order by random()) as n
       from sessions s join events e on e.session_key = s.session_key
       where s.memory_id = $2 and s.actor_id = $3
     )
     insert into record_sources (record_id, event_id, tenant_id, session_key, sequence, role, quote)
     select r.id, s.event_id, $1, s.session_key, s.sequence, 'user', 'quote'
     from unnest($4::uuid[]) with ordinality r (id, n) join said s on s.n = 1 + r.n % (select count(*) from said)`,
    [tenantId, memoryId, String(actor), ids],
  );
