import type { SessionPulse, SessionPulses, SessionScope } from '@turnkeeper/application';
import type { DataSource } from 'typeorm';
import { rowsOf } from '../../connections/database.js';

/** Runs for all tenants at once, so every join names the tenant. */
const PULSES = `
  select coalesce((
           select e.sequence from sessions s join events e using (session_key)
            where s.tenant_id = w.tenant_id and s.memory_id = w.memory_id
              and s.actor_id = w.actor_id and s.session_id = w.session_id and e.sequence is not null
            order by e.sequence desc limit 1), 0)::float8 as sequence,
         concat_ws(' ', (
           select r.version from rolling_sessions r
            where r.tenant_id = w.tenant_id and r.memory_id = w.memory_id
              and r.actor_id = w.actor_id and r.session_id = w.session_id), (
           select string_agg(x.strategy_id || ':' || x.watermark, ' ' order by x.strategy_id) from extraction_states x
            where x.tenant_id = w.tenant_id and x.memory_id = w.memory_id
              and x.actor_id = w.actor_id and x.session_id = w.session_id)) as memory
    from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[])
           with ordinality as w(tenant_id, memory_id, actor_id, session_id, n)
   order by w.n`;

export class PgSessionPulses implements SessionPulses {
  constructor(private readonly dataSource: DataSource) {}

  of(scopes: readonly SessionScope[]): Promise<readonly SessionPulse[]> {
    return rowsOf<SessionPulse>(this.dataSource, PULSES, [
      scopes.map(({ tenantId }) => tenantId),
      scopes.map(({ memoryId }) => memoryId),
      scopes.map(({ actorId }) => actorId),
      scopes.map(({ sessionId }) => sessionId),
    ]);
  }
}
