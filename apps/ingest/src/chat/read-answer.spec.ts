import { describe, expect, it } from 'vitest';
import { AnswerReader } from './read-answer.js';

const chunk = (delta: object, index = 0): string => `data: ${JSON.stringify({ choices: [{ index, delta }] })}\n\n`;
const read = (text: string, size = text.length): AnswerReader => {
  const reader = new AnswerReader();
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) reader.push(bytes.subarray(at, at + size));
  return reader;
};
const CALL = { id: 'c1', type: 'function', function: { name: 'book', arguments: '{"day":"Thursday"}' } };

describe('the answer in a stream', () => {
  const stream = [
    ': keep-alive\n\n',
    chunk({ role: 'assistant', content: 'Grüße ' }),
    'data: {"object":"chat.completion.custom_metadata","choices":[],"metadata":{}}\n\n',
    'data: not JSON\n\n',
    chunk({ content: 'another choice' }, 1),
    chunk({ content: 'aus Huế 👋' }),
    chunk({ tool_calls: [{ index: 0, ...CALL, function: { name: 'book', arguments: '' } }] }),
    chunk({ tool_calls: [{ index: 0, function: { arguments: '{"day":' } }] }),
    chunk({ tool_calls: [{ index: 0, function: { arguments: '"Thursday"}' } }] }),
    'data: [DONE]\n\n',
  ].join('');

  it.each([1, 2, 3, 7, 1_000])('is read in pieces of %i bytes', (size) => {
    const reader = read(stream, size);
    expect(reader.isDone).toBe(true);
    expect(reader.answer(false)).toEqual({ content: 'Grüße aus Huế 👋', toolCalls: [CALL], isCut: false });
  });

  it('ends with its last event, and has no half of a call', () => {
    const reader = read(stream.slice(0, stream.indexOf('"Thursday')));
    expect(reader.isDone).toBe(false);
    expect(reader.answer(true)).toEqual({ content: 'Grüße aus Huế 👋', toolCalls: [], isCut: true });
  });
});

describe('an answer in one body', () => {
  const whole = (text: string) => {
    const reader = new AnswerReader();
    reader.readWhole(text);
    return reader.answer(false);
  };

  it('is read with its calls', () => {
    const message = { role: 'assistant', content: null, tool_calls: [CALL] };
    expect(whole(JSON.stringify({ choices: [{ index: 0, message }] }))).toMatchObject({
      content: '',
      toolCalls: [CALL],
    });
  });

  it.each(['', '[]', '{}', '{"choices":{}}', '{"choices":[null]}', '{"choices":[{"message":"x"}]}', '<html>'])(
    'that is something else (%s) is empty',
    (text) => expect(whole(text)).toEqual({ content: '', toolCalls: [], isCut: false }),
  );
});
