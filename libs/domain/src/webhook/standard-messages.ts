import type { Agent } from '../agent/agent.js';
import { writeJson } from '../text/exact-json.js';
import type { LogEvent } from '../log/log-event.js';
import { agoraContentOf, type AgoraContent } from '../session/agora-content.js';
import type { Json } from '../session/session-events.js';
import { fitNewest, rangeOf, type HistoryBody, type HistoryInput, type SequenceRange } from './history.js';
import type { WebhookEvent } from './webhook-event.js';

/** The envelope recommended by Standard Webhooks: type, timestamp (ISO 8601) and data. */
export interface StandardMessage<Type extends WebhookEvent | 'webhook.test', Data> {
  readonly type: Type;
  readonly timestamp: string;
  readonly data: Data;
}

/** Identifies the agent in every agent message. */
export interface AgentFacts {
  readonly agentId: string;
  /** The agent's id on the voice platform that runs it; null if it was started here. */
  readonly vendorAgentId: string | null;
  readonly name: string;
  readonly labels: { readonly [key: string]: Json };
  readonly channel: string | null;
  readonly memoryId: string;
  readonly actorId: string;
  readonly sessionId: string;
  readonly startedAt: string;
}

/** A message with the field names of `GET /v1/agents/{id}/history`, and its position in the session. */
export type HistoryItem = AgoraContent & {
  readonly eventId: string;
  readonly sequence: number | null;
  readonly payloadType: string;
  readonly recordedAt: string;
};

/** Body of `agent.history`. */
export type HistoryMessage = StandardMessage<
  'agent.history',
  AgentFacts & {
    readonly stoppedAt: string | null;
    readonly stopReason: string | null;
    /** First and last message of the whole history; null if the agent has no messages. */
    readonly sequenceRange: SequenceRange | null;
    readonly messageCount: number;
    readonly includedCount: number;
    /** True if `contents` holds only the newest messages; the whole history is at `historyUrl`. */
    readonly truncated: boolean;
    readonly historyUrl?: string;
    readonly contents: readonly HistoryItem[];
  }
>;

const factsOf = (agent: Agent): AgentFacts => ({
  agentId: agent.agentId,
  vendorAgentId: agent.vendorAgentId,
  name: agent.name,
  labels: agent.labels,
  channel: agent.channel,
  memoryId: agent.memoryId,
  actorId: agent.actorId,
  sessionId: agent.sessionId,
  startedAt: agent.startedAt,
});

const itemOf = ({ eventId, sequence, data, recordedAt }: LogEvent<'message.appended'>): HistoryItem => ({
  eventId,
  sequence,
  payloadType: data.payloadType,
  ...agoraContentOf(data),
  recordedAt,
});

const bodyOf = <Type extends WebhookEvent | 'webhook.test', Data>(type: Type, timestamp: string, data: Data): string =>
  writeJson({ type, timestamp, data } satisfies StandardMessage<Type, Data>);

/** `agent.history`: all messages of a stopped agent, or the newest ones and a link. */
export const standardHistoryBody = (input: HistoryInput): HistoryBody => {
  const { agent, messages } = input;
  return fitNewest(input, itemOf, ({ contents, link }) =>
    bodyOf('agent.history', agent.stoppedAt ?? agent.startedAt, {
      ...factsOf(agent),
      stoppedAt: agent.stoppedAt,
      stopReason: agent.stopReason,
      sequenceRange: rangeOf(messages),
      messageCount: messages.length,
      includedCount: contents.length,
      truncated: link !== null,
      ...(link === null ? {} : { historyUrl: link }),
      contents,
    } satisfies HistoryMessage['data']),
  );
};

/** `agent.started`. */
export const standardStartedBody = (agent: Agent): string =>
  bodyOf('agent.started', agent.startedAt, { ...factsOf(agent), vendor: agent.vendor });

/** `agent.stopped`. */
export const standardStoppedBody = (agent: Agent): string =>
  bodyOf('agent.stopped', agent.stoppedAt ?? agent.startedAt, {
    ...factsOf(agent),
    stoppedAt: agent.stoppedAt,
    stopReason: agent.stopReason,
  });

/** `records.extracted`: ids of the records extracted from part of a session. Texts are read through the API. */
export const standardRecordsExtractedBody = (event: LogEvent<'records.extracted'>): string =>
  bodyOf('records.extracted', event.recordedAt, {
    eventId: event.eventId,
    memoryId: event.memoryId,
    actorId: event.actorId,
    sessionId: event.sessionId,
    strategyId: event.data.strategyId,
    strategyVersion: event.data.strategyVersion,
    sequenceRange: { from: event.data.fromSequence, to: event.data.toSequence },
    records: event.data.records.map(({ recordId, namespace }) => ({ recordId, namespace })),
    confirmed: event.data.confirmed.map(({ recordId }) => recordId),
  });

/** `agent.action`: what the engine of an agent is asked to do. */
export const standardActionBody = ({ eventId, recordedAt, data, ...event }: LogEvent<'agent.instructed'>): string =>
  bodyOf('agent.action', recordedAt, {
    eventId,
    sequence: event.sequence,
    agentId: data.agentId,
    memoryId: event.memoryId,
    actorId: event.actorId,
    sessionId: event.sessionId,
    action: data.action,
    text: data.text,
    options: data.options,
  });

/** `memory_state.updated`: a session's rolling memory changed. It is read through the API; this holds no content. */
export const standardStateUpdatedBody = (
  event: LogEvent<'memory_state.captured'> | LogEvent<'records.extracted'>,
): string =>
  bodyOf('memory_state.updated', event.recordedAt, {
    eventId: event.eventId,
    memoryId: event.memoryId,
    actorId: event.actorId,
    sessionId: event.sessionId,
    source: event.type === 'memory_state.captured' ? 'captured' : 'extracted',
  });

/** `memory.deleted`. */
export const standardMemoryDeletedBody = ({ memoryId, recordedAt }: LogEvent<'memory.deleted'>): string =>
  bodyOf('memory.deleted', recordedAt, { memoryId, deletedAt: recordedAt });

/** `erasure.completed`: the agents whose histories the receiver should delete as well. Contains no personal data. */
export const standardErasureCompletedBody = ({ memoryId, recordedAt, data }: LogEvent<'content.erased'>): string =>
  bodyOf('erasure.completed', recordedAt, {
    memoryId,
    target: data.target,
    agentIds: data.agentIds ?? [],
    erasedAt: recordedAt,
  });

/** Body of a test delivery. @param at ISO 8601 */
export const standardTestBody = (endpointId: string, at: string): string =>
  bodyOf('webhook.test', at, { endpointId, message: 'This is a test. Nothing has happened.' });
