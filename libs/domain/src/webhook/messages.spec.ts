import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Agent } from '../agent/agent.js';
import type { LogEvent } from '../log/log-event.js';
import type { AgoraContent } from '../session/agora-content.js';
import type { MessageAppended } from '../session/session-events.js';
import { agoraHistoryBody, agoraJoinedBody, agoraLeftBody, agoraTestBody } from './agora-messages.js';
import { messagesOfAgent, type HistoryInput } from './history.js';
import {
  standardHistoryBody,
  standardMemoryDeletedBody,
  standardRecordsExtractedBody,
  standardStartedBody,
  standardStoppedBody,
  standardTestBody,
  type HistoryMessage,
} from './standard-messages.js';
import { agoraEventType, wantsEvent } from './webhook-event.js';

const agent: Agent = {
  agentId: '0190c3a0-0000-7000-8000-000000000001',
  tenantId: 't',
  memoryId: 'm-1',
  actorId: 'u9',
  sessionId: 's-1',
  name: 'desk-42',
  vendor: 'custom',
  status: 'STOPPED',
  maxHistory: 32,
  channel: 'room-9',
  systemMessages: [],
  params: {},
  labels: { tenant: 't1', tier: 2 },
  startedSequence: 3,
  idleTimeoutSeconds: 0,
  loadHistory: 0,
  appId: null,
  vendorAgentId: null,
  startedAt: '2026-01-01T10:00:00.900Z',
  updatedAt: null,
  stoppedSequence: 7,
  stoppedAt: '2026-01-01T10:01:00.100Z',
  stopReason: 'requested',
};

const message = (sequence: number, data: Partial<MessageAppended> = {}): LogEvent<'message.appended'> => ({
  tenantId: 't',
  memoryId: 'm-1',
  actorId: 'u9',
  sessionId: 's-1',
  position: sequence,
  sequence,
  sessionKey: 1,
  eventId: `e-${sequence}`,
  type: 'message.appended',
  schemaVersion: 1,
  data: { payloadType: 'CONVERSATIONAL', role: 'user', content: `message ${sequence}`, ...data },
  occurredAt: null,
  recordedAt: '2026-01-01T10:00:30.000Z',
  expiresAt: null,
});

const input = (more: Partial<HistoryInput> = {}): HistoryInput => ({
  agent,
  messages: [
    message(4, { role: 'assistant', content: 'Hi, Mai here.', turnId: 0, metadata: { source: 'greeting' } }),
    message(5, { content: 'Where is my parcel?', timestamp: 1_751_000_001_200 }),
    message(6, { content: '' }),
  ],
  maxBytes: 20_000,
  link: ({ from, to }) => `https://memory.example/history?from=${from}&to=${to}`,
  ...more,
});
const notice = { noticeId: 'n-1', notifyMs: 1_767_261_660_123 };
const standard = (more?: Partial<HistoryInput>): HistoryMessage => JSON.parse(standardHistoryBody(input(more)).body);
const bytes = (text: string): number => Buffer.byteLength(text);

