import {
  agentView,
  assignTurns,
  everything,
  foldMessages,
  MESSAGE_EVENT_TYPES,
  SequenceConflict,
  type MessageAppended,
} from '@turnkeeper/domain';
import type { Ports } from '../ports.js';
import type { SessionScope } from '../log/event-store.port.js';

/** Newest events of a session that are searched for its last turn, and their maximum size as JSON. */
const LOOK_BACK = 100;
const MAX_BYTES = 1_048_576;
/** Attempts that other appends to the session may overtake before the conflict is reported. */
const MAX_ATTEMPTS = 50;

/**
 * Gives turn ids and timestamps to messages without them, when they are appended: an id that is given here is unique in
 * its session, also among parallel requests. The appends of one process to a session queue up; those of others make the
 * append fail with `SequenceConflict`, and it is repeated with later turns.
 */
export class NextTurns {
  /** By session. The last append that was begun. */
  private readonly queues = new Map<string, Promise<unknown>>();

  constructor(private readonly deps: Pick<Ports, 'eventStore' | 'clock'>) {}

  /**
   * @param agent whose conversation goes on; null for an agent that starts
   * @param store appends the messages if the session is still at this sequence, else rejects with `SequenceConflict`
   */
  append<T>(
    scope: SessionScope,
    agent: { readonly agentId: string; readonly startedSequence: number } | null,
    messages: readonly MessageAppended[],
    store: (messages: readonly MessageAppended[], expectedSequence?: number) => Promise<T>,
  ): Promise<T> {
    const isComplete = messages.every(({ turnId, timestamp }) => turnId !== undefined && timestamp !== undefined);
    if (isComplete) return store(messages);
    return this.inLine(scope, () => this.attempt(scope, agent, messages, store));
  }

  private async attempt<T>(...[scope, agent, messages, store]: Parameters<typeof this.append<T>>): Promise<T> {
    const { eventStore, clock } = this.deps;
    let expected = await eventStore.sessionSequence(scope);
    for (let attempt = 1; ; attempt += 1) {
      const { events } = await eventStore.readSessionPage(scope, {
        types: MESSAGE_EVENT_TYPES,
        order: 'newest-first',
        limit: LOOK_BACK,
        maxBytes: MAX_BYTES,
      });
      const newest = events.toReversed();
      const turns = foldMessages(newest, everything).map(({ data }) => data.turnId ?? 0);
      const own = agent === null ? [] : foldMessages(newest, agentView(agent.agentId));
      const earlier = own.filter(({ sequence }) => (sequence ?? 0) > (agent?.startedSequence ?? 0));
      const numbered = assignTurns(
        messages,
        earlier.map(({ data }) => data),
        { nowMs: clock.now().getTime(), highest: Math.max(0, ...turns) },
      );
      try {
        return await store(numbered, expected);
      } catch (error) {
        if (!(error instanceof SequenceConflict) || attempt === MAX_ATTEMPTS) throw error;
        expected = error.currentSequence;
      }
    }
  }

  private async inLine<T>(scope: SessionScope, work: () => Promise<T>): Promise<T> {
    const key = JSON.stringify([scope.memoryId, scope.actorId, scope.sessionId]);
    const previous = this.queues.get(key);
    const mine = (async () => {
      await previous?.catch(() => undefined);
      return work();
    })();
    this.queues.set(key, mine);
    try {
      return await mine;
    } finally {
      if (this.queues.get(key) === mine) this.queues.delete(key);
    }
  }
}
