import { describe, expect, it } from 'vitest';
import { assertMessage, InvalidMessage, MESSAGE_SOURCES } from './message-rules.js';
import type { Json } from './session-events.js';
import { stampMs } from './stamp.js';

const fieldAtFault = (role: string, metadata: { [key: string]: Json }): string | undefined => {
  try {
    assertMessage({ role, metadata }, 'contents.0.');
    return undefined;
  } catch (error) {
    if (error instanceof InvalidMessage) return error.details.field;
    throw error;
  }
};

describe('consistency of a message', () => {
  const sources = [...new Set([...MESSAGE_SOURCES.user, ...MESSAGE_SOURCES.assistant])];
  for (const [role, allowed] of Object.entries(MESSAGE_SOURCES) as [string, readonly string[]][]) {
    for (const source of sources) {
      const refused = !allowed.includes(source);
      it(`${refused ? 'refuses' : 'takes'} the source ${source} of role ${role}`, () => {
        expect(fieldAtFault(role, { source })).toBe(refused ? 'contents.0.metadata.source' : undefined);
      });
    }
  }

  it('accepts unknown sources and roles', () => {
    expect(fieldAtFault('user', { source: 'telepathy' })).toBeUndefined();
    expect(fieldAtFault('narrator', { source: 'llm' })).toBeUndefined();
  });

  it('accepts the other spellings of the two roles', () => {
    expect(fieldAtFault('Human', { source: 'llm' })).toBe('contents.0.metadata.source');
    expect(fieldAtFault('AI', { source: 'asr' })).toBe('contents.0.metadata.source');
  });

  it('allows an interruption only on an assistant message', () => {
    expect(fieldAtFault('assistant', { interrupted: true, interrupt_timestamp: 1, original: 'all' })).toBeUndefined();
    expect(fieldAtFault('user', { interrupted: true })).toBe('contents.0.metadata.interrupted');
    expect(fieldAtFault('assistant', { interrupted: 'yes' })).toBe('contents.0.metadata.interrupted');
  });

  it('requires the interruption flag together with its timestamp or original', () => {
    expect(fieldAtFault('assistant', { original: 'all' })).toBe('contents.0.metadata.original');
    expect(fieldAtFault('assistant', { interrupted: false, interrupt_timestamp: 1 })).toBe(
      'contents.0.metadata.interrupt_timestamp',
    );
    expect(fieldAtFault('assistant', { interrupted: true, original: 7 })).toBe('contents.0.metadata.original');
    expect(fieldAtFault('assistant', { interrupted: true, interrupt_timestamp: 'now' })).toBe(
      'contents.0.metadata.interrupt_timestamp',
    );
    expect(fieldAtFault('assistant', { interrupted: false })).toBeUndefined();
  });

  it('allows calls only on an assistant message and results only on a tool message', () => {
    expect(() => assertMessage({ role: 'user', toolCalls: [{ id: 'c' }] })).toThrow(InvalidMessage);
    expect(() => assertMessage({ role: 'assistant', toolCallId: 'c' })).toThrow(InvalidMessage);
    expect(() => assertMessage({ role: 'assistant', toolCalls: [{ id: 'c' }] })).not.toThrow();
    expect(() => assertMessage({ role: 'tool', toolCallId: 'c' })).not.toThrow();
  });
});

describe('a platform timestamp', () => {
  it('is seconds or milliseconds, depending on its magnitude', () => {
    expect(stampMs(1_678_901_234)).toBe(1_678_901_234_000);
    expect(stampMs(1_678_901_234_567)).toBe(1_678_901_234_567);
    expect(stampMs(0)).toBe(0);
  });
});
