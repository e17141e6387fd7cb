import type { AgentFailed, AgentInstructed, AgentStarted, AgentStopped, AgentUpdated } from '../agent/agent-events.js';
import type { ContentErased } from '../erasure/erasure-events.js';
import type {
  MemoryCreated,
  MemoryDeleted,
  MemoryDescribed,
  MemoryExpiryChanged,
  MemoryRenamed,
  StrategyAdded,
  StrategyDeleted,
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

/** Every event type in the log, by its stable name. A changed meaning needs a new name. */
export interface EventDataByType {
  'memory.created': MemoryCreated;
  'memory.described': MemoryDescribed;
  'memory.renamed': MemoryRenamed;
  'memory.expiry_changed': MemoryExpiryChanged;
  'memory.deleted': MemoryDeleted;
  'strategy.added': StrategyAdded;
  'strategy.revised': StrategyRevised;
  'strategy.disabled': StrategyDisabled;
  'strategy.enabled': StrategyEnabled;
  'strategy.deleted': StrategyDeleted;
  'message.appended': MessageAppended;
  'message.interrupted': MessageInterrupted;
  'binary.appended': BinaryAppended;
  'history.reset': HistoryReset;
  'agent.started': AgentStarted;
  'agent.updated': AgentUpdated;
  'agent.stopped': AgentStopped;
  'agent.failed': AgentFailed;
  'agent.instructed': AgentInstructed;
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

/** An event before it is appended. */
export type NewEvent = {
  [T in EventType]: {
    /** UUID, unique within the tenant while the event exists. */
    readonly eventId: string;
    readonly type: T;
    readonly schemaVersion: number;
    readonly data: EventDataByType[T];
    /** When it happened by the client's clock (ISO 8601); null if the client did not say. */
    readonly occurredAt: string | null;
  };
}[EventType];

/** Actor and session are null for events about the memory itself. */
export interface EventScope {
  readonly tenantId: string;
  readonly memoryId: string;
  readonly actorId: string | null;
  readonly sessionId: string | null;
}

/** An event as stored in the log. */
export type LogEvent<T extends EventType = EventType> = T extends EventType
  ? EventScope & {
      /** Position in the log, from 1, in commit order, without gaps. */
      readonly position: number;
      /** Sequence in the session, 1..n without gaps; null outside a session's stream. */
      readonly sequence: number | null;
      /** The session's internal key; null outside a session. */
      readonly sessionKey: number | null;
      readonly eventId: string;
      readonly type: T;
      readonly schemaVersion: number;
      readonly data: EventDataByType[T];
      readonly occurredAt: string | null;
      /** When it was appended, by the database's clock (ISO 8601, ms). */
      readonly recordedAt: string;
      /** When it becomes unreadable (ISO 8601); null for never. */
      readonly expiresAt: string | null;
    }
  : never;
