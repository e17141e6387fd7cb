import {
  standardActionBody,
  standardErasureCompletedBody,
  standardHistoryBody,
  standardMemoryDeletedBody,
  standardRecordsExtractedBody,
  standardStartedBody,
  standardStateUpdatedBody,
  standardStoppedBody,
  WEBHOOK_EVENTS,
  type Agent,
  type EventType,
  type LogEvent,
} from '@turnkeeper/domain';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { webhookMessageViews } from './webhook-messages.js';

const ID = '0199b2f0-6c00-7000-8000-000000000001';
const AT = '2026-11-23T09:00:00.000Z';

/** An event as it is in the log, with the data of its committed sample. */
const event = <T extends EventType>(type: T): LogEvent<T> => {
  const sample = join(import.meta.dirname, '../events/samples', `${type}.v1.json`);
  return {
    tenantId: ID,
    memoryId: ID,
    actorId: 'linh',
    sessionId: 'call-1',
    eventId: ID,
    position: 1,
    sequence: 1,
    sessionKey: 1,
    type,
    schemaVersion: 1,
    occurredAt: null,
    recordedAt: AT,
    expiresAt: null,
    data: JSON.parse(readFileSync(sample, 'utf8')) as unknown,
  } as unknown as LogEvent<T>;
};
const agent: Agent = {
  agentId: ID,
  tenantId: ID,
  memoryId: ID,
  actorId: 'linh',
  sessionId: 'call-1',
  name: 'desk',
  vendor: 'openai',
  status: 'STOPPED',
  maxHistory: 32,
  channel: null,
  systemMessages: [],
  params: {},
  labels: { tier: 2 },
  startedSequence: 1,
  idleTimeoutSeconds: 0,
  loadHistory: 0,
  appId: null,
  vendorAgentId: null,
  startedAt: AT,
  updatedAt: null,
  stoppedSequence: 2,
  stoppedAt: AT,
  stopReason: 'requested',
};

describe('the documented webhook messages', () => {
  const bodies = {
    'agent.started': () => standardStartedBody(agent),
    'agent.stopped': () => standardStoppedBody(agent),
    'agent.history': () =>
      standardHistoryBody({
        agent,
        messages: [event('message.appended')],
        maxBytes: 1e6,
        link: () => 'https://x.example',
      }).body,
    'records.extracted': () => standardRecordsExtractedBody(event('records.extracted')),
    'memory.deleted': () => standardMemoryDeletedBody(event('memory.deleted')),
    'erasure.completed': () => standardErasureCompletedBody(event('content.erased')),
    'agent.action': () => standardActionBody(event('agent.instructed')),
    'memory_state.updated': () => standardStateUpdatedBody(event('memory_state.captured')),
  } as const;

  it.each(WEBHOOK_EVENTS)('%s is what is sent, field by field', (type) => {
    const sent = JSON.parse(bodies[type]()) as { data: object };
    const documented = webhookMessageViews[type].parse(sent);
    expect(documented).toEqual(sent);
    const shape = (webhookMessageViews[type] as unknown as { shape: { data: { shape: object } } }).shape.data.shape;
    expect(Object.keys(sent.data).filter((field) => !(field in shape))).toEqual([]);
  });
});
