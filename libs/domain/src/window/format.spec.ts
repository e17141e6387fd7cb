import { expect, it } from 'vitest';
import { sessionOf } from '../testing/session-of.js';
import { formatMessages } from './format.js';

it('writes each message as ROLE: content, with a blank line between', () => {
  const { says } = sessionOf();
  const messages = [says('user', 'What is the capital?'), says('assistant', 'Andorra la Vella.')];
  expect(formatMessages(messages)).toBe('USER: What is the capital?\n\nASSISTANT: Andorra la Vella.');
  expect(formatMessages([])).toBe('');
});
