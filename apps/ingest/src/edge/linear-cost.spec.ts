import { decodeZegoBody, parseExactJson } from '@turnkeeper/vendors';
import { expectLinearCost } from '@turnkeeper/testing';
import { describe, it, vi } from 'vitest';
import { parseJson } from '@turnkeeper/domain';
import { JSON_LIMITS, jsonBeyond } from './json-shape.js';

// Costs are ratios of CPU time, so that a busy machine does not change them.
vi.setConfig({ testTimeout: 120_000 });

describe('body costs are linear in CPU time', () => {
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
      return null; // rejected, at a separate cost
    }
  };

  it('at the edge', () => {
    expectLinearCost((text) => jsonBeyond(Buffer.from(text), JSON_LIMITS), { parts });
    expectLinearCost(tolerant(parseJson), { parts });
  });

  it("of vendors' callbacks", () => {
    // Deeply nested bodies are rejected before parsing.
    const shallow = parts.filter((part) => part !== '[' && part !== '{');
    expectLinearCost(tolerant(parseExactJson), { parts: shallow });
    expectLinearCost(tolerant(decodeZegoBody), { parts: shallow });
  });
});
