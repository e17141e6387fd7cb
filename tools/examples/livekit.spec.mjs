import { EventEmitter } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Turnkeeper } from '@turnkeeper/client';
import { expect, it } from 'vitest';
import { rememberConversation } from '../../examples/livekit-agent/remember.mjs';

/** The server of a session: slow with the first append, and `fails` says which content it refuses. */
const sessionOn = (fails) => {
  const stored = new Map();
  /** @type {any} only what the client uses */
  const fetch = async (_url, { headers, body }) => {
    const { payload, eventTimestamp, metadata } = JSON.parse(body);
    if (stored.size === 0) await sleep(20);
    if (fails === payload.message)
      return globalThis.Response.json({ code: 'refused', title: 'Refused' }, { status: 400 });
    stored.set(headers['idempotency-key'], [payload.role, payload.message, eventTimestamp, metadata.interrupted]);
    return globalThis.Response.json({ eventId: 'e', sequence: stored.size });
  };
  const memory = new Turnkeeper({ baseUrl: 'http://server', apiKey: 'key', fetch }).memory('m');
  return { session: memory.session('linh', 'room-1'), stored };
};

const item = (id, role, textContent, more = {}) => ({
  item: { id, type: 'message', role, textContent, createdAt: 1_760_000_000_000, interrupted: false, ...more },
});
const AT = '2025-10-09T08:53:20.000Z';

it('appends what is said in a LiveKit session, in order and once', async () => {
  const { session, stored } = sessionOn('unreadable');
  const livekit = new EventEmitter();
  /** @type {any[]} */
  const errors = [];
  const { stop } = rememberConversation(livekit, session, {
    onError: (/** @type {any} */ error) => errors.push(error.status),
  });
  const said = (...of) => livekit.emit('conversation_item_added', item(...of));
  said('i1', 'user', 'I moved to Hue.');
  said('i2', 'assistant', 'How is', { interrupted: true });
  said('i3', 'system', 'Be brief.');
  said('i4', 'user', ' ');
  said('i5', undefined, 'handoff', { type: 'agent_handoff' });
  said('i6', 'user', 'unreadable');
  said('i7', 'user', 'It rains.');
  said('i2', 'assistant', 'How is', { interrupted: true });
  await stop();
  said('i8', 'user', 'after the end');
  expect([...stored.values()]).toEqual([
    ['user', 'I moved to Hue.', AT, false],
    ['assistant', 'How is', AT, true],
    ['user', 'It rains.', AT, false],
  ]);
  expect(errors).toEqual([400]);
});
