import { decodeData } from '@turnkeeper/contracts';
import type { EventType, LogEvent } from '@turnkeeper/domain';

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
}

/** Called for each event read that a later release wrote; see `observeUnknownEvents`. */
let unknownEventRead: (type: string, schemaVersion: number) => void = () => undefined;

/** Sets the process-wide listener for events with an unknown type or a newer version. */
export const observeUnknownEvents = (listener: typeof unknownEventRead): void => {
  unknownEventRead = listener;
};

/**
 * Converts a row to an event of the newest version this release knows. This is the only place where stored data becomes
 * an event: older versions are upcast, and events of a later release pass through unchanged.
 */
export const eventOf = (row: EventRow): LogEvent => {
  const decoded = decodeData(row.type, row.schema_version, row.data);
  if (!decoded.known) unknownEventRead(row.type, row.schema_version);
  return {
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
};
