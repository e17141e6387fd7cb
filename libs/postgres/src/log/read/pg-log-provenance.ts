import type { LogProvenance, RecordAccount, SourcePlace, TracedSource } from '@turnkeeper/application';
import { MEMORY_EVENT_TYPES, type LogEvent, type MemoryEvent } from '@turnkeeper/domain';
import type pg from 'pg';
import type { TenantPool } from '../../connections/tenant-pool.js';
import { COLUMNS, eventOf, heardIn, READABLE, type EventRow } from './event-row.js';

const ACCOUNT_TYPES = [
  'records.extracted',
  'records.inserted',
  'records.carried_over',
  'record.corrected',
  'supersession.withdrawn',
] as const satisfies readonly RecordAccount['type'][];

type TraceRow = EventRow & { readonly source: string; readonly readable: boolean | null; readonly expired: boolean };

/** Looks up the source events of records in the log. */
export class PgLogProvenance implements LogProvenance {
  constructor(private readonly tenants: TenantPool) {}

  async traceSources(tenantId: string, places: readonly SourcePlace[]): Promise<readonly TracedSource[]> {
    const rows = await this.rows<TraceRow>(
      heardIn(
        `select distinct on (p.source) p.source, ${COLUMNS},
              ${READABLE} and s.session_key is not null as readable,
              coalesce(e.expires_at <= now(), t.reason = 'expired', b.reason = 'expired', false) as expired
         from unnest($2::uuid[], $3::bigint[], $4::bigint[]) as p(source, place_key, place_sequence)
         left join events e on e.event_id = p.source and e.tenant_id = $1
         left join sessions s on s.session_key = e.session_key
         left join tombstones t on t.session_key = p.place_key and t.sequence = p.place_sequence and t.tenant_id = $1
         left join lateral (
           -- Long expired: the last range that begins there or before, if it reaches as far.
           select r.* from buried_sequences r where r.session_key = p.place_key and r.first <= p.place_sequence
           order by r.first desc limit 1
         ) b on b.last >= p.place_sequence and b.tenant_id = $1
        order by p.source`,
        'p.source',
      ),
      [
        tenantId,
        places.map(({ eventId }) => eventId),
        places.map(({ sessionKey }) => sessionKey),
        places.map(({ sequence }) => sequence),
      ],
    );
    return rows.map((row): TracedSource => {
      const eventId = row.source;
      if (row.event_id !== null && row.readable === true) return { eventId, state: 'readable', event: eventOf(row) };
      return { eventId, state: row.expired ? 'expired' : 'erased', event: null };
    });
  }

  async accountsOf(
    { tenantId, memoryId, recordId }: { tenantId: string; memoryId: string; recordId: string },
    { actorId, sessionKeys }: { actorId: string | null; sessionKeys: readonly number[] },
  ): Promise<readonly RecordAccount[]> {
    const rows = await this.rows<EventRow>(
      `with places as (
         select session_key from sessions
          where tenant_id = $1 and memory_id = $2 and (actor_id = $3 and session_id = '' or session_key = any($4))
       ), accounts as (
         select * from events where session_key = any(array(select session_key from places)) and sequence is null
         union all
         select * from events where memory_id = $2 and session_key is null
       )
       select ${COLUMNS} from accounts e left join sessions s using (session_key)
        where e.tenant_id = $1 and e.memory_id = $2 and e.type = any($5) and strpos(e.data::text, $6) > 0
        order by e.position`,
      [tenantId, memoryId, actorId, [...sessionKeys], [...ACCOUNT_TYPES], recordId],
    );
    return rows.map(eventOf) as RecordAccount[];
  }

  async answer(tenantId: string, eventId: string): Promise<LogEvent<'extraction.answered'> | null> {
    const [row] = await this.rows<EventRow>(
      `select ${COLUMNS} from events e join sessions s using (session_key)
        where e.event_id = $2 and e.tenant_id = $1 and e.type = 'extraction.answered'`,
      [tenantId, eventId],
    );
    return row === undefined ? null : (eventOf(row) as LogEvent<'extraction.answered'>);
  }

  async memoryEvents(tenantId: string, memoryId: string): Promise<readonly MemoryEvent[]> {
    const rows = await this.rows<EventRow>(
      `select ${COLUMNS} from events e left join sessions s using (session_key)
        where e.memory_id = $2 and e.session_key is null and e.tenant_id = $1 and e.type = any($3) order by e.position`,
      [tenantId, memoryId, [...MEMORY_EVENT_TYPES]],
    );
    return rows.map(eventOf) as MemoryEvent[];
  }

  /** @param values first value: the tenant */
  private async rows<R extends pg.QueryResultRow>(
    text: string,
    values: readonly [tenantId: string, ...rest: unknown[]],
  ): Promise<R[]> {
    return (await this.tenants.query<R>(values[0], text, [...values])).rows;
  }
}
