import { describe, expect, it } from 'vitest';
import { sessionOf } from '../testing/session-of.js';
import { AgentNotFound, evolveAgent, type Agent, type AgentEvent } from './agent.js';
import type { AgentStarted } from './agent-events.js';
import { idleDueAt } from './idle.js';

const started: AgentStarted = {
  agentId: 'a',
  name: 'desk-42',
  vendor: 'openai',
  systemMessages: [{ role: 'system', content: 'Be kind.' }],
  params: { model: 'm' },
  maxHistory: 32,
  labels: {},
  channel: null,
};
const fold = (events: readonly AgentEvent[]): Agent => events.reduce<Agent | null>(evolveAgent, null)!;

describe('an agent, folded from its events', () => {
  it('is running after its start', () => {
    const { next } = sessionOf();
    expect(fold([next('agent.started', started)])).toMatchObject({
      status: 'RUNNING',
      actorId: 'ada',
      startedSequence: 1,
      startedAt: '2026-01-01T00:00:01.000Z',
      updatedAt: null,
      stoppedAt: null,
    });
  });

  it('reads events from before idle timeouts, loaded histories and app ids existed', () => {
    const { next } = sessionOf();
    expect(fold([next('agent.started', started)])).toMatchObject({
      idleTimeoutSeconds: 0,
      loadHistory: 0,
      appId: null,
      vendorAgentId: null,
    });
  });

  it('applies the fields of an update and keeps the rest', () => {
    const { next } = sessionOf();
    const agent = fold([
      next('agent.started', started),
      next('agent.updated', { agentId: 'a', systemMessages: [] }),
      next('agent.updated', { agentId: 'a', params: { temperature: 0 } }),
    ]);
    expect(agent).toMatchObject({
      status: 'RUNNING',
      systemMessages: [],
      params: { temperature: 0 },
      updatedAt: '2026-01-01T00:00:03.000Z',
    });
  });

  it.each([
    ['agent.stopped', 'STOPPED'],
    ['agent.failed', 'FAILED'],
  ] as const)('%s ends it as %s, with time and reason', (type, status) => {
    const { next } = sessionOf();
    const agent = fold([next('agent.started', started), next(type, { agentId: 'a', reason: 'enough' })]);
    expect(agent).toMatchObject({
      status,
      stoppedSequence: 2,
      stoppedAt: '2026-01-01T00:00:02.000Z',
      stopReason: 'enough',
    });
  });

  it('cannot end before it started', () => {
    const { next } = sessionOf();
    expect(() => evolveAgent(null, next('agent.stopped', { agentId: 'a', reason: 'r' }))).toThrow(AgentNotFound);
  });
});

describe('idle time', () => {
  it('counts from the last event', () => {
    expect(idleDueAt({ idleTimeoutSeconds: 30 }, '2026-01-01T00:00:00.500Z')).toBe('2026-01-01T00:00:30.500Z');
  });

  it('never ends without a timeout', () => {
    expect(idleDueAt({ idleTimeoutSeconds: 0 }, '2026-01-01T00:00:00.000Z')).toBeNull();
  });
});
