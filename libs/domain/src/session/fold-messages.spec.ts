import { describe, expect, it } from 'vitest';
import { agentView, everything, foldMessages, originalOf, sessionView } from './fold-messages.js';
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

  it('shortens a message that was interrupted later, and keeps the generated text', () => {
    const { says, next } = sessionOf();
    const said = says('assistant', 'Why did the scarecrow win?', { turnId: 2, metadata: { source: 'llm' } });
    const cut = next('message.interrupted', { messageEventId: said.eventId, heard: 'Why did', interruptTimestamp: 17 });
    const [message] = foldMessages([said, says('user', 'stop'), cut], everything);
    expect(message).toEqual({
      ...said,
      data: {
        ...said.data,
        content: 'Why did',
        metadata: { source: 'llm', interrupted: true, interrupt_timestamp: 17, original: 'Why did the scarecrow win?' },
      },
    });
    expect(originalOf(message!)).toBe('Why did the scarecrow win?');
  });

  it('keeps the first original if a message is cut twice', () => {
    const { says, next } = sessionOf();
    const said = says('assistant', 'one two', {
      metadata: { source: 'llm', interrupted: true, original: 'one two three' },
    });
    const cut = next('message.interrupted', { messageEventId: said.eventId, heard: 'one' });
    const [message] = foldMessages([said, cut], everything);
    expect(message!.data).toMatchObject({ content: 'one', metadata: { original: 'one two three' } });
  });

  it('marks a message as cut if it is unknown how much was heard', () => {
    const { says, next } = sessionOf();
    const said = says('assistant', 'one two');
    const [message] = foldMessages(
      [said, next('message.interrupted', { messageEventId: 'e-1', heard: null })],
      everything,
    );
    expect(message!.data).toMatchObject({ content: 'one two', metadata: { interrupted: true, original: 'one two' } });
  });

  it('cuts the message that the interruption names, and no later one', () => {
    const { says, next } = sessionOf();
    const events = [says('assistant', 'first'), says('assistant', 'second')];
    const cut = next('message.interrupted', { messageEventId: 'e-1', heard: 'fi' });
    expect(texts(foldMessages([...events, cut], everything))).toEqual(['fi', 'second']);
    expect(texts(foldMessages([events[1]!, cut], everything))).toEqual(['second']);
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
