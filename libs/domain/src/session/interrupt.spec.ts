import { describe, expect, it } from 'vitest';
import { HeardTooMuch, interruptLast, NothingToInterrupt } from './interrupt.js';
import { sessionOf } from '../testing/session-of.js';

describe('an interruption that arrives later', () => {
  it("cuts the assistant's last message, even if the user has spoken since", () => {
    const { says } = sessionOf();
    const messages = [says('assistant', 'first'), says('assistant', 'second'), says('user', 'wait')];
    expect(interruptLast(messages, { heard: 'sec', interruptTimestamp: 5 })).toEqual({
      messageEventId: 'e-2',
      heard: 'sec',
      interruptTimestamp: 5,
    });
  });

  it('may leave unknown how much was heard', () => {
    const { says } = sessionOf();
    expect(interruptLast([says('assistant', 'hello')], { heard: null })).toEqual({
      messageEventId: 'e-1',
      heard: null,
    });
  });

  it('is rejected if the assistant has said nothing', () => {
    const { says } = sessionOf();
    expect(() => interruptLast([says('user', 'hello')], { heard: '' })).toThrow(NothingToInterrupt);
  });

  it('is rejected if more was heard than generated', () => {
    const { says } = sessionOf();
    const cut = says('assistant', 'one', { metadata: { interrupted: true, original: 'one two' } });
    expect(() => interruptLast([cut], { heard: 'one two three' })).toThrow(HeardTooMuch);
    expect(() => interruptLast([cut], { heard: 'one two' })).not.toThrow();
  });
});