describe('the history message', () => {
  it('contains the whole history with its agent, session and range', () => {
    expect(standard()).toEqual({
      type: 'agent.history',
      timestamp: '2026-01-01T10:01:00.100Z',
      data: {
        agentId: agent.agentId,
        vendorAgentId: null,
        name: 'desk-42',
        labels: { tenant: 't1', tier: 2 },
        channel: 'room-9',
        memoryId: 'm-1',
        actorId: 'u9',
        sessionId: 's-1',
        startedAt: '2026-01-01T10:00:00.900Z',
        stoppedAt: '2026-01-01T10:01:00.100Z',
        stopReason: 'requested',
        sequenceRange: { from: 4, to: 6 },
        messageCount: 3,
        includedCount: 3,
        truncated: false,
        contents: [
          {
            eventId: 'e-4',
            sequence: 4,
            payloadType: 'CONVERSATIONAL',
            role: 'assistant',
            content: 'Hi, Mai here.',
            turn_id: 0,
            metadata: { source: 'greeting' },
            recordedAt: '2026-01-01T10:00:30.000Z',
          },
          {
            eventId: 'e-5',
            sequence: 5,
            payloadType: 'CONVERSATIONAL',
            role: 'user',
            content: 'Where is my parcel?',
            timestamp: 1_751_000_001_200,
            recordedAt: '2026-01-01T10:00:30.000Z',
          },
          {
            eventId: 'e-6',
            sequence: 6,
            payloadType: 'CONVERSATIONAL',
            role: 'user',
            content: '',
            recordedAt: '2026-01-01T10:00:30.000Z',
          },
        ],
      },
    });
  });

  it('represents an agent without messages', () => {
    expect(standard({ messages: [] }).data).toMatchObject({
      sequenceRange: null,
      messageCount: 0,
      truncated: false,
      contents: [],
    });
  });

  it('stays within its byte limit with as many of the newest messages as fit, and links to the whole', () => {
    const contents = fc.array(fc.string({ unit: 'grapheme', maxLength: 20 }), { minLength: 8, maxLength: 40 });
    fc.assert(
      fc.property(contents, fc.double({ min: 0, max: 1, noNaN: true }), fc.boolean(), (texts, share, asAgora) => {
        const messages = texts.map((content, i) => message(i + 1, { content }));
        const bodyFor = (maxBytes: number) => {
          const given = input({ messages, maxBytes });
          return asAgora ? agoraHistoryBody(notice, given) : standardHistoryBody(given);
        };
        const frame = bytes(bodyFor(0).body) + 2;
        const maxBytes = Math.ceil(frame + share * (bytes(bodyFor(1e9).body) - frame));
        const { body, includedCount, ...counts } = bodyFor(maxBytes);
        expect(bytes(body)).toBeLessThanOrEqual(maxBytes);
        expect(counts).toEqual({ messageCount: texts.length, truncated: includedCount < texts.length });

        const { payload, data } = JSON.parse(body);
        const { contents: inside, ...rest } = asAgora ? payload : data;
        expect(inside.map((item: { content: string }) => item.content)).toEqual(texts.slice(-includedCount || 1e9));
        const link = counts.truncated ? `https://memory.example/history?from=1&to=${texts.length}` : undefined;
        expect(rest.historyUrl ?? rest.history_url).toBe(link);
        if (counts.truncated) {
          const next = bytes(bodyFor(1e9).body) / texts.length + 200; // no message here is as long as that
          expect(bytes(body) + next).toBeGreaterThan(maxBytes);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('respects the limit exactly, however many digits its counts have', () => {
    const messages = Array.from({ length: 150 }, (_, i) => message(i + 1));
    const most = bytes(standardHistoryBody(input({ messages, maxBytes: 1e9 })).body);
    for (let maxBytes = most - 1_000; maxBytes < most - 500; maxBytes += 1) {
      expect(bytes(standardHistoryBody(input({ messages, maxBytes })).body)).toBeLessThanOrEqual(maxBytes);
    }
  });

  it('leaves out a message that is too long on its own, with all before it, and links to them', () => {
    const messages = [message(4), message(5, { content: 'x'.repeat(50_000) }), message(6)];
    expect(standard({ messages, maxBytes: 2_000 }).data.contents.map((item) => item.sequence)).toEqual([6]);
  });

  it('keeps tool calls and all other platform fields of a message', () => {
    const toolCalls = [{ id: 'c1', type: 'function' }];
    const messages = [message(4, { toolCalls, extra: { speech_start_ms: 5 } }), message(5, { toolCallId: 'c1' })];
    expect(standard({ messages }).data.contents).toMatchObject([
      { tool_calls: toolCalls, speech_start_ms: 5 },
      { tool_call_id: 'c1' },
    ]);
  });

  it('is identical each time it is built', () => {
    expect(standardHistoryBody(input()).body).toBe(standardHistoryBody(input()).body);
  });
});

describe("the messages of an agent's run", () => {
  it('are those after its start and before its stop', () => {
    const events = [1, 2, 3, 4, 5, 6, 7, 8].map((sequence) => message(sequence));
    expect(messagesOfAgent(agent, events).map((event) => event.sequence)).toEqual([4, 5, 6]);
    expect(messagesOfAgent({ ...agent, stoppedSequence: null }, events).map((event) => event.sequence)).toEqual([
      4, 5, 6, 7, 8,
    ]);
  });
});

describe("Agora's envelope", () => {
  it('contains event 103 as its receivers expect it', () => {
    expect(JSON.parse(agoraHistoryBody(notice, input()).body)).toEqual({
      noticeId: 'n-1',
      productId: 17,
      eventType: 103,
      notifyMs: 1_767_261_660_123,
      sid: 's-1',
      payload: {
        agent_id: agent.agentId,
        name: 'desk-42',
        channel: 'room-9',
        start_ts: 1_767_261_600,
        stop_ts: 1_767_261_660,
        labels: { tenant: 't1', tier: 2 },
        contents: [
          { role: 'assistant', content: 'Hi, Mai here.', turn_id: 0, metadata: { source: 'greeting' } },
          { role: 'user', content: 'Where is my parcel?', timestamp: 1_751_000_001_200 },
          { role: 'user', content: '' },
        ] satisfies AgoraContent[],
      },
    });
  });

  it('contains 101 when an agent joins and 102 when it leaves', () => {
    expect(JSON.parse(agoraJoinedBody(notice, { ...agent, channel: null }))).toMatchObject({
      eventType: 101,
      payload: { agent_id: agent.agentId, channel: '', start_ts: 1_767_261_600, labels: agent.labels },
    });
    const left = JSON.parse(agoraLeftBody(notice, agent));
    expect(left).toMatchObject({
      eventType: 102,
      payload: { stop_ts: 1_767_261_660, status: 'STOPPED', message: 'OK' },
    });
    const why = (stopReason: string) => JSON.parse(agoraLeftBody(notice, { ...agent, stopReason })).payload.message;
    expect(why('idle')).toBe('Idle for too long');
    expect(why('hung up')).toBe('hung up');
  });

  it('tests an endpoint on the channel that Agora itself uses', () => {
    expect(JSON.parse(agoraTestBody(notice))).toMatchObject({ eventType: 101, payload: { channel: 'test_webhook' } });
  });
});

describe('the other messages', () => {
  it('report a start and a stop', () => {
    expect(JSON.parse(standardStartedBody(agent))).toMatchObject({
      type: 'agent.started',
      timestamp: agent.startedAt,
      data: { agentId: agent.agentId, vendor: 'custom' },
    });
    expect(JSON.parse(standardStoppedBody(agent))).toMatchObject({
      type: 'agent.stopped',
      timestamp: agent.stoppedAt,
      data: { agentId: agent.agentId, stopReason: 'requested' },
    });
  });

  it('report new records by id, without their texts', () => {
    const body = standardRecordsExtractedBody({
      ...message(6),
      type: 'records.extracted',
      data: {
        strategyId: 'st-1',
        strategyVersion: 2,
        fromSequence: 4,
        toSequence: 6,
        extractor: 'offline-rules@1',
        model: null,
        promptHash: 'h',
        rawAnswer: 'raw secret',
        records: [
          {
            recordId: 'r-1',
            text: 'secret',
            namespace: '/n',
            sources: [],
            statedAt: '2026-01-01T00:00:00Z',
            slot: null,
          },
        ],
        confirmed: [{ recordId: 'r-0', sources: [], statedAt: '2026-01-01T00:00:00Z' }],
        superseded: [],
        refused: [],
      },
    });
    expect(JSON.parse(body).data).toMatchObject({
      sequenceRange: { from: 4, to: 6 },
      records: [{ recordId: 'r-1', namespace: '/n' }],
      confirmed: ['r-0'],
    });
    expect(body).not.toContain('secret');
  });

  it('report a deleted memory, and test an endpoint', () => {
    const at = '2026-01-01T00:00:00.000Z';
    const deleted = { memoryId: 'm-1', recordedAt: at } as LogEvent<'memory.deleted'>;
    expect(JSON.parse(standardMemoryDeletedBody(deleted))).toEqual({
      type: 'memory.deleted',
      timestamp: at,
      data: { memoryId: 'm-1', deletedAt: at },
    });
    expect(JSON.parse(standardTestBody('ep-1', at))).toMatchObject({
      type: 'webhook.test',
      data: { endpointId: 'ep-1' },
    });
  });
});

describe('the events of an endpoint', () => {
  it('are all events without a filter, else only the selected ones', () => {
    expect(wantsEvent({ format: 'standard', events: null }, 'memory.deleted')).toBe(true);
    expect(wantsEvent({ format: 'standard', events: ['agent.history'] }, 'agent.started')).toBe(false);
    expect(wantsEvent({ format: 'standard', events: ['agent.history'] }, 'agent.history')).toBe(true);
  });

  it("are limited in Agora's format to those with an Agora number", () => {
    expect(agoraEventType('agent.history')).toBe(103);
    expect(wantsEvent({ format: 'agora', events: null }, 'agent.stopped')).toBe(true);
    expect(wantsEvent({ format: 'agora', events: null }, 'memory.deleted')).toBe(false);
    expect(wantsEvent({ format: 'agora', events: ['memory.deleted'] }, 'memory.deleted')).toBe(false);
  });
});
