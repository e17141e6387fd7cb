import { setTimeout as delay } from 'node:timers/promises';
import type { RecentSession, RecentSessions, RecentSessionsRead } from '@turnkeeper/application';
import type pg from 'pg';
import type { TenantPool } from '../../connections/tenant-pool.js';
import type { LogReader } from './log-reader.js';
import { viewOf } from '../../connections/view.js';

/** Positions that a reader indexes per statement, and the number of statements. The worker may have been down. */
const CATCH_UP = 20_000;
const MOST_CATCH_UPS = 25;
/** Waits for another process that is taking in the same positions. */
const WAIT_MS = 20;

/** Sessions by their last activity. */
export class PgSessionActivity implements RecentSessions {
  /**
   * @param pool maintains the index, for all tenants
   * @param tenants queries it for one tenant
   */
  constructor(
    private readonly pool: pg.Pool,
    private readonly tenants: TenantPool,
    private readonly log: Pick<LogReader, 'headPosition'>,
  ) {}

  async behind(): Promise<number> {
    const { rows } = await this.pool.query<{ position: number }>(
      `select position::float8 as position from question_cursor where name = 'activity'`,
    );
    return Math.max(0, (await this.log.headPosition()) - (rows[0]?.position ?? 0));
  }

  async catchUp(most: number): Promise<number> {
    return (await this.takeIn(most)) ?? 0;
  }

  async list(tenantId: string, memoryId: string, { actorId, limit, after }: RecentSessionsRead) {
    if (after === undefined) await this.takeAllIn();
    const values: unknown[] = [tenantId, memoryId, limit];
    const clauses = ['a.tenant_id = $1', 'a.memory_id = $2'];
    if (actorId !== undefined) {
      values.push(actorId);
      clauses.push(`a.actor_key = activity_actor($1, $2, $${values.length})`, `s.actor_id = $${values.length}`);
    }
    if (after !== undefined) {
      values.push(after);
      clauses.push(`a.last_position < $${values.length}`);
    }
    const { rows } = await this.tenants.query<object>(
      tenantId,
      `select s.actor_id, s.session_id, s.created_at, a.last_at as last_event_at, a.last_position::float8,
          coalesce((select sum(t.turns) from turn_segments t where t.session_key = a.session_key), 0)::integer as messages
         from session_activity a join sessions s on s.session_key = a.session_key and s.tenant_id = $1
        where ${clauses.join(' and ')} order by a.last_position desc limit $3`,
      values,
    );
    return rows.map(viewOf<RecentSession>);
  }

  /** Makes the listing include what was appended before the call, unless other processes are busy with it. */
  private async takeAllIn(): Promise<void> {
    for (let times = 0; times < MOST_CATCH_UPS; times += 1) {
      const left = await this.takeIn(CATCH_UP);
      if (left === 0) return;
      if (left === null) await delay(WAIT_MS);
    }
  }

  private async takeIn(most: number): Promise<number | null> {
    const { rows } = await this.pool.query<{ left: number | null }>('select index_activity($1)::float8 as left', [
      most,
    ]);
    return rows[0]?.left ?? null;
  }
}
