import { ActorNotFound, EventNotFound, SessionNotFound, type LogEvent } from '@turnkeeper/domain';
import type { ModelUsage } from '../extraction/extraction-states.port.js';
import type { Ports } from '../ports.js';
import { requireMemory } from '../memories/require-memory.js';
import type { SessionScope } from '../log/event-store.port.js';
import type { RecentSession, RecentSessionsRead } from './recent-sessions.port.js';
import type { RecordReader } from '../records/record-reader.port.js';
import type {
  ActorDetails,
  ActorView,
  CountedPage,
  ListPlace,
  LogUsage,
  SessionDetails,
  SessionView,
} from './session-directory.port.js';

export interface MemoryUsage extends LogUsage {
  readonly records: number;
  readonly supersededRecords: number;
  /** Of the last 31 days, newest first. */
  readonly modelUsage: ModelUsage[];
}

/** Lists a memory's actors, sessions, events and usage. */
export class BrowseMemory {
  constructor(
    private readonly deps: Pick<Ports, 'memories' | 'directory' | 'recentSessions' | 'extractionStates'> & {
      readonly records: Pick<RecordReader, 'count'>;
    },
  ) {}

  async actors(tenantId: string, memoryId: string, place: ListPlace): Promise<CountedPage<ActorView>> {
    await requireMemory(this.deps.memories, tenantId, memoryId);
    return this.deps.directory.listActors(tenantId, memoryId, place);
  }

  async actor(tenantId: string, memoryId: string, actorId: string): Promise<ActorDetails> {
    await requireMemory(this.deps.memories, tenantId, memoryId);
    const actor = await this.deps.directory.findActor(tenantId, memoryId, actorId);
    if (actor === null) throw new ActorNotFound();
    return actor;
  }

  async sessions(
    tenantId: string,
    memoryId: string,
    actorId: string,
    place: ListPlace,
  ): Promise<CountedPage<SessionView>> {
    await requireMemory(this.deps.memories, tenantId, memoryId);
    return this.deps.directory.listSessions(tenantId, memoryId, actorId, place);
  }

  /** Most recently active first. */
  async recent(tenantId: string, memoryId: string, read: RecentSessionsRead): Promise<readonly RecentSession[]> {
    await requireMemory(this.deps.memories, tenantId, memoryId);
    return this.deps.recentSessions.list(tenantId, memoryId, read);
  }

  async session(scope: SessionScope): Promise<SessionDetails> {
    await requireMemory(this.deps.memories, scope.tenantId, scope.memoryId);
    const session = await this.deps.directory.findSession(scope);
    if (session === null) throw new SessionNotFound();
    return session;
  }

  /** Returns one message or binary event. */
  async event(
    scope: SessionScope,
    eventId: string,
  ): Promise<LogEvent<'message.appended'> | LogEvent<'binary.appended'>> {
    await requireMemory(this.deps.memories, scope.tenantId, scope.memoryId);
    const event = await this.deps.directory.findEvent(scope, eventId);
    if (event?.type !== 'message.appended' && event?.type !== 'binary.appended') throw new EventNotFound();
    return event;
  }

  async usage(tenantId: string, memoryId: string): Promise<MemoryUsage> {
    const { memories, directory, records, extractionStates } = this.deps;
    await requireMemory(memories, tenantId, memoryId);
    const [log, counts, modelUsage] = await Promise.all([
      directory.usage(tenantId, memoryId),
      records.count(tenantId, memoryId),
      extractionStates.modelUsage(tenantId, memoryId),
    ]);
    return { ...log, records: counts.current, supersededRecords: counts.superseded, modelUsage: [...modelUsage] };
  }
}
