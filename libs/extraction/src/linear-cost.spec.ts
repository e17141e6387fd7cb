import type { ExtractionInput } from '@turnkeeper/application';
import { expectLinearCost } from '@turnkeeper/testing';
import { describe, it, vi } from 'vitest';
import { aliasesOf } from './model/conversation.js';
import { findJson } from './model/find-json.js';
import { readFacts } from './model/read-facts.js';
import { NotesExtractor } from './notes/notes-extractor.js';
import { holdsSecret } from './secrets/secrets.js';

// Compares CPU times as ratios, so a busy machine slows the test without changing the result.
vi.setConfig({ testTimeout: 120_000 });

describe("extraction's CPU cost is linear in the input length", () => {
  it('for text that may contain a secret', () => {
    expectLinearCost(holdsSecret, {
      parts: ['4111 ', '1111-', 'password ', 'is ', 'PIN: ', 'a', '0', ' ', '-', 'key='],
    });
  });

  it('for model answers', () => {
    const parts = ['{', '}', '[', ']', '"', ':', ',', '\\', ' ', '\n', '```', '```json', '"facts"', 'a', '1'];
    expectLinearCost(findJson, { parts });
    const aliases = aliasesOf([], []);
    const read = (text: string) => {
      try {
        readFacts(text, aliases);
      } catch {
        // Rejecting the input is part of the measured cost.
      }
    };
    expectLinearCost(read, { parts });
  });

  it('for messages that notes are taken of', () => {
    const parts = [
      ...[' ', 'a', '.', ',', '!', '"', "'", '\n', '-', '(', '😋', '3', 'rd', '…', ':', '`', '*', '_', '/'],
      ...[
        'I ',
        "I'm ",
        'my ',
        'moved to ',
        'and ',
        'not ',
        'on the ',
        'of ',
        'last week',
        'no, ',
        'Hue ',
        'we ',
        'likes ',
      ],
    ];
    const extractor = new NotesExtractor();
    const message = {
      eventId: 'e',
      sequence: 1,
      role: 'user',
      speaker: null,
      at: '2023-05-10T12:00:00Z',
      source: null,
    };
    const input: Omit<ExtractionInput, 'messages'> = {
      tenantId: 't',
      strategyType: 'SEMANTIC',
      strategyVersion: 1,
      customPrompt: null,
      context: [],
    };
    expectLinearCost((content) => extractor.apply({ ...input, messages: [{ ...message, content }] }), {
      parts,
      longest: 12_000,
      runs: 25,
    });
  });
});
