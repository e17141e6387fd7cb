import { isKnownEvent } from '@turnkeeper/contracts';
import { PROJECTION_OF, type LogEvent, type TypesOf } from '@turnkeeper/domain';
import type { Ports } from '../ports.js';
import type { ShadowProjections } from './shadow-projections.port.js';
import type { Transaction } from '../shared/transaction.port.js';
import { projectAgent } from './project-agent.js';
import { projectMemory } from './project-memory.js';
import { projectRecords, type RecordStores } from './project-records.js';
import { projectRollingMemory } from './project-rolling-memory.js';

export type ProjectionStores = RecordStores & Pick<Ports, 'memories' | 'agents' | 'rollingMemory'>;

interface Deps extends ProjectionStores {
  readonly shadow: ShadowProjections;
}

/**
 * Applies the next event of the log to rebuilt projections. Events arrive in log order. The events of a session erased
 * during the rebuild may be missing from some page on. Event types of later releases are ignored; that release's own
 * rebuild handles them.
 */
export const projectLogEvent = async (deps: Deps, tx: Transaction, event: LogEvent): Promise<void> => {
  if (!isKnownEvent(event)) return;
  const projection = PROJECTION_OF[event.type];
  switch (projection) {
    case null:
      return;
    case 'memories':
      return rebuildMemory(deps, tx, event as LogEvent<TypesOf<'memories'>>);
    case 'agents':
      return rebuildAgent(deps, tx, event as LogEvent<TypesOf<'agents'>>);
    case 'records':
      return projectRecords(deps, tx, event as LogEvent<TypesOf<'records'>>);
    case 'rolling_memory':
      return rebuildRollingMemory(deps, tx, event as LogEvent<TypesOf<'rolling_memory'>>);
    case 'erasure':
      return erase(deps, tx, event as LogEvent<TypesOf<'erasure'>>);
  }
};

const rebuildMemory = async (deps: Deps, tx: Transaction, event: LogEvent<TypesOf<'memories'>>): Promise<void> => {
  const { tenantId, memoryId } = event;
  const known = event.type === 'memory.created' ? null : await deps.memories.findForUpdate(tx, tenantId, memoryId);
  await projectMemory(deps, tx, known, [event]);
};

const rebuildAgent = async (deps: Deps, tx: Transaction, event: LogEvent<TypesOf<'agents'>>): Promise<void> => {
  const started = event.type === 'agent.started';
  const known = started ? null : await deps.agents.findForUpdate(tx, event.tenantId, event.data.agentId);
  if (started) await deps.shadow.noteSession(tx, event);
  await projectAgent(deps, tx, known, event);
};

const rebuildRollingMemory = async (
  deps: Deps,
  tx: Transaction,
  event: LogEvent<TypesOf<'rolling_memory'>>,
): Promise<void> => {
  const { tenantId, memoryId, actorId, sessionId } = event;
  if (actorId === null || sessionId === null) throw new TypeError(`${event.type} outside of a session.`);
  await deps.shadow.noteSession(tx, event);
  const scope = { tenantId, memoryId, actorId, sessionId };
  const known = await deps.rollingMemory.findForUpdate(tx, scope);
  await projectRollingMemory(deps, tx, known, { ...event, ...scope });
};

/**
 * Affected records have separate events (`records.withdrawn`, `records.carried_over`); all other rows are deleted by
 * session or memory. Usually there are none, because the log no longer returns the erased events; only events read
 * before the erasure leave any.
 */
const erase = ({ shadow }: Deps, tx: Transaction, event: LogEvent<TypesOf<'erasure'>>): Promise<void> =>
  event.type === 'memory.deleted'
    ? shadow.forgetMemory(tx, event.memoryId)
    : shadow.forgetSessions(tx, event as LogEvent<'content.erased'>);
