import { describe, expect, it } from 'vitest';
import { exactJson } from './exact-json.mjs';
import { EXAMPLE_LINE, jsonlSessions } from './jsonl.mjs';

const line = (fields) => JSON.stringify({ actorId: 'ada', sessionId: 's1', role: 'user', message: 'Hi', ...fields });

describe('a JSONL file', () => {
  it('gives the sessions with their turns in the order of the lines', () => {
    const text = [
      line({}),
      line({ sessionId: 's2' }),
      '',
      line({ role: 'assistant', message: 'Hello', metadata: { a: 1 } }),
    ].join('\n');
    expect(jsonlSessions(text)).toEqual([
      {
        actorId: 'ada',
        sessionId: 's1',
        turns: [
          { payload: { type: 'CONVERSATIONAL', role: 'user', message: 'Hi' } },
          { payload: { type: 'CONVERSATIONAL', role: 'assistant', message: 'Hello' }, metadata: { a: 1 } },
        ],
      },
      {
        actorId: 'ada',
        sessionId: 's2',
        turns: [{ payload: { type: 'CONVERSATIONAL', role: 'user', message: 'Hi' } }],
      },
    ]);
  });

  it('keeps every digit of a long integer', () => {
    const text = line({ metadata: { n: 0 } }).replace('0', '9007199254740993');
    expect(exactJson.stringify(jsonlSessions(text))).toContain('"metadata":{"n":9007199254740993}');
  });

  it.each([
    ['{"actorId":', 'not JSON'],
    ['[]', 'must be an object'],
    [line({ role: undefined }), 'role must be text'],
    [line({ speaker: 'x' }), 'speaker is not a field'],
  ])('is refused with the number of the line that is wrong', (wrong, why) => {
    expect(() => jsonlSessions(`${line({})}\n${wrong}`)).toThrow(`Line 2: ${why}`);
    expect(() => jsonlSessions(wrong)).toThrow(EXAMPLE_LINE);
    expect(jsonlSessions(EXAMPLE_LINE)).toMatchObject([{ actorId: 'linh' }]);
  });
});
