import { decodeData } from '@turnkeeper/contracts';
import type { EventType, LogEvent } from '@turnkeeper/domain';

/** The columns of an event `e` with its session `s`. */
export const COLUMNS = `e.position::float8, e.sequence::float8, e.session_key::float8, e.event_id, e.tenant_id, e.memory_id,
  s.actor_id, s.session_id, e.type, e.schema_version, e.data, e.occurred_at, e.recorded_at, e.expires_at`;

/** Judged by the database's clock: the processes' clocks may differ. */
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

/** Told about every event that is read and that a later release wrote; see `observeUnknownEvents`. */
let unknownEventRead: (type: string, schemaVersion: number) => void = () => undefined;

/** Sets who hears of events of an unknown type or a newer version, for this whole process. */
export const observeUnknownEvents = (listener: typeof unknownEventRead): void => {
  unknownEventRead = listener;
};

/**
 * A row as an event of the newest version that this release knows. The one place where stored data becomes an event: an
 * older version is brought up to date, and what a later release wrote is handed on as it is.
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
