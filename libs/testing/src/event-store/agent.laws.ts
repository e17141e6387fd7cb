import { randomUUID } from 'node:crypto';
import { AgentNotRunning, type AgentStatus, type NewEvent } from '@turnkeeper/domain';
import { describe, expect, it } from 'vitest';
import type { GivenStore } from './given-store.js';
import { message, messages, newSession } from './log-samples.js';

const ended = (agentId: string, type: 'agent.stopped' | 'agent.failed' = 'agent.stopped'): NewEvent => ({
  eventId: randomUUID(),
  schemaVersion: 1,
  occurredAt: null,
  type,
  data: { agentId, reason: 'requested' },
});

/** Appends through an agent, and the agent's end. */
export const agentLaws = (given: GivenStore): void => {
  describe('an append through an agent', () => {
    const through = (agentId: string, status: AgentStatus = 'RUNNING') => ({ through: { agentId, status } });

    it('is accepted until the agent’s end is in the log, whatever the caller read before', async () => {
      const { store } = given();
      const scope = await newSession(store);
      const [one, other] = [randomUUID(), randomUUID()];
      await store.append({ ...scope, events: [message()], ...through(one) });
      await store.append({ ...scope, events: [ended(one)] });
      const head = await store.headPosition();
      await expect(store.append({ ...scope, events: [message()], ...through(one) })).rejects.toThrow(AgentNotRunning);
      expect(await store.headPosition()).toBe(head);
      await store.append({ ...scope, events: [message()], ...through(other) });
      await store.append({ ...scope, events: [ended(other, 'agent.failed')] });
      await expect(store.append({ ...scope, events: [message()], ...through(other) })).rejects.toMatchObject({
        code: 'agent.not_running',
        details: { facts: { agentStatus: 'failed' } },
      });
    });

    it('is rejected if the caller read that the agent has ended', async () => {
      const { store } = given();
      const scope = await newSession(store);
      const request = { ...scope, events: [message()], ...through(randomUUID(), 'STOPPED') };
      await expect(store.append(request)).rejects.toThrow(AgentNotRunning);
    });

    it('returns the original result for a repeat, even after the end', async () => {
      const { store } = given();
      const scope = await newSession(store);
      const agentId = randomUUID();
      const request = { ...scope, events: messages(2), fingerprint: 'aa' };
      const first = await store.append({ ...request, ...through(agentId) });
      await store.append({ ...scope, events: [ended(agentId)] });
      for (const status of ['RUNNING', 'STOPPED'] as const) {
        expect(await store.append({ ...request, ...through(agentId, status) })).toEqual({ ...first, duplicate: true });
      }
    });

    it('does not affect concurrent requests when rejected', async () => {
      const { store } = given();
      const scope = await newSession(store);
      const agentId = randomUUID();
      await store.append({ ...scope, events: [ended(agentId)] });
      const outcomes = await Promise.allSettled(
        Array.from({ length: 9 }, (_, index) =>
          store.append({ ...scope, events: [message()], ...(index % 3 === 0 ? through(agentId) : {}) }),
        ),
      );
      expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(3);
      expect(await store.sessionSequence(scope)).toBe(7);
    });
  });
};
