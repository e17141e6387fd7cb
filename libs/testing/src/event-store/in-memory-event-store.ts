import {
  checkAppendRequest,
  type AppendRequest,
  type Appended,
  type EventOutline,
  type EventStore,
  type LogPage,
  type LogPageRead,
  type LogReference,
  type ReferenceReader,
  type SessionPage,
  type SessionRead,
  type SessionScope,
} from '@turnkeeper/application';
import {
  AgentNotRunning,
  asHeard,
  EVENT_TRAITS,
  IdempotencyMismatch,
  isUserRole,
  MemoryExists,
  MemoryNotFound,
  SequenceConflict,
  type EventScope,
  type EventType,
  type LogEvent,
  type MemoryCreated,
} from '@turnkeeper/domain';

interface Stored {
  readonly event: LogEvent;
  /** Fingerprint of the request; set on its first event only. */
  readonly fingerprint: string | null;
}

const DAY_MS = 86_400_000;

/** The log without a database. Appends are atomic because they never await. */
export class InMemoryEventStore implements EventStore, ReferenceReader {
  private readonly log: Stored[] = [];
  private readonly positions = new Map<string, number>();
  private readonly gates = new Map<string, { readonly tenantId: string; readonly expiryDays: number }>();
  private readonly sessions = new Map<string, { readonly key: number; sequence: number }>();

  /** @param now replaces the database clock */
  constructor(private readonly now: () => Date = () => new Date()) {}

  async append(request: AppendRequest): Promise<Appended> {
    checkAppendRequest(request);
    const [first] = request.events;
    const { type, eventId } = first!;
    const repeated = this.firstAnswer(request, eventId);
    if (repeated !== null) return repeated;
    if (request.events.some((event) => this.positions.has(idIn(request, event.eventId))))
      throw new IdempotencyMismatch();
    this.passGate(request, type === 'memory.created' ? (first!.data as MemoryCreated) : null);
    this.requireRunning(request);
    const current = this.sessions.get(sessionName(request))?.sequence ?? 0;
    if (request.expectedSequence !== undefined && request.expectedSequence !== current) {
      throw new SequenceConflict(current);
    }
    return this.store(request, EVENT_TRAITS[type].sequenced);
  }

  async readLog(
    after: number,
    limit: number,
    types?: readonly EventType[],
    through = Number.MAX_SAFE_INTEGER,
  ): Promise<LogEvent[]> {
    return this.readable(
      ({ position, type }) => position > after && position <= through && (types?.includes(type) ?? true),
    ).slice(0, limit);
  }

  async readLogPage(after: number, { limit, maxBytes, types, through }: LogPageRead): Promise<LogPage> {
    const events: LogEvent[] = [];
    let bytes = 0;
    for (const event of await this.readLog(after, limit, types, through)) {
      if (bytes >= maxBytes) break;
      events.push(event);
      bytes += Buffer.byteLength(JSON.stringify(event.data));
    }
    return { events, more: events.length === limit || bytes >= maxBytes };
  }

  async readOutline(after: number, limit: number): Promise<EventOutline[]> {
    return (await this.readLog(after, limit)).map((event) => ({
      position: event.position,
      sessionKey: event.sessionKey,
      sequence: event.sequence,
      type: event.type,
      isUserTurn: event.type === 'message.appended' && isUserRole(event.data.role),
    }));
  }

  async readReferences(after: number, limit: number): Promise<LogReference[]> {
    return (await this.readLog(after, limit)).map(
      ({ position, eventId, type, sessionKey, sequence, tenantId, memoryId }) => ({
        position,
        eventId,
        type,
        sessionKey,
        sequence,
        tenantId,
        memoryId,
      }),
    );
  }

  async positionSince(ageMs: number): Promise<number> {
    const since = new Date(this.now().getTime() - ageMs).toISOString();
    const first = this.log.findIndex(({ event }) => event.recordedAt >= since);
    return (first < 0 ? this.log.length : first) + 1;
  }

  async headPosition(): Promise<number> {
    return this.log.length;
  }

  async readSession(scope: SessionScope, read: SessionRead): Promise<LogEvent[]> {
    return [...(await this.readSessionPage(scope, { maxBytes: Infinity, ...read })).events];
  }

  async readSessionPage(scope: SessionScope, read: SessionRead & { readonly maxBytes: number }): Promise<SessionPage> {
    const stream = this.stream(scope, read);
    if (read.order === 'newest-first') stream.reverse();
    const found = stream.slice(read.offset ?? 0);
    const events: LogEvent[] = [];
    let bytes = 0;
    for (const event of found.slice(0, read.limit)) {
      if (bytes >= read.maxBytes) break;
      events.push(read.asAppended === true ? event : this.heard(event));
      bytes += Buffer.byteLength(JSON.stringify(event.data));
    }
    return { events, bytes, more: events.length < found.length };
  }

  async countSession(scope: SessionScope, read: Pick<SessionRead, 'types' | 'from' | 'to'>): Promise<number> {
    return this.stream(scope, read).length;
  }

  async sessionSequence(scope: SessionScope): Promise<number> {
    return this.sessions.get(sessionName(scope))?.sequence ?? 0;
  }

  /** Nothing is ever erased here. */
  async erasedAmong(): Promise<ReadonlySet<string>> {
    return new Set();
  }

