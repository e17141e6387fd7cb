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
  /** Milliseconds of a clock that never jumps; only differences count. */
  readonly monotonicMs: () => number;
}

/** One try to fold a call, in one transaction. */
export interface CallWork<C extends Connector = Connector> {
  readonly tx: AppendingTransaction;
  readonly connector: C;
  readonly claim: CallClaim;
  /** The vendor's name for the agent is taken by another running one: make it unique. */
  readonly isNameTaken: boolean;
}

/** Nothing but the place, of what may be a whole agent. */
export const placeOf = ({ actorId, sessionId }: CallPlace): CallPlace => ({ actorId, sessionId });

/** What an agent of a connector is started with; the model's side is the vendor's own business. */
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

/** The end of a call's agent. */
export const endOfCall = (
  eventId: string,
  agentId: string,
  { isFailure, reason }: { readonly isFailure: boolean; readonly reason: string },
): Fact<'agent.stopped'> | Fact<'agent.failed'> =>
  isFailure
    ? factOf(eventId, 'agent.failed', { agentId, reason })
    : factOf(eventId, 'agent.stopped', { agentId, reason });
