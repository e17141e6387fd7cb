import pg from 'pg';

/** Whom the rows are read for; null for any. */
export interface RowsFor {
  readonly tenantId: string;
  readonly memoryId: string | null;
  readonly actorId: string | null;
}

type Row = Readonly<Record<string, unknown>>;

const textOf = (row: Row): string =>
  JSON.stringify(row, (_, value: unknown) => {
    const bytes = value as { type?: unknown; data?: unknown } | null;
    return bytes?.type === 'Buffer' ? Buffer.from(bytes.data as number[]).toString('latin1') : value;
  });

/** Positions and reasons of what was erased: they name sessions by numbers, and hold nothing of them. */
const WITHOUT_CONTENT = ['buried_sequences', 'closed_sessions', 'tombstones'];

/**
 * What the database shows beyond the reach, to statements without any predicate, in every table that the role of such
 * requests may read: rows of another memory, actor or session, and those with one of the texts.
 */
export const rowsBeyond = async (
  databaseUrl: string,
  { tenantId, memoryId, actorId }: RowsFor,
  secret: readonly string[],
): Promise<string[]> => {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const role = memoryId === null && actorId === null ? 'turnkeeper_app' : 'turnkeeper_restricted';
    await client.query(
      `select set_config('turnkeeper.tenant', $1, false), set_config('turnkeeper.memory', $2, false),
              set_config('turnkeeper.actor', $3, false), set_config('role', $4, false)`,
      [tenantId, memoryId ?? '', actorId ?? '', role],
    );
    const tables = await client.query<{ name: string }>(
      `select relname as name from pg_class
        where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and has_table_privilege(oid, 'select')`,
    );
    const sessions = await client.query<{ key: string }>('select session_key as key from sessions');
    const keys = new Set(sessions.rows.map(({ key }) => key));
    const found = new Set<string>();
    for (const { name } of tables.rows) {
      const { rows } = await client.query<Row>(`select * from ${name}`);
      for (const row of rows) {
        const { memory_id: memory = null, actor_id: actor = null, session_key: session = null } = row;
        if (secret.some((text) => textOf(row).includes(text))) found.add(`${name}: content`);
        if (memoryId !== null && memory !== null && memory !== memoryId) found.add(`${name}: another memory`);
        if (actorId !== null && actor !== null && actor !== actorId) found.add(`${name}: another actor`);
        if (session !== null && !keys.has(session as string) && !WITHOUT_CONTENT.includes(name)) {
          found.add(`${name}: another session`);
        }
      }
    }
    return [...found].sort();
  } finally {
    await client.end();
  }
};
