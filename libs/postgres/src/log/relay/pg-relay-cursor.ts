import type { RelayCursor, RelayLease } from '@turnkeeper/application';
import pg from 'pg';
import { connectionSettings } from '../../connections/connection-settings.js';

/** First key of the advisory lock: 'RELA'. */
const LOCK_CLASS = 1_380_273_217;

/** Its statements touch one row. */
const STATEMENT_TIMEOUT_MS = 10_000;
/** The server closes the leader's connection after this long without a statement: the process is frozen or cut off. */
const SILENT_LEADER_MS = 3_000;
const HEARTBEAT_MS = 1_000;

/**
 * Stores the relay's position and elects one process as the relay. Leadership is a connection-level advisory lock: it
 * is released when the process exits, and three seconds after the process freezes.
 */
export class PgRelayCursor implements RelayCursor {
  /**
   * @param databaseUrl a direct connection or a session-mode pooler: the lock belongs to the connection
   * @param options `name`: one cursor per publishing target; `role`: database role of the connection; `heartbeatMs`:
   *   heartbeat interval, default 1 s
   */
  constructor(
    private readonly databaseUrl: string,
    private readonly options: {
      readonly name?: string;
      readonly role?: string | undefined;
      readonly heartbeatMs?: number;
    } = {},
  ) {}

  private get name(): string {
    return this.options.name ?? 'jetstream';
  }

  async lead(): Promise<RelayLease | null> {
    const client = new pg.Client({
      ...connectionSettings({
        url: this.databaseUrl,
        role: this.options.role,
        statementTimeoutMs: STATEMENT_TIMEOUT_MS,
      }),
      application_name: 'turnkeeper-relay',
    });
    const lost = new Promise<void>((resolve) => {
      client.once('end', () => resolve());
      client.on('error', () => resolve());
    });
    await client.connect();
    try {
      const { rows } = await client.query<{ leads: boolean }>(
        'select pg_try_advisory_lock($1, hashtext($2)) as leads',
        [LOCK_CLASS, this.name],
      );
      if (rows[0]?.leads === true) return await this.lease(client, lost);
    } catch (error) {
      await endQuietly(client);
      throw error;
    }
    await endQuietly(client);
    return null;
  }

  private async lease(client: pg.Client, lost: Promise<void>): Promise<RelayLease> {
    const { name } = this;
    // Do not wait for the disk: losing the last advance in a crash only republishes some messages, which is safe.
    await client.query(`set synchronous_commit = off; set idle_session_timeout = ${SILENT_LEADER_MS}`);
    const heartbeat = setInterval(() => {
      client.query('select 1').catch(() => undefined);
    }, this.options.heartbeatMs ?? HEARTBEAT_MS);
    heartbeat.unref();
    void lost.then(() => clearInterval(heartbeat));
    await client.query('insert into relay_cursor (name, position) values ($1, 0) on conflict (name) do nothing', [
      name,
    ]);
    const { rows } = await client.query<{ position: number }>(
      'select position::float8 from relay_cursor where name = $1',
      [name],
    );
    return {
      position: rows[0]?.position ?? 0,
      lost,
      advance: async (position, pageEnds = []) => {
        await client.query({
          name: 'advance_relay_cursor',
          text: ADVANCE,
          values: [name, position, pageEnds.length === 0 ? null : pageEnds],
        });
      },
      release: async () => {
        clearInterval(heartbeat);
        await endQuietly(client);
      },
    };
  }
}

/** Pages start where the previous ones ended, which is the cursor position. */
const ADVANCE = `
  with moved as (
    update relay_cursor c set position = $2 from (select position from relay_cursor where name = $1) before
     where c.name = $1 and c.position < $2 returning before.position as after
  )
  insert into relay_pages (name, after, through, ends)
  select $1, moved.after, $2, $3::bigint[] from moved where $3::bigint[] is not null
  on conflict (name, through) do nothing`;

/** The server releases the lock when the connection closes. */
const endQuietly = async (client: pg.Client): Promise<void> => {
  await client.end().catch(() => undefined);
};
