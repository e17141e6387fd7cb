import { describe, expect, it } from 'vitest';
import type { ChatMessage } from './chat-message.js';
import { answerTurn, conversationKey, lastWords, newTurns, textOf, withMemory } from './chat-turns.js';

const system = (content: string): ChatMessage => ({ role: 'system', content });
const user = (content: string): ChatMessage => ({ role: 'user', content });
const assistant = (content: string): ChatMessage => ({ role: 'assistant', content });
const wordsOf = (turns: ReturnType<typeof newTurns>) => turns.map(({ message }) => [message.role, message.content]);
const ONGOING = { isNew: false };

describe('the messages of a request that are not stored', () => {
  it("are the user's since the model's last answer", () => {
    const messages = [system('Be kind.'), user('One.'), assistant('Two.'), user('Three.'), user('Four.')];
    expect(wordsOf(newTurns(messages, ONGOING))).toEqual([
      ['user', 'Three.'],
      ['user', 'Four.'],
    ]);
    expect(newTurns([user('One.'), assistant('Two.')], ONGOING)).toEqual([]);
  });

  it('are all that was said if nothing is stored', () => {
    const messages = [system('Be kind.'), assistant('Good morning.'), user('One.'), assistant('Two.'), user('Three.')];
    expect(wordsOf(newTurns(messages, { isNew: true }))).toEqual([
      ['assistant', 'Good morning.'],
      ['user', 'One.'],
      ['assistant', 'Two.'],
      ['user', 'Three.'],
    ]);
  });

  it('hold results of tools with their calls, and the number of the turn', () => {
    const result: ChatMessage = { role: 'tool', tool_call_id: 'call_1', content: 'Ten o’clock.' };
    const [stored] = newTurns([user('When?'), assistant(''), result], { isNew: false, turnId: 4 });
    expect(stored?.message).toEqual({
      payloadType: 'CONVERSATIONAL',
      role: 'tool',
      content: 'Ten o’clock.',
      toolCallId: 'call_1',
      turnId: 4,
    });
  });

  it('have the text of their parts, without media', () => {
    const parts = [
      { type: 'text', text: 'What is this?' },
      { type: 'image_url', image_url: { url: 'data:…' } },
    ];
    const image: ChatMessage = { role: 'user', content: parts.slice(1) };
    expect(wordsOf(newTurns([{ role: 'user', content: parts }, image], ONGOING))).toEqual([['user', 'What is this?']]);
    expect(textOf({ content: null })).toBe('');
  });

  it('are the same in a repeated request, and differ for the same words later', () => {
    const keysOf = (...messages: readonly ChatMessage[]) => newTurns(messages, ONGOING).map(({ key }) => key);
    const first = keysOf(system('It is nine.'), user('Yes.'));
    expect(keysOf(system('It is ten.'), user('Yes.'))).toEqual(first);
    expect(keysOf(user('Yes.'), assistant('Sure?'), user('Yes.'))).not.toEqual(first);
    expect(conversationKey([user('a'), user('b')])).not.toBe(conversationKey([user('a","b')]));
  });
});

describe('an answer', () => {
  it('is nothing without words and calls', () => {
    expect(answerTurn({ content: '', toolCalls: [], isCut: true }, undefined)).toBeNull();
  });
  it('says that it was cut', () => {
    expect(answerTurn({ content: 'Your', toolCalls: [], isCut: true }, 2)).toMatchObject({
      content: 'Your',
      turnId: 2,
      metadata: { interrupted: true },
    });
  });
});

describe('the memory of a request', () => {
  it.each([
    ['after the instructions', [system('a'), system('b'), user('c')], ['a', 'b', 'memory', 'c'], 'system'],
    [
      'in the role of the instructions',
      [{ role: 'developer', content: 'a' }, user('c')],
      ['a', 'memory', 'c'],
      'developer',
    ],
    ['at the beginning without them', [user('c')], ['memory', 'c'], 'system'],
    ['at the end of nothing but instructions', [system('a')], ['a', 'memory'], 'system'],
  ])('stands %s', (_, messages, contents, role) => {
    const all = withMemory(messages, 'memory');
    expect(all.map(({ content }) => content)).toEqual(contents);
    expect(all.find(({ content }) => content === 'memory')?.role).toBe(role);
  });

  it('leaves the messages alone if it is empty', () => {
    const messages = [user('c')];
    expect(withMemory(messages, '')).toBe(messages);
  });

  it('answers the last words of the user', () => {
    expect(lastWords([user('One.'), assistant('Two.'), user(' ')])).toBe('One.');
    expect(lastWords([])).toBe('');
  });
});
