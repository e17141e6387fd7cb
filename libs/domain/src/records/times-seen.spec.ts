import { describe, expect, it } from 'vitest';
import { timesSeen } from './times-seen.js';

describe('how often a fact was said', () => {
  const source = (eventId: string, role: string) => ({ eventId, role });

  it('counts messages, not quotes', () => {
    expect(timesSeen([source('e1', 'user'), source('e1', 'user'), source('e2', 'Human')])).toBe(2);
  });

  it('does not count the question before an answer', () => {
    expect(timesSeen([source('e1', 'assistant'), source('e2', 'user')])).toBe(1);
  });

  it('counts the agent if the user never said it; a manually inserted fact counts as never said', () => {
    expect(timesSeen([source('e1', 'assistant')])).toBe(1);
    expect(timesSeen([])).toBe(0);
  });
});
