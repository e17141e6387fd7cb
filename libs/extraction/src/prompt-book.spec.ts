import { describe, expect, it } from 'vitest';
import { promptHash } from './model/chat-request.js';
import { promptBook } from './prompt-book.js';

describe('the prompt book', () => {
  it('returns the instructions for a hash', () => {
    const custom = { type: 'CUSTOM', customPrompt: 'Look for running shoes.' } as const;
    const hash = promptHash({ strategyType: custom.type, customPrompt: custom.customPrompt });
    expect(promptBook.promptOf(custom, hash)).toContain('Look for running shoes.');
  });

  it('returns null for an unknown hash, or for the hash of notes', () => {
    expect(promptBook.promptOf({ type: 'SEMANTIC', customPrompt: null }, 'f00d')).toBeNull();
  });
});
