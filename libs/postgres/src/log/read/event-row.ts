import { decodeData } from '@turnkeeper/contracts';
import { asHeard, type EventType, type LogEvent, type MessageInterrupted } from '@turnkeeper/domain';

/** Columns of an event `e` and its session `s`. */
export const COLUMNS = `e.position::float8, e.sequence::float8, e.session_key::float8, e.event_id, e.tenant_id, e.memory_id,
  s.actor_id, s.session_id, e.type, e.schema_version, e.data, e.occurred_at, e.recorded_at, e.expires_at`;

/** Uses the database clock, because the clocks of processes may differ. */
export const READABLE = '(e.expires_at is null or e.expires_at > now())';

export interface EventRow {
  readonly position: number;
  readonly sequence: number | null;
  readonly session_key: number | null;
  readonly event_id: string;
  readonly tenant_id: string;
  readonly memory_id: string;
  readonly actor_id: string | null;
  readonly session_id: string | null;
  readonly type: EventType;
  readonly schema_version: number;
  readonly data: unknown;
  readonly occurred_at: Date | null;
  readonly recorded_at: Date;
  readonly expires_at: Date | null;
  /** Of a message, if the statement reads them (`heardIn`); null or absent: none. */
  readonly interruptions?: readonly MessageInterrupted[] | null;
}

/**
 * Adds the interruptions of messages to the rows of a statement with `COLUMNS`, so that `eventOf` returns messages as they
 * were heard. $1 is the tenant, or null for all.
 *
 * @param order of the rows
 */
export const heardIn = (statement: string, order: string): string => `
  with page as materialized (${statement}), cut as materialized (
    select i.session_key, i.event_id, i.interruptions from (
      select array_agg(p.session_key::bigint) as keys, array_agg(p.event_id) as ids from page p
      where p.type = 'message.appended' and p.session_key is not null
    ) m cross join lateral interruptions_of($1, m.keys, m.ids, null) i
    where m.keys is not null
  )
  select p.*, (
    select c.interruptions from cut c where c.event_id = p.event_id and c.session_key = p.session_key::bigint
  ) as interruptions
  from page p order by ${order}`;

/** Called for each event read that a later release wrote; see `observeUnknownEvents`. */
let unknownEventRead: (type: string, schemaVersion: number) => void = () => undefined;

/** Sets the process-wide listener for events with an unknown type or a newer version. */
export const observeUnknownEvents = (listener: typeof unknownEventRead): void => {
  unknownEventRead = listener;
};

/**
 * Converts a row to an event of the newest version this release knows. This is the only place where stored data becomes
 * an event: older versions are upcast, events of a later release pass through unchanged, and messages are cut to what was
 * heard if the row has their interruptions.
 */
export const eventOf = (row: EventRow): LogEvent => {
  const decoded = decodeData(row.type, row.schema_version, row.data);
  if (!decoded.known) unknownEventRead(row.type, row.schema_version);
  const event = {
    position: row.position,
    sequence: row.sequence,
    sessionKey: row.session_key,
    eventId: row.event_id,
    tenantId: row.tenant_id,
    memoryId: row.memory_id,
    actorId: row.actor_id,
    sessionId: row.session_id,
    type: row.type,
    schemaVersion: decoded.known ? decoded.schemaVersion : row.schema_version,
    data: decoded.known ? decoded.data : row.data,
    occurredAt: row.occurred_at?.toISOString() ?? null,
    recordedAt: row.recorded_at.toISOString(),
    expiresAt: row.expires_at?.toISOString() ?? null,
  } as LogEvent;
  const { interruptions } = row;
  return event.type === 'message.appended' && interruptions != null ? asHeard(event, interruptions) : event;
};
