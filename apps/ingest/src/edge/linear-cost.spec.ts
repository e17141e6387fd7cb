import { decodeZegoBody, parseExactJson } from '@turnkeeper/contracts';
import { expectLinearCost } from '@turnkeeper/testing';
import { describe, it, vi } from 'vitest';
import { withExactIntegers } from './exact-integers.js';
import { JSON_LIMITS, jsonBeyond } from './json-shape.js';

// Costs are ratios of CPU time: a busy machine makes them slower, and not larger.
vi.setConfig({ testTimeout: 120_000 });

describe('bodies cost CPU in proportion to their length', () => {
  const parts = [
    '{',
    '}',
    '[',
    ']',
    '"',
    ':',
    ',',
    '\\',
    '\\u',
    '1',
    '9'.repeat(20),
    'e',
    '-',
    '.',
    ' ',
    '\n',
    'ế',
    '%7B',
  ];
  const tolerant = (parse: (text: string) => unknown) => (text: string) => {
    try {
      return parse(text);
    } catch {
      return null; // refused, at a cost of its own
    }
  };

  it('at the edge', () => {
    expectLinearCost((text) => jsonBeyond(Buffer.from(text), JSON_LIMITS), { parts });
    expectLinearCost(tolerant(withExactIntegers), { parts });
  });

  it("of vendors' callbacks", () => {
    // Deep bodies are refused before they are parsed.
    const shallow = parts.filter((part) => part !== '[' && part !== '{');
    expectLinearCost(tolerant(parseExactJson), { parts: shallow });
    expectLinearCost(tolerant(decodeZegoBody), { parts: shallow });
  });
});
