import { sleep } from '../shared/wait.mjs';

const EVERY_MS = 500;
/** Statements that wait for a lock this long are noted. */
const NOTED_SECONDS = 1;

const WAITING = `
  select extract(epoch from now() - w.query_start)::float8 as seconds, left(w.query, 160) as waits,
      b.pid::text || ' ' || b.application_name || ', ' || b.state || ': ' || left(b.query, 160) as for
    from pg_stat_activity w, unnest(pg_blocking_pids(w.pid)) blocker join pg_stat_activity b on b.pid = blocker
   where w.wait_event_type = 'Lock' and w.query_start < now() - make_interval(secs => ${NOTED_SECONDS})`;

/**
 * Watches which statements wait for whose locks, until told to stop.
 *
 * @param {import('./system.mjs').System} system
 */
export const watchLocks = (system) => {
  /** @type {Map<string, { seconds: number, at: number }>} the longest wait, by statement and blocker */
  const waits = new Map();
  let watching = true;
  const look = async () => {
    /** @type {{ rows: any[] }} */
    const { rows } = await system.query(WAITING);
    for (const row of rows) {
      const text = `${row.waits.replaceAll(/\s+/g, ' ')} <- ${row.for.replaceAll(/\s+/g, ' ')}`;
      if ((waits.get(text)?.seconds ?? 0) < row.seconds) waits.set(text, { seconds: row.seconds, at: Date.now() });
    }
  };
  const work = async () => {
    while (watching) {
      await look().catch(() => {}); // Postgres is away
      await sleep(EVERY_MS);
    }
  };
  const working = work();
  return async () => {
    watching = false;
    await working;
    return [...waits].map(([text, { seconds, at }]) => ({ text, seconds, at })).sort((a, b) => b.seconds - a.seconds);
  };
};
