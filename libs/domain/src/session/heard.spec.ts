import { describe, expect, it } from 'vitest';
import { sessionOf } from '../testing/session-of.js';
import { asHeard, heardTexts, originalText } from './heard.js';

describe('a message as it was heard', () => {
  it('is shortened by a later interruption, and keeps the generated text', () => {
    const said = sessionOf().says('assistant', 'Why did the scarecrow win?', {
      turnId: 2,
      metadata: { source: 'llm' },
    });
    const heard = asHeard(said, [{ messageEventId: said.eventId, heard: 'Why did', interruptTimestamp: 17 }]);
    expect(heard).toEqual({
      ...said,
      data: {
        ...said.data,
        content: 'Why did',
        metadata: { source: 'llm', interrupted: true, interrupt_timestamp: 17, original: 'Why did the scarecrow win?' },
      },
    });
    expect(originalText(heard.data)).toBe('Why did the scarecrow win?');
  });

  it('keeps the first original if it is cut twice, or was appended as cut', () => {
    const { says } = sessionOf();
    const whole = says('assistant', 'one two three');
    const twice = [
      { messageEventId: whole.eventId, heard: 'one two' },
      { messageEventId: whole.eventId, heard: 'one' },
    ];
    expect(asHeard(whole, twice).data).toMatchObject({ content: 'one', metadata: { original: 'one two three' } });
    const already = says('assistant', 'one two', { metadata: { interrupted: true, original: 'one two three' } });
    expect(asHeard(already, [{ messageEventId: already.eventId, heard: 'one' }]).data).toMatchObject({
      content: 'one',
      metadata: { original: 'one two three' },
    });
  });

  it('is marked as cut if it is unknown how much was heard, and is empty if nothing was', () => {
    const said = sessionOf().says('assistant', 'one two');
    const cut = (heard: string | null) => asHeard(said, [{ messageEventId: said.eventId, heard }]).data;
    expect(cut(null)).toMatchObject({ content: 'one two', metadata: { interrupted: true, original: 'one two' } });
    expect(cut('')).toMatchObject({ content: '', metadata: { interrupted: true, original: 'one two' } });
    expect(asHeard(said, [])).toBe(said);
  });

  it('is the newest known one of several interruptions', () => {
    const of = (messageEventId: string, heard: string | null) => ({ messageEventId, heard });
    const texts = heardTexts([of('a', 'one two'), of('b', null), of('a', 'one'), of('a', null)]);
    expect([...texts]).toEqual([['a', 'one']]);
  });
});
