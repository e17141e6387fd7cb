import type { EventType, LogEvent } from '../log/log-event.js';

/**
 * Projections are built from the log alone and can be rebuilt at any time.
 *
 * - `memories`: memories and their strategies
 * - `agents`: agents
 * - `records`: records, their sources and supersessions
 * - `rolling_memory`: folded captured states of realtime sessions
 */
export type Projection = 'memories' | 'agents' | 'records' | 'rolling_memory';

/**
 * Which projection an event type changes. Each projection's changes are implemented once and used by both use cases and
 * rebuilds, so the two cannot diverge.
 *
 * - `erasure`: deletes rows that came from other events, in every projection
 * - null: changes no projection; read from the log directly
 */
export const PROJECTION_OF = {
  'memory.created': 'memories',
  'memory.described': 'memories',
  'memory.renamed': 'memories',
  'memory.expiry_changed': 'memories',
  'memory.deleted': 'erasure',
  'strategy.added': 'memories',
  'strategy.revised': 'memories',
  'strategy.disabled': 'memories',
  'strategy.enabled': 'memories',
  'strategy.deleted': 'memories',
  'message.appended': null,
  'message.interrupted': null,
  'binary.appended': null,
  'history.reset': null,
  'agent.started': 'agents',
  'agent.updated': 'agents',
  'agent.stopped': 'agents',
  'agent.failed': 'agents',
  'agent.instructed': null,
  'extraction.answered': null,
  'records.extracted': 'records',
  'records.inserted': 'records',
  'records.withdrawn': 'records',
  'records.carried_over': 'records',
  'record.corrected': 'records',
  'supersession.withdrawn': 'records',
  'content.submitted': null,
  'content.erased': 'erasure',
  'memory_state.captured': 'rolling_memory',
} as const satisfies { readonly [T in EventType]: Projection | 'erasure' | null };

type Table = typeof PROJECTION_OF;

/** The event types that change a given projection. */
export type TypesOf<P extends Table[EventType]> = { [T in EventType]: Table[T] extends P ? T : never }[EventType];

/** An event as passed to a projection, before or after it is appended. */
export type ProjectedEvent<T extends EventType> = T extends EventType ? Omit<LogEvent<T>, 'position'> : never;

/** Every event type that changes a projection. */
export const PROJECTED_TYPES = (Object.keys(PROJECTION_OF) as EventType[]).filter(
  (type) => PROJECTION_OF[type] !== null,
);
