import type { EventType, LogEvent } from '../log/log-event.js';

/**
 * What is made from the log alone and can be made again at any time.
 *
 * - `memories`: memories and their strategies
 * - `agents`: agents
 * - `records`: records, their sources, and what supersedes what
 * - `rolling_memory`: what the captured states of realtime sessions add up to
 */
export type Projection = 'memories' | 'agents' | 'records' | 'rolling_memory';

/**
 * Which projection an event changes. The changes themselves are in one place for each projection, and both the use
 * cases and a rebuild go there: a projection cannot come to mean two things.
 *
 * - `erasure`: takes rows of other events away, in every projection
 * - null: changes no projection; readers find it in the log
 */
export const PROJECTION_OF = {
  'memory.created': 'memories',
  'memory.described': 'memories',
  'memory.expiry_changed': 'memories',
  'memory.deleted': 'erasure',
  'strategy.added': 'memories',
  'strategy.revised': 'memories',
  'strategy.disabled': 'memories',
  'strategy.enabled': 'memories',
  'message.appended': null,
  'message.interrupted': null,
  'binary.appended': null,
  'history.reset': null,
  'agent.started': 'agents',
  'agent.updated': 'agents',
  'agent.stopped': 'agents',
  'agent.failed': 'agents',
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

/** The types of events that change one projection. */
export type TypesOf<P extends Table[EventType]> = { [T in EventType]: Table[T] extends P ? T : never }[EventType];

/** An event as a projection looks at it, appended or about to be. */
export type ProjectedEvent<T extends EventType> = T extends EventType ? Omit<LogEvent<T>, 'position'> : never;

/** Every type that changes a projection. */
export const PROJECTED_TYPES = (Object.keys(PROJECTION_OF) as EventType[]).filter(
  (type) => PROJECTION_OF[type] !== null,
);
