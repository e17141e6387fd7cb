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
  it('makes its next version and keeps what is not named', () => {
    expect(reviseStrategy(strategy, { customPrompt: 'Extract orders and returns.' })).toEqual({
      ...strategy,
      version: 4,
      customPrompt: 'Extract orders and returns.',
    });
  });

  it('makes no version where nothing would be different', () => {
    expect(reviseStrategy(strategy, {})).toBeNull();
    expect(reviseStrategy(strategy, { name: 'orders', automatic: true })).toBeNull();
  });

  it('leaves a CUSTOM strategy with a prompt', () => {
    expect(() => reviseStrategy(strategy, { customPrompt: '  ' })).toThrow('needs its prompt');
    expect(reviseStrategy({ ...strategy, type: 'SEMANTIC' }, { customPrompt: null })?.customPrompt).toBeNull();
  });
});
