import { DomainError, MemoryNotFound, SequenceConflict } from '@turnkeeper/domain';
import { describe, expect, it } from 'vitest';
import { dispositionOf } from './disposition.js';

class TooMany extends DomainError {
  readonly code = 'tenant.too_many';
  readonly kind = 'limited';
}

describe('what becomes of a message that could not be handled', () => {
  it('is parked under its own code when a rule said no for good', () => {
    expect(dispositionOf(new MemoryNotFound())).toEqual({ kind: 'park', code: 'memory.not_found' });
  });

  it.each([new SequenceConflict(3), new TooMany('later')])('is tried again when %s, which passes', (error) => {
    expect(dispositionOf(error)).toEqual({ kind: 'retry', code: error.code });
  });

  it.each([new Error('bug'), 'text', undefined])(
    'is tried again when the failure (%s) is none that we know',
    (error) => {
      expect(dispositionOf(error)).toEqual({ kind: 'retry', code: 'unexpected' });
    },
  );
});
