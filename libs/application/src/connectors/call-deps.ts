import type { CallPlace } from '@turnkeeper/domain';
import type { AgentDeps } from '../agents/agent-change.js';
import type { Clock, Every } from '../ports/clock.port.js';
import type { CallClaim, NoticeStore } from '../ports/notice-store.port.js';
import type { Connector, ConnectorStore } from '../ports/connector-store.port.js';
import type { AppendingTransaction } from '../ports/transaction.port.js';
import { factOf, type Fact } from '../log/stored-event.js';

export interface FoldDeps extends AgentDeps {
  readonly connectors: ConnectorStore;
  readonly notices: NoticeStore;
  readonly clock: Clock;
  readonly every: Every;
  /** Monotonic clock in milliseconds; only differences are meaningful. */
  readonly monotonicMs: () => number;
}

/** One attempt to fold a call, in one transaction. */
export interface CallWork<C extends Connector = Connector> {
  readonly tx: AppendingTransaction;
  readonly connector: C;
  readonly claim: CallClaim;
  /** Another running agent already has the vendor's name for this agent, so the name must be made unique. */
  readonly isNameTaken: boolean;
}

/** Narrows an agent to its place. */
export const placeOf = ({ actorId, sessionId }: CallPlace): CallPlace => ({ actorId, sessionId });

/** The start event of a connector's agent. The model's settings stay with the vendor. */
export const startOfCall = (
  eventId: string,
  agentId: string,
  { connector, claim, isNameTaken }: CallWork,
  call: Pick<Fact<'agent.started'>['data'], 'name' | 'labels' | 'channel'>,
): Fact<'agent.started'> =>
  factOf(eventId, 'agent.started', {
    agentId,
    vendor: connector.vendor,
    systemMessages: [],
    params: {},
    maxHistory: 32,
    ...call,
    name: isNameTaken || call.name === '' ? `${call.name}#${claim.callKey}` : call.name,
  });

/** The end event of a call's agent. */
export const endOfCall = (
  eventId: string,
  agentId: string,
  { isFailure, reason }: { readonly isFailure: boolean; readonly reason: string },
): Fact<'agent.stopped'> | Fact<'agent.failed'> =>
  isFailure
    ? factOf(eventId, 'agent.failed', { agentId, reason })
    : factOf(eventId, 'agent.stopped', { agentId, reason });
