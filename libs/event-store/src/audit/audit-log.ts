import pg from 'pg';

export interface AuditFinding {
  readonly rule: 'position_missing' | 'position_twice' | 'sequence_missing' | 'sequence_twice' | 'session_unknown';
  /** Null for findings about the whole log. */
  readonly sessionKey: number | null;
  /** How many numbers are concerned. */
  readonly count: number;
}

export interface LogAudit {
  readonly head: number;
  readonly events: number;
  readonly tombstones: number;
  readonly sessions: number;
  /** Empty for a sound log. */
  readonly findings: readonly AuditFinding[];
}

const PLACES = `
  select position, session_key, sequence from events where partition = 0
  union all
  select position, session_key, sequence from tombstones where partition = 0`;

/** A session, or one that was closed for good. */
const KNOWN = `(exists (select from sessions s where s.session_key = place.session_key)
  or exists (select from closed_sessions c where c.session_key = place.session_key))`;

/**
 * Proves that positions are dense from 1 to the head and each session's sequences from 1 to its newest, tombstones
 * counted as taken places. Reads the whole log in one snapshot; meant for tests, restores and the operator's doubt.
 */
export const auditLog = async (databaseUrl: string): Promise<LogAudit> => {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query('begin isolation level repeatable read read only');
    const totals = await one<{ head: number; events: number; tombstones: number; sessions: number; places: number }>(
      client,
      `select coalesce(max(position), 0)::float8 as head, count(distinct position)::float8 as places,
         (select count(*) from events)::float8 as events, (select count(*) from tombstones)::float8 as tombstones,
         (select count(*) from sessions)::float8 as sessions
       from (${PLACES}) as place`,
    );
    const findings: AuditFinding[] = [];
    const note = (rule: AuditFinding['rule'], sessionKey: number | null, count: number): void => {
      if (count > 0) findings.push({ rule, sessionKey, count });
    };
    note('position_missing', null, totals.head - totals.places);
    note('position_twice', null, totals.events + totals.tombstones - totals.places);
    const { rows } = await client.query<{
      session_key: number;
      newest: number;
      places: number;
      count: number;
      known: boolean;
    }>(
      `select session_key::float8, max(sequence)::float8 as newest, count(distinct sequence)::float8 as places,
         count(sequence)::float8 as count, ${KNOWN} as known
       from (${PLACES}) as place where session_key is not null
       group by session_key
       having max(sequence) <> count(distinct sequence) or count(sequence) <> count(distinct sequence)
         or not ${KNOWN}`,
    );
    for (const row of rows) {
      note('sequence_missing', row.session_key, row.newest - row.places);
      note('sequence_twice', row.session_key, row.count - row.places);
      note('session_unknown', row.session_key, row.known ? 0 : 1);
    }
    const { head, events, tombstones, sessions } = totals;
    return { head, events, tombstones, sessions, findings };
  } finally {
    await client.end();
  }
};

const one = async <T extends object>(client: pg.Client, text: string): Promise<T> => {
  const { rows } = await client.query<T>(text);
  return rows[0] as T;
};