  /** The original result if the request's first event is already stored, else null. */
  private firstAnswer(request: AppendRequest, firstEventId: string): Appended | null {
    const position = this.positions.get(idIn(request, firstEventId));
    if (position === undefined) return null;
    const stored = this.log.slice(position - 1, position - 1 + request.events.length);
    const { event, fingerprint } = stored[0]!;
    const agrees =
      request.fingerprint !== undefined
        ? request.fingerprint.toLowerCase() === fingerprint
        : stored.length === request.events.length &&
          stored.every(({ event: old }, index) => {
            const repeat = request.events[index]!;
            return old.eventId === repeat.eventId && old.type === repeat.type;
          });
    if (!agrees || sessionName(event) !== sessionName(request)) throw new IdempotencyMismatch();
    return {
      firstPosition: position,
      firstSequence: event.sequence,
      count: request.events.length,
      recordedAt: event.recordedAt,
      duplicate: true,
    };
  }

  private passGate({ tenantId, memoryId }: AppendRequest, created: MemoryCreated | null): void {
    const gate = this.gates.get(memoryId);
    if (gate === undefined ? created === null : gate.tenantId !== tenantId) throw new MemoryNotFound();
    if (gate !== undefined && created !== null) throw new MemoryExists();
    if (created !== null) this.gates.set(memoryId, { tenantId, expiryDays: created.eventExpiryDuration });
  }

  private requireRunning({ tenantId, through }: AppendRequest): void {
    if (through === undefined) return;
    if (through.status !== 'RUNNING') throw new AgentNotRunning(through.status);
    const end = this.log.find(
      ({ event }) =>
        (event.type === 'agent.stopped' || event.type === 'agent.failed') &&
        event.tenantId === tenantId &&
        event.data.agentId === through.agentId,
    );
    if (end !== undefined) throw new AgentNotRunning(end.event.type === 'agent.failed' ? 'FAILED' : 'STOPPED');
  }

  private store(request: AppendRequest, sequenced: boolean): Appended {
    const { tenantId, memoryId, actorId, sessionId } = request;
    const recorded = this.now();
    const expiresAt = new Date(recorded.getTime() + this.gates.get(memoryId)!.expiryDays * DAY_MS).toISOString();
    const session = sessionId === null ? null : this.session(sessionName(request));
    const numbered = session !== null && sequenced;
    const firstPosition = this.log.length + 1;
    const firstSequence = numbered ? session.sequence + 1 : null;
    request.events.forEach((event, index) => {
      const position = this.log.length + 1;
      if (numbered) session.sequence += 1;
      this.positions.set(idIn(request, event.eventId), position);
      this.log.push({
        fingerprint: index === 0 ? (request.fingerprint?.toLowerCase() ?? null) : null,
        event: {
          tenantId,
          memoryId,
          actorId,
          sessionId,
          position,
          sequence: numbered ? session.sequence : null,
          sessionKey: session?.key ?? null,
          eventId: event.eventId,
          type: event.type,
          schemaVersion: event.schemaVersion,
          data: JSON.parse(JSON.stringify(event.data)) as unknown,
          occurredAt: event.occurredAt === null ? null : new Date(event.occurredAt).toISOString(),
          recordedAt: recorded.toISOString(),
          expiresAt: EVENT_TRAITS[event.type].expires ? expiresAt : null,
        } as LogEvent,
      });
    });
    const { length: count } = request.events;
    return { firstPosition, firstSequence, count, recordedAt: recorded.toISOString(), duplicate: false };
  }

  private session(name: string): { readonly key: number; sequence: number } {
    const session = this.sessions.get(name) ?? { key: this.sessions.size + 1, sequence: 0 };
    this.sessions.set(name, session);
    return session;
  }

  private readable(filter: (event: LogEvent) => boolean): LogEvent[] {
    const now = this.now().toISOString();
    return this.log
      .map(({ event }) => event)
      .filter((event) => (event.expiresAt === null || event.expiresAt > now) && filter(event));
  }

  private heard(event: LogEvent): LogEvent {
    if (event.type !== 'message.appended') return event;
    const cuts = this.log.flatMap(({ event: cut }) =>
      cut.type === 'message.interrupted' &&
      cut.sessionKey === event.sessionKey &&
      cut.data.messageEventId === event.eventId
        ? [cut.data]
        : [],
    );
    return asHeard(event, cuts);
  }

  /** The session's numbered events that match, oldest first. */
  private stream(scope: SessionScope, read: Partial<SessionRead>): LogEvent[] {
    const name = sessionName(scope);
    return this.readable((event) => {
      const at = new Date(event.occurredAt ?? event.recordedAt);
      return (
        sessionName(event) === name &&
        event.sequence !== null &&
        event.sequence > (read.after ?? 0) &&
        event.sequence < (read.before ?? Number.POSITIVE_INFINITY) &&
        (read.types?.includes(event.type) ?? true) &&
        (read.from === undefined || at >= new Date(read.from)) &&
        (read.to === undefined || at <= new Date(read.to))
      );
    });
  }
}

/** Event ids are unique per tenant. */
const idIn = ({ tenantId }: { readonly tenantId: string }, eventId: string): string =>
  `${tenantId} ${eventId.toLowerCase()}`;

const sessionName = (scope: EventScope): string =>
  JSON.stringify([scope.tenantId, scope.memoryId, scope.actorId, scope.sessionId]);
