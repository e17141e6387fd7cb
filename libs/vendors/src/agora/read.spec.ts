import type { Connector, Ids } from '@turnkeeper/application';
import { describe, expect, it } from 'vitest';
import { readAgora } from './read.js';

const ids = { next: () => '', derive: (...parts: unknown[]) => JSON.stringify(parts) } as unknown as Ids;
const connector = { places: { actorLabel: 'user_id', sessionLabel: 'session_id' } } as unknown as Connector;

const read = (agent_id: string, user_id: string, noticeId = '2000001428:4330:107') => {
  const payload = { agent_id, channel: 'room-9', labels: { user_id } };
  const notice = { noticeId, productId: 17, eventType: 101, notifyMs: 1_751_000_065_000, payload };
  return readAgora(new TextEncoder().encode(JSON.stringify(notice)), { connector, ids })[0]!;
};

describe("Agora's notifications", () => {
  it('of two agents are never repeats of each other', () => {
    const [one, other] = [read('agent-1', 'mai'), read('agent-2', 'linh')];
    expect(other.noticeKey).not.toBe(one.noticeKey);
    expect([one, other]).toMatchObject([
      { callKey: 'agent-1', place: { actorId: 'mai', sessionId: 'room-9' } },
      { callKey: 'agent-2', place: { actorId: 'linh', sessionId: 'room-9' } },
    ]);
  });

  it('are repeats if the agent and the id are the same', () => {
    expect(read('agent-1', 'mai')).toEqual(read('agent-1', 'mai'));
    expect(read('agent-1', 'mai', 'another').noticeKey).not.toBe(read('agent-1', 'mai').noticeKey);
  });
});
