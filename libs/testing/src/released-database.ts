import { readFile } from 'node:fs/promises';
import { gunzipSync } from 'node:zlib';
import pg from 'pg';

/**
 * A dump of a database that earlier versions filled, with what `migrate` of later ones ran on it up to the last migration before
 * the baseline, and what the API returned for it. These files never change, because such databases exist.
 */
const RELEASED = new URL('../fixtures/released/', import.meta.url);

/** What the API of the version that filled the released database returned for it. */
export interface ReleasedAnswers {
  readonly memories: readonly {
    readonly id: string;
    readonly name: string;
    readonly description: string;
    readonly sessions: readonly {
      readonly actorId: string;
      readonly sessionId: string;
      readonly events: readonly (readonly [id: string, sequence: number, text: string])[];
    }[];
    readonly records: readonly (readonly [
      namespace: string,
      id: string,
      memory: string,
      supersededBy: string | null,
      quotes: readonly string[],
    ])[];
  }[];
  readonly agents: readonly { readonly agentId: string; readonly name: string; readonly status: string }[];
}

export const releasedAnswers = async (): Promise<ReleasedAnswers> =>
  JSON.parse(await readFile(new URL('answers.json', RELEASED), 'utf8')) as ReleasedAnswers;

/** What was stored in 2026 would have expired by now. */
const NEVER_EXPIRE = `
  set session_replication_role = replica;
  update public.events set expires_at = null;
`;

/**
 * Restores the released database.
 *
 * @param adminUrl an empty database, as the server's superuser. The roles of row-level security exist on the server
 */
export const restoreReleasedDatabase = async (adminUrl: string): Promise<void> => {
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  try {
    await client.query(gunzipSync(await readFile(new URL('database.sql.gz', RELEASED))).toString('utf8'));
    await client.query(NEVER_EXPIRE);
  } finally {
    await client.end();
  }
};
