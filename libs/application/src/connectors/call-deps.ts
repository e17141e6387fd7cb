import type { Agent, CallPlace } from '@turnkeeper/domain';
import type { Ports } from '../ports.js';
import type { AgentDeps } from '../agents/agent-change.js';
import type { CallClaim } from './notice-store.port.js';
import type { Connector } from './connector-store.port.js';
import type { AppendingTransaction } from '../shared/transaction.port.js';
import { factOf, type Fact } from '../log/stored-event.js';

export type FoldDeps = AgentDeps & Pick<Ports, 'connectors' | 'notices' | 'clock' | 'every' | 'monotonicMs'>;

/** One attempt to fold a call, in one transaction. */
export interface CallWork {
  readonly tx: AppendingTransaction;
  readonly connector: Connector;
  readonly claim: CallClaim;
  /** Another running agent already has the vendor's name for this agent, so the name must be made unique. */
  readonly isNameTaken: boolean;
}

/**
 * Code of a notice whose messages arrived after the end of its agent, when another agent was already using the session.
 * They are in the session, but in no agent's history.
 */
export const LATE_NOTICE = 'notice.late';

/** Narrows an agent to its place. */
export const placeOfCall = ({ actorId, sessionId }: CallPlace): CallPlace => ({ actorId, sessionId });

/**
 * The start event of a connector's agent. The model's settings stay with the vendor.
 *
 * @param call.vendorAgentId default: the key of the call
 */
export const startOfCall = (
  eventId: string,
  agentId: string,
  { connector, claim, isNameTaken }: CallWork,
  call: Pick<Fact<'agent.started'>['data'], 'name' | 'labels' | 'channel' | 'startedAt' | 'vendorAgentId'>,
): Fact<'agent.started'> =>
  factOf(eventId, 'agent.started', {
    agentId,
    vendor: connector.vendor,
    systemMessages: [],
    params: {},
    maxHistory: 32,
    vendorAgentId: claim.callKey,
    ...call,
    name: isNameTaken || call.name === '' ? `${call.name}#${claim.callKey}` : call.name,
  });

/** How a call's agent ended. */
export interface CallEnd {
  readonly isFailure: boolean;
  readonly reason: string;
  /** The vendor's time of the end; absent if it is unknown. */
  readonly stoppedAt?: string;
}

/** The end event of a call's agent. */
export const endOfCall = (
  eventId: string,
  agentId: string,
  { isFailure, ...end }: CallEnd,
): Fact<'agent.stopped'> | Fact<'agent.failed'> =>
  isFailure
    ? factOf(eventId, 'agent.failed', { agentId, ...end })
    : factOf(eventId, 'agent.stopped', { agentId, ...end });

/**
 * Repeats the end of an agent after late messages, so that they belong to its history and the history is sent again.
 * Time and reason stay the same.
 */
export const endAgain = (eventId: string, { agentId, status, stopReason, stoppedAt }: Agent) =>
  endOfCall(eventId, agentId, {
    isFailure: status === 'FAILED',
    reason: stopReason ?? 'requested',
    ...(stoppedAt === null ? {} : { stoppedAt }),
  });

/** `stoppedAt` if the vendor's time of the end is known and not before the start. */
export const stopTime = (
  stoppedAt: string | undefined,
  startedAt: string | undefined,
): { readonly stoppedAt?: string } =>
  stoppedAt === undefined || (startedAt !== undefined && stoppedAt < startedAt) ? {} : { stoppedAt };
