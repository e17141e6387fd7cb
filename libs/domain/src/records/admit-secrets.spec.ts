import { describe, expect, it } from 'vitest';
import { admitted, fact, message, run } from '../testing/admission.js';

describe('secrets', () => {
  it('refuses the answer to a question for a secret', () => {
    const asked = { ...message('q', 'What is your memorable word?', 1), role: 'assistant' };
    const input = {
      candidates: [fact('Word is bluebird.', 'e', 'it is bluebird'), fact('Likes tea.', 'e2', 'I like tea')],
      window: [asked, message('e', 'it is bluebird', 2), message('e2', 'And I like tea', 3)],
      known: [],
      namespace: '/',
      newId: String,
    };
    const { records, refused } = admitted(input);
    expect(refused).toEqual([{ text: '', reason: 'secret' }]);
    expect(records.map(({ text }) => text)).toEqual(['Likes tea.']);
  });

  it('keeps what is said after an agent that only mentions a secret', () => {
    const warned = { ...message('e0', 'Never tell us your PIN. Where do you live now?', 1), role: 'assistant' };
    const window = [warned, message('e1', 'At 40 Quay Street.', 2)];
    expect(run([fact('User lives at 40 Quay Street.', 'e1', 'At 40 Quay Street')], [], window).refused).toEqual([]);
  });

  it('keeps the answer to another question beside it, without digits', () => {
    const asked = { ...message('e0', 'May I have your name? And your PIN?', 1), role: 'assistant' };
    const window = [asked, message('e1', 'Deva, 4 4 7 2', 2)];
    const { records, refused } = run(
      [fact("User's name is Deva.", 'e1', 'Deva'), fact('User said 4472.', 'e1', '4 4 7 2')],
      [],
      window,
    );
    expect(records.map(({ text }) => text)).toEqual(["User's name is Deva."]);
    expect(refused).toEqual([{ text: '', reason: 'secret' }]);
  });

  it('leaves out context that is secret, because the fact does not rest on it', () => {
    const window = [message('e1', 'I moved to Hue.', 1), message('e2', 'My PIN is 4711.', 2)];
    const context = { eventId: 'e2', quote: 'My PIN is 4711.', context: true };
    const { text, sources } = fact('User moved to Hue.', 'e1', 'I moved to Hue.');
    const { records, refused } = run([{ text, sources: [...sources, context] }], [], window);
    expect(refused).toEqual([]);
    expect(records.map(({ sources: kept }) => kept.map(({ eventId }) => eventId))).toEqual([['e1']]);
  });

  it('refuses secrets, and does not repeat them', () => {
    const window = [message('e1', 'My PIN is 4821.')];
    const { records, refused } = run([fact('User has a PIN.', 'e1', 'My PIN is 4821.')], [], window);
    expect(records).toEqual([]);
    expect(refused).toEqual([{ text: '', reason: 'secret' }]);
  });

  it('are no values of attributes', () => {
    const attribute = { name: 'pin', value: '4711', single: true };
    expect(run([{ ...fact('User moved to Hue.', 'e1', 'I moved to Hue'), attribute }]).refused).toEqual([
      { text: '', reason: 'secret' },
    ]);
  });
});
