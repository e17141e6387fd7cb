import { DomainError, MemoryNotFound, SequenceConflict } from '@turnkeeper/domain';
import { describe, expect, it } from 'vitest';
import { dispositionOf } from './disposition.js';

class TooMany extends DomainError {
  readonly code = 'tenant.too_many';
  readonly kind = 'limited';
}

describe('dispositionOf', () => {
  it("parks the message under the error's code if the failure is permanent", () => {
    expect(dispositionOf(new MemoryNotFound())).toEqual({ kind: 'park', code: 'memory.not_found' });
  });

  it.each([new SequenceConflict(3), new TooMany('later')])('retries on %s, which is temporary', (error) => {
    expect(dispositionOf(error)).toEqual({ kind: 'retry', code: error.code });
  });

  it.each([new Error('bug'), 'text', undefined])('retries on an unknown failure (%s)', (error) => {
    expect(dispositionOf(error)).toEqual({ kind: 'retry', code: 'unexpected' });
  });
});
