import { describe, expect, it } from 'vitest';
import { agentView, everything, foldMessages, sessionView } from './fold-messages.js';
import { sessionOf } from '../testing/session-of.js';

const texts = (events: ReturnType<typeof foldMessages>) => events.map((event) => event.data.content);

describe('folding a session into messages', () => {
  it('keeps the order of the log, whatever the timestamps', () => {
    const { says } = sessionOf();
    const events = [says('user', 'first', { timestamp: 2_000 }), says('assistant', 'second', { timestamp: 1_000 })];
    expect(texts(foldMessages(events, everything))).toEqual(['first', 'second']);
  });

  it('leaves out events that are not messages', () => {
    const { says, next } = sessionOf();
    const events = [
      next('binary.appended', { payloadType: 'BINARY', binaryData: 'AA==' }),
      says('user', 'hello'),
      next('agent.stopped', { agentId: 'a', reason: 'requested' }),
    ];
    expect(texts(foldMessages(events, everything))).toEqual(['hello']);
  });

  it('hides what precedes a reset from the readers it applies to', () => {
    const { says, next } = sessionOf();
    const events = [
      says('user', 'one'),
      next('history.reset', { agentId: 'a', reason: 'requested' }),
      says('user', 'two'),
    ];
    expect(texts(foldMessages(events, agentView('a')))).toEqual(['two']);
    for (const view of [agentView('b'), sessionView, everything]) {
      expect(texts(foldMessages(events, view))).toEqual(['one', 'two']);
    }
  });

  it('hides what precedes a session reset from all readers except of the whole history', () => {
    const { says, next } = sessionOf();
    const events = [says('user', 'one'), next('history.reset', { agentId: null, reason: 'requested' })];
    for (const view of [agentView('a'), sessionView]) expect(foldMessages(events, view)).toEqual([]);
    expect(texts(foldMessages(events, everything))).toEqual(['one']);
  });
});
