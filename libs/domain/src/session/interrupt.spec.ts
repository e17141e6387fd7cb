import { describe, expect, it } from 'vitest';
import { HeardSomethingElse, HeardTooMuch, interruptLast, NothingToInterrupt } from './interrupt.js';
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

  it('is rejected if what was heard is not the beginning; speech changes case, punctuation and markup', () => {
    const { says } = sessionOf();
    const said = says('assistant', '**Hello** Anh (smiling), it costs 38 euros. Giá là năm mươi.');
    for (const heard of ['', 'Hello', 'hello anh, it', 'Hello Anh (smiling), it cos', 'Hello Anh it costs 38 Euros']) {
      expect(() => interruptLast([said], { heard })).not.toThrow();
    }
    for (const heard of ['it costs', 'Hello Bao', 'Hello Anh it costs 39', 'Hello Anh 38 euros']) {
      expect(() => interruptLast([said], { heard })).toThrow(HeardSomethingElse);
    }
  });
});
