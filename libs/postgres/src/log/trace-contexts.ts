import type { DataSource } from 'typeorm';
import { listOf, rowsOf } from '../connections/database.js';

/** How long a context is kept: work that starts later starts a new trace. */
const KEEP = '1 hour';
/** Newest turns of a session among which contexts are looked up; a window has at most 500. */
const TURNS = 500;
const MAX_CONTEXTS = 32;

/** What a job works on, and the spans (`traceparent`) that caused it, newest first. */
export interface TracedWork {
  readonly memoryId: string;
  readonly sessionId: string;
  readonly causes: readonly string[];
}

/**
 * Trace contexts of events, kept beside the log: only a row connects a request with a job that another process
 * runs minutes later. Contexts are hints; losing one splits a trace.
 */
export class PgTraceContexts {
  private waiting = new Map<string, string>();
  private writing: Promise<void> = Promise.resolve();
  private next: Promise<void> | null = null;

  constructor(private readonly dataSource: DataSource) {}

  /** Resolves when the contexts of these events are stored. Calls made during a statement share the next one. */
  note(eventIds: readonly string[], traceparent: string): Promise<void> {
    for (const eventId of eventIds) this.waiting.set(eventId, traceparent);
    this.next ??= this.writeNext();
    return this.next;
  }

  /** Contexts of those events that have one. */
  async find(eventIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const rows = await rowsOf<{ event_id: string; traceparent: string }>(
      this.dataSource,
      'select event_id, traceparent from trace_contexts where event_id = any ($1::uuid[])',
      [listOf(eventIds)],
    );
    return new Map(rows.map((row) => [row.event_id, row.traceparent]));
  }

  /** The unread turns of a session, for one strategy; null if the session is not known to it. */
  async ofSession(sessionKey: number, strategyId: string): Promise<TracedWork | null> {
    const rows = await rowsOf<TracedWork>(
      this.dataSource,
      `select s.memory_id as "memoryId", s.session_id as "sessionId", array(
          select c.traceparent from (
            select event_id, sequence from events
             where session_key = s.session_key and sequence > s.watermark
             order by sequence desc limit ${TURNS}) e
          join trace_contexts c using (event_id) order by e.sequence desc limit ${MAX_CONTEXTS}) as causes
         from extraction_states s where s.session_key = $1 and s.strategy_id = $2`,
      [sessionKey, strategyId],
    );
    return rows[0] ?? null;
  }

  /** The event that caused a delivery; null if there is no such delivery. */
  async ofDelivery(deliveryId: string): Promise<readonly string[]> {
    const rows = await rowsOf<{ traceparent: string }>(
      this.dataSource,
      `select c.traceparent from webhook_deliveries d join trace_contexts c on c.event_id = d.cause_event_id
        where d.delivery_id = $1`,
      [deliveryId],
    );
    return rows.map(({ traceparent }) => traceparent);
  }

  /** Deletes old contexts. */
  async purge(): Promise<void> {
    await rowsOf(this.dataSource, `delete from trace_contexts where noted_at < now() - interval '${KEEP}'`);
  }

  private async writeNext(): Promise<void> {
    await this.writing.catch(() => undefined);
    const batch = this.waiting;
    this.waiting = new Map();
    this.next = null;
    await (this.writing = this.write(batch));
  }

  private async write(batch: ReadonlyMap<string, string>): Promise<void> {
    await rowsOf(
      this.dataSource,
      // A repeated request keeps the context of the first one, which created the events.
      `insert into trace_contexts (event_id, traceparent)
       select * from unnest($1::uuid[], $2::text[]) on conflict (event_id) do nothing`,
      [[...batch.keys()], [...batch.values()]],
    );
  }
}
