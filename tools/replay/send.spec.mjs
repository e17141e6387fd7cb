import { describe, expect, it } from 'vitest';
import { idempotencyKeyOf, inParallel, sendSessions } from './send.mjs';

/** @returns {import('./locomo.mjs').Turn} */
const turn = (message) => ({ payload: { type: 'CONVERSATIONAL', role: 'user', message } });

describe('sending', () => {
  it('posts each session in batches, in order, and counts acknowledged turns', async () => {
    const posted = [];
    /** @type {any} only what sending uses */
    const api = {
      post: async (path, { events }, headers) => {
        posted.push([path, events.map(({ payload }) => payload.message), headers['idempotency-key']]);
        return { events: events.map(() => ({})) };
      },
    };
    let acknowledged = 0;
    const sessions = [{ actorId: 'a/b', sessionId: 's 1', turns: ['1', '2', '3'].map(turn) }];
    await sendSessions(api, 'm', sessions, { batchSize: 2, onAcknowledged: (count) => (acknowledged += count) });
    expect(posted.map(([path, messages]) => [path, messages])).toEqual([
      ['/memory/memories/m/actors/a%2Fb/sessions/s%201/events', ['1', '2']],
      ['/memory/memories/m/actors/a%2Fb/sessions/s%201/events', ['3']],
    ]);
    expect(new Set(posted.map(([, , key]) => key)).size).toBe(2);
    expect(acknowledged).toBe(3);
  });

  it('uses the same key for the same batch, and other keys at other positions', () => {
    const batch = [turn('Hi')];
    expect(idempotencyKeyOf(0, batch)).toBe(idempotencyKeyOf(0, [turn('Hi')]));
    expect(idempotencyKeyOf(0, batch)).not.toBe(idempotencyKeyOf(1, batch));
  });
});

describe('concurrent work', () => {
  it('is done for every item, within the concurrency limit', async () => {
    let running = 0;
    let most = 0;
    const done = [];
    await inParallel([1, 2, 3, 4, 5], 2, async (item) => {
      most = Math.max(most, (running += 1));
      await Promise.resolve();
      done.push(item);
      running -= 1;
    });
    expect(done.sort()).toEqual([1, 2, 3, 4, 5]);
    expect(most).toBe(2);
  });
});
