import {
  agentView,
  assertMessage,
  interruptLast,
  type MessageInterrupted,
  SNAKE_CASE_NAMES,
  type Agent,
  type Interruption,
  type MessageAppended,
} from '@turnkeeper/domain';
import type { Ports } from '../ports.js';
import { factOf } from '../log/stored-event.js';
import { appendedEvents, type AppendedEvent } from '../events/append-events.js';
import { scopeOf, type Appended } from '../log/event-store.port.js';
import { readNewest } from '../sessions/read-window.js';
import { requireAgent } from './agent-change.js';
import { NextTurns } from './next-turns.js';
import type { AgentReaders } from './agent-messages.js';

type Deps = AgentReaders & Pick<Ports, 'ids' | 'clock'>;

/** Makes a client's append idempotent. */
export interface RepeatKey {
  readonly idempotencyKey?: string | undefined;
  /** Hex SHA-256 of the raw body; only called if there is a key. */
  readonly fingerprint: () => string;
}

const repeatable = ({ idempotencyKey, fingerprint }: RepeatKey) =>
  idempotencyKey === undefined ? {} : { fingerprint: fingerprint() };

/** The append itself checks that the agent is running, so a concurrent stop cannot slip in between. */
const throughAgent = (agent: Agent) => ({
  ...scopeOf(agent),
  through: { agentId: agent.agentId, status: agent.status },
});

/** Appends to the conversation of a running agent, all messages or none. Durable when it resolves. */
export class AppendToAgent {
  private readonly turns: NextTurns;

  constructor(private readonly deps: Deps) {
    this.turns = new NextTurns(deps);
  }

  /** @param path location of the messages in the request, for errors, e.g. `contents.` */
  async execute(
    tenantId: string,
    agentId: string,
    messages: readonly MessageAppended[],
    key: RepeatKey,
    path = '',
  ): Promise<AppendedEvent[]> {
    const agent = await this.agentFor(tenantId, agentId, messages, path);
    return this.store(agent, messages, key);
  }

  /** The same, with turn ids and timestamps for messages without them. */
  async executeInTurn(
    tenantId: string,
    agentId: string,
    messages: readonly MessageAppended[],
    key: RepeatKey,
    path = '',
  ): Promise<AppendedEvent[]> {
    const agent = await this.agentFor(tenantId, agentId, messages, path);
    return this.turns.append(scopeOf(agent), agent, messages, (numbered, expectedSequence) =>
      this.store(agent, numbered, key, expectedSequence),
    );
  }

  private agentFor(
    tenantId: string,
    agentId: string,
    messages: readonly MessageAppended[],
    path: string,
  ): Promise<Agent> {
    messages.forEach((message, index) => assertMessage(message, `${path}${index}.`, SNAKE_CASE_NAMES));
    return requireAgent(this.deps.agents, tenantId, agentId);
  }

  private async store(
    agent: Agent,
    messages: readonly MessageAppended[],
    key: RepeatKey,
    expectedSequence?: number,
  ): Promise<AppendedEvent[]> {
    const { eventStore, ids } = this.deps;
    const { idempotencyKey } = key;
    const idAt = (index: number): string =>
      idempotencyKey === undefined ? ids.next() : ids.derive('agent-append', agent.agentId, idempotencyKey, index);
    const events = messages.map((message, index) => factOf(idAt(index), 'message.appended', message));
    const expected = expectedSequence === undefined ? {} : { expectedSequence };
    const appended = await eventStore.append({ ...throughAgent(agent), events, ...expected, ...repeatable(key) });
    return appendedEvents(events, appended);
  }
}

/** Newest messages searched for the one that an interruption cuts. */
const LOOK_BACK = 100;

/** Interrupts a running agent: cuts its last message to what was heard. Rejects with `NothingToInterrupt`. */
export class InterruptAgent {
  constructor(private readonly deps: Deps) {}

  async execute(
    tenantId: string,
    agentId: string,
    interruption: Interruption,
    key: RepeatKey,
  ): Promise<AppendedEvent & { readonly messageEventId: string }> {
    const { agents, eventStore, ids } = this.deps;
    const agent = await requireAgent(agents, tenantId, agentId);
    const messages = await readNewest(eventStore, scopeOf(agent), {
      size: LOOK_BACK,
      hides: agentView(agentId),
      after: agent.startedSequence,
    });
    const { idempotencyKey } = key;
    const eventId = idempotencyKey === undefined ? ids.next() : ids.derive('agent-interrupt', agentId, idempotencyKey);
    const data = await this.dataOf(agent, eventId, () => interruptLast(messages, interruption));
    const event = factOf(eventId, 'message.interrupted', data);
    const appended = await eventStore.append({ ...throughAgent(agent), events: [event], ...repeatable(key) });
    const messageEventId = appended.duplicate ? await this.cutBy(agent, appended) : data.messageEventId;
    return { ...(appendedEvents([event], appended)[0] as AppendedEvent), messageEventId };
  }

  /** A repeat is not judged by what the assistant has said since: it has the data of the original request. */
  private async dataOf(agent: Agent, eventId: string, make: () => MessageInterrupted): Promise<MessageInterrupted> {
    try {
      return make();
    } catch (error) {
      const cuts = await this.deps.eventStore.readSession(scopeOf(agent), {
        types: ['message.interrupted'],
        order: 'newest-first',
        limit: LOOK_BACK,
      });
      const original = cuts.find((event) => event.eventId === eventId);
      if (original?.type !== 'message.interrupted') throw error;
      return original.data;
    }
  }

  /** The message cut by the original request. When a repeat arrives, the last message may be another one. */
  private async cutBy(agent: Agent, { firstSequence }: Appended): Promise<string> {
    const sequence = firstSequence ?? 0;
    const [event] = await this.deps.eventStore.readSession(scopeOf(agent), {
      after: sequence - 1,
      before: sequence + 1,
      order: 'oldest-first',
      limit: 1,
    });
    return event?.type === 'message.interrupted' ? event.data.messageEventId : '';
  }
}

/** Clears a running agent's window. Its messages remain in the log and in its history. */
export class ResetAgent {
  constructor(private readonly deps: Deps) {}

  async execute(tenantId: string, agentId: string, reason: string): Promise<void> {
    const { agents, eventStore, ids } = this.deps;
    const agent = await requireAgent(agents, tenantId, agentId);
    const event = factOf(ids.next(), 'history.reset', { agentId, reason });
    await eventStore.append({ ...throughAgent(agent), events: [event] });
  }
}
