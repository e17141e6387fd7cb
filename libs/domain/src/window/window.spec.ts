import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { MessageEvent } from '../session/fold-messages.js';
import { sessionOf } from '../testing/session-of.js';
import { callIdsOf, unitsOf } from './tool-groups.js';
import { newestWindow } from './window.js';

const ids = fc.constantFrom('a', 'b', 'c', 'd');
/** Any history: results before, without or duplicated after their calls, and calls without results. */
const step = fc.oneof(
  { weight: 3, arbitrary: fc.constant({ kind: 'user' as const }) },
  { weight: 2, arbitrary: fc.constant({ kind: 'assistant' as const }) },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('call' as const), calls: fc.uniqueArray(ids, { minLength: 1 }) }),
  },
  { weight: 8, arbitrary: fc.record({ kind: fc.constant('result' as const), id: ids }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'nameless result' as const }) },
);
const history = fc.array(step, { maxLength: 60 }).map((steps): MessageEvent[] => {
  const { says } = sessionOf();
  return steps.map((each, index) => {
    switch (each.kind) {
      case 'call':
        return says('assistant', '', { toolCalls: each.calls.map((id) => ({ id })) });
      case 'result':
        return says('tool', `result ${index}`, { toolCallId: each.id });
      case 'nameless result':
        return says('tool', `result ${index}`);
      case 'user':
      case 'assistant':
        return says(each.kind, `text ${index}`);
    }
  });
});
const size = fc.integer({ min: 0, max: 40 });
const runs = { numRuns: 3_000 };

const isResult = (message: MessageEvent): boolean => message.data.role === 'tool';
const isPlain = (message: MessageEvent): boolean => !isResult(message) && callIdsOf(message).length === 0;

describe('a window over any history', () => {
  it('never starts, ends or breaks inside a tool-call group', () => {
    fc.assert(
      fc.property(history, size, (messages, most) => {
        const rest = [...newestWindow(messages, most).messages];
        while (rest.length > 0) {
          const message = rest.shift()!;
          expect(isResult(message)).toBe(false);
          // A call is followed by exactly its own results, in any order.
          const calls = callIdsOf(message);
          const results = rest.splice(0, calls.length).map((result) => result.data.toolCallId);
          expect([...results].sort()).toEqual([...calls].sort());
        }
      }),
      runs,
    );
  });

  it('contains the newest messages without gaps, and no more than requested', () => {
    fc.assert(
      fc.property(history, size, (messages, most) => {
        const window = newestWindow(messages, most).messages;
        const newest = unitsOf(messages).at(-1)?.length ?? 0;
        expect(window.length).toBeLessThanOrEqual(most === 0 ? 0 : Math.max(most, newest));
        const plain = messages.filter(isPlain);
        const kept = window.filter(isPlain);
        expect(kept).toEqual(plain.slice(plain.length - kept.length));
        const units = unitsOf(messages);
        const whole = units.flat();
        expect(window).toEqual(whole.slice(whole.length - window.length));
        // One more unit would exceed the size.
        const before = units[units.length - 1 - unitsOf(window).length];
        if (before !== undefined && most > 0) expect(window.length + before.length).toBeGreaterThan(most);
      }),
      runs,
    );
  });

  it('is the same for the end of a history as for all of it, unless it has room', () => {
    fc.assert(
      fc.property(history, size, fc.nat(60), (messages, most, cut) => {
        const ofEnd = newestWindow(messages.slice(cut), most);
        const ofAll = newestWindow(messages, most);
        if (!ofEnd.hasRoom) expect(ofEnd.messages).toEqual(ofAll.messages);
        else expect(ofAll.messages.slice(-ofEnd.messages.length || Infinity)).toEqual(ofEnd.messages);
      }),
      runs,
    );
  });

  it('contains each message at most once', () => {
    fc.assert(
      fc.property(history, size, (messages, most) => {
        const sequences = newestWindow(messages, most).messages.map((message) => message.sequence);
        expect(new Set(sequences).size).toBe(sequences.length);
      }),
      runs,
    );
  });
});

describe('a window with tools in it', () => {
  const { says } = sessionOf();
  const question = says('user', 'What is the weather in Hue and in Hanoi?');
  const call = says('assistant', '', { toolCalls: [{ id: 'hue' }, { id: 'hanoi' }] });
  const first = says('tool', 'rain', { toolCallId: 'hanoi' });
  const bargeIn = says('user', 'Hurry up');
  const second = says('tool', 'sun', { toolCallId: 'hue' });
  const answer = says('assistant', 'Rain in Hanoi, sun in Hue.');

  it('leaves out the whole group if it does not fit', () => {
    expect(newestWindow([question, call, first, second, answer], 3).messages).toEqual([answer]);
    expect(newestWindow([question, call, first, second, answer], 4).messages).toEqual([call, first, second, answer]);
  });

  it('moves results to their call if other turns are in between', () => {
    const messages = [question, call, first, bargeIn, second];
    expect(newestWindow(messages, 10).messages).toEqual([question, call, first, second, bargeIn]);
  });

  it('keeps the newest group even if it is larger than the window', () => {
    expect(newestWindow([question, call, first, second], 1).messages).toEqual([call, first, second]);
  });

  it('leaves out calls without results, and results without a call', () => {
    expect(newestWindow([question, call, first], 10).messages).toEqual([question]);
    expect(newestWindow([first, second, answer], 10).messages).toEqual([answer]);
  });
});
