import { describe, expect, it } from 'vitest';
import { reviseStrategy } from './revise.js';
import type { Strategy } from './strategy.js';

const strategy: Strategy = {
  strategyId: 's1',
  name: 'orders',
  type: 'CUSTOM',
  version: 3,
  namespaceTemplate: '/n/{actorId}',
  automatic: true,
  customPrompt: 'Extract orders.',
};

describe('revising a strategy', () => {
  it('creates its next version and keeps unnamed fields', () => {
    expect(reviseStrategy(strategy, { customPrompt: 'Extract orders and returns.' })).toEqual({
      ...strategy,
      version: 4,
      customPrompt: 'Extract orders and returns.',
    });
  });

  it('creates no version if nothing changes', () => {
    expect(reviseStrategy(strategy, {})).toBeNull();
    expect(reviseStrategy(strategy, { name: 'orders', automatic: true })).toBeNull();
  });

  it('changes or removes the output schema, which only a CUSTOM strategy has', () => {
    const outputSchema = { type: 'object', properties: { sku: { type: 'string' } } };
    const revised = reviseStrategy(strategy, { outputSchema });
    expect(revised).toEqual({ ...strategy, version: 4, outputSchema });
    expect(reviseStrategy(revised!, { outputSchema: { ...outputSchema } })).toBeNull();
    expect(reviseStrategy(revised!, { outputSchema: null })).toEqual({ ...strategy, version: 5, outputSchema: null });
    expect(() => reviseStrategy({ ...strategy, type: 'SEMANTIC' }, { outputSchema })).toThrow('Only CUSTOM');
  });

  it('requires a prompt for a CUSTOM strategy', () => {
    expect(() => reviseStrategy(strategy, { customPrompt: '  ' })).toThrow('needs its prompt');
    expect(reviseStrategy({ ...strategy, type: 'SEMANTIC' }, { customPrompt: null })?.customPrompt).toBeNull();
  });
});
