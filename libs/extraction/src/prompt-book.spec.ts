import { describe, expect, it } from 'vitest';
import { promptHash } from './model/chat-request.js';
import { promptBook } from './prompt-book.js';

describe('the prompt book', () => {
  it('gives the instructions that a hash stands for', () => {
    const custom = { type: 'CUSTOM', customPrompt: 'Look for running shoes.' } as const;
    const hash = promptHash({ strategyType: custom.type, customPrompt: custom.customPrompt });
    expect(promptBook.promptOf(custom, hash)).toContain('Look for running shoes.');
  });

  it('gives nothing for a hash that stands for other words, or for rules', () => {
    expect(promptBook.promptOf({ type: 'SEMANTIC', customPrompt: null }, 'f00d')).toBeNull();
  });
});
