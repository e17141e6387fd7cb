import { describe, expect, it } from 'vitest';
import { assignTurns } from './assign-turns.js';
import type { MessageAppended } from './session-events.js';

const said = (role: string, more: Partial<MessageAppended> = {}): MessageAppended => ({
  payloadType: 'CONVERSATIONAL',
  role,
  content: 'words',
  ...more,
});
const turnsOf = (
  messages: readonly MessageAppended[],
  earlier: readonly MessageAppended[] = [],
  more: { readonly highest?: number } = {},
) => assignTurns(messages, earlier, { nowMs: 5, ...more }).map(({ turnId }) => turnId);

describe('turn ids of messages without one', () => {
  it("follow the example of Agora's guide", () => {
    const roles = ['assistant', 'user', 'assistant', 'user', 'assistant', 'assistant'];
    expect(turnsOf(roles.map((role) => said(role)))).toEqual([1, 2, 2, 3, 3, 4]);
  });

  it('continue after earlier messages and given ids', () => {
    expect(turnsOf([said('assistant'), said('user')], [said('user', { turnId: 7 })])).toEqual([7, 8]);
    expect(turnsOf([said('user', { turnId: 0 }), said('assistant'), said('user')])).toEqual([0, 0, 1]);
    expect(turnsOf([said('user')], [said('user', { turnId: 3 }), said('assistant')])).toEqual([4]);
  });

  it('are higher than all others in the session', () => {
    expect(turnsOf([said('user'), said('assistant')], [], { highest: 7 })).toEqual([8, 8]);
    expect(turnsOf([said('assistant'), said('user')], [said('user', { turnId: 3 })], { highest: 7 })).toEqual([3, 8]);
    expect(turnsOf([said('user')], [said('user', { turnId: 9 }), said('assistant', { turnId: 2 })])).toEqual([10]);
    expect(turnsOf([said('user', { turnId: 2 }), said('user')], [said('user', { turnId: 4 })])).toEqual([2, 5]);
  });

  it('keep a tool call, its result and the answer in one turn', () => {
    const call = said('assistant', { toolCalls: [{ id: 'c' }] });
    expect(turnsOf([said('user'), call, said('tool'), said('assistant')])).toEqual([1, 1, 1, 1]);
  });
});

it('timestamps are the time of the append unless given', () => {
  const [first, second] = assignTurns([said('user'), said('assistant', { timestamp: 3 })], [], { nowMs: 5 });
  expect([first?.timestamp, second?.timestamp]).toEqual([5, 3]);
});
