import { setTimeout as delay } from 'node:timers/promises';
import type { RecentSession, RecentSessions, RecentSessionsRead } from '@turnkeeper/application';
import type pg from 'pg';
import type { TenantPool } from '../../connections/tenant-pool.js';
import { viewOf } from '../../connections/view.js';

/** Positions that a reader indexes per statement, and the number of statements. The worker may have been down. */
const CATCH_UP = 20_000;
const MAX_CATCH_UPS = 25;
/** Waits for another process that is taking in the same positions. */
const WAIT_MS = 20;

/** Sessions by their last activity, with the counts of their events. */
export class PgSessionActivity implements RecentSessions {
  /**
   * @param pool maintains the index, for all tenants
   * @param tenants queries it for one tenant
   */
  constructor(
    private readonly pool: pg.Pool,
    private readonly tenants: TenantPool,
  ) {}

  async behind(): Promise<number> {
    const { rows } = await this.pool.query<{ behind: number }>({
      name: 'activity_behind',
      // What was deleted from what was counted is taken in as well.
      text: `select greatest(head_position() - position, (exists (select from usage_changes))::integer)::float8 as behind
               from question_cursor where name = 'activity'`,
    });
    return rows[0]?.behind ?? 0;
  }

  async catchUp(most: number): Promise<number> {
    return (await this.step(most)) ?? 0;
  }

  async list(tenantId: string, memoryId: string, { actorId, limit, after }: RecentSessionsRead) {
    // The listing includes what was appended before the call, unless other processes are busy with it.
    if (after === undefined) await this.takeIn(0, MAX_CATCH_UPS);
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
          a.messages::float8
         from session_activity a join sessions s on s.session_key = a.session_key and s.tenant_id = $1
        where ${clauses.join(' and ')} order by a.last_position desc limit $3`,
      values,
    );
    return rows.map(viewOf<RecentSession>);
  }

  /** Takes in all but the newest events, which a reader of counts adds itself. */
  async comeNear(): Promise<void> {
    if ((await this.behind()) > CATCH_UP) await this.takeIn(CATCH_UP, MAX_CATCH_UPS);
  }

  /** Makes all counts again from the log. */
  async recount(): Promise<void> {
    await this.pool.query('select recount_usage()');
    await this.takeIn(0, Infinity);
  }

  private async takeIn(mayBeLeft: number, most: number): Promise<void> {
    for (let times = 0; times < most; times += 1) {
      const left = await this.step(CATCH_UP);
      if (left === null) await delay(WAIT_MS);
      else if (left <= mayBeLeft) return;
    }
  }

  private async step(most: number): Promise<number | null> {
    const { rows } = await this.pool.query<{ left: number | null }>('select index_activity($1)::float8 as left', [
      most,
    ]);
    return rows[0]?.left ?? null;
  }
}
