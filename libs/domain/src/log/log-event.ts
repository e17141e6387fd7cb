import type { AgentFailed, AgentStarted, AgentStopped, AgentUpdated } from '../agent/agent-events.js';
import type { ContentErased } from '../erasure/erasure-events.js';
import type {
  MemoryCreated,
  MemoryDeleted,
  MemoryDescribed,
  MemoryExpiryChanged,
  StrategyAdded,
  StrategyDisabled,
  StrategyEnabled,
  StrategyRevised,
} from '../memory/memory-events.js';
import type {
  RecordCorrected,
  RecordsCarriedOver,
  RecordsInserted,
  RecordsWithdrawn,
  SupersessionWithdrawn,
} from '../records/record-changes.js';
import type { ExtractionAnswered } from '../records/extraction-answered.js';
import type { RecordsExtracted } from '../records/record-events.js';
import type { MemoryStateCaptured } from '../rolling-memory/rolling-memory-events.js';
import type {
  BinaryAppended,
  ContentSubmitted,
  HistoryReset,
  MessageAppended,
  MessageInterrupted,
} from '../session/session-events.js';

/** Every kind of fact the log can hold, by its stable name. A new meaning is a new name. */
export interface EventDataByType {
  'memory.created': MemoryCreated;
  'memory.described': MemoryDescribed;
  'memory.expiry_changed': MemoryExpiryChanged;
  'memory.deleted': MemoryDeleted;
  'strategy.added': StrategyAdded;
  'strategy.revised': StrategyRevised;
  'strategy.disabled': StrategyDisabled;
  'strategy.enabled': StrategyEnabled;
  'message.appended': MessageAppended;
  'message.interrupted': MessageInterrupted;
  'binary.appended': BinaryAppended;
  'history.reset': HistoryReset;
  'agent.started': AgentStarted;
  'agent.updated': AgentUpdated;
  'agent.stopped': AgentStopped;
  'agent.failed': AgentFailed;
  'extraction.answered': ExtractionAnswered;
  'records.extracted': RecordsExtracted;
  'records.inserted': RecordsInserted;
  'records.withdrawn': RecordsWithdrawn;
  'records.carried_over': RecordsCarriedOver;
  'record.corrected': RecordCorrected;
  'supersession.withdrawn': SupersessionWithdrawn;
  'content.submitted': ContentSubmitted;
  'content.erased': ContentErased;
  'memory_state.captured': MemoryStateCaptured;
}

export type EventType = keyof EventDataByType;

/** A fact before the log has taken it. */
export type NewEvent = {
  [T in EventType]: {
    /** UUID. Unique within the tenant for as long as the event lives. */
    readonly eventId: string;
    readonly type: T;
    readonly schemaVersion: number;
    readonly data: EventDataByType[T];
    /** When it happened by the client's clock (ISO 8601), or null when the client did not say. */
    readonly occurredAt: string | null;
  };
}[EventType];

/** Where an event belongs. Actor and session are null for facts about the memory itself. */
export interface EventScope {
  readonly tenantId: string;
  readonly memoryId: string;
  readonly actorId: string | null;
  readonly sessionId: string | null;
}

/** A fact as the log holds it. */
export type LogEvent<T extends EventType = EventType> = T extends EventType
  ? EventScope & {
      /** Place in the log: dense, in commit order, from 1. */
      readonly position: number;
      /** Place in the session, 1..n without gaps; null outside of a session's stream. */
      readonly sequence: number | null;
      /** The session's short internal key; null outside of a session. */
      readonly sessionKey: number | null;
      readonly eventId: string;
      readonly type: T;
      readonly schemaVersion: number;
      readonly data: EventDataByType[T];
      readonly occurredAt: string | null;
      /** When the log took it, by the database's clock (ISO 8601, ms). */
      readonly recordedAt: string;
      /** When it stops being readable (ISO 8601), or null for never. */
      readonly expiresAt: string | null;
    }
  : never;
