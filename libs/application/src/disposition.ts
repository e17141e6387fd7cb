import { DomainError } from '@turnkeeper/domain';

/** What to do with a message whose handling failed. */
export type Disposition =
  /** Redeliver later. */
  | { readonly kind: 'retry'; readonly code: string }
  /** A retry cannot succeed; park it. */
  | { readonly kind: 'park'; readonly code: string };

/** The only place that decides between retry and parking, by the type of the failure. Handlers do not choose. */
export const dispositionOf = (error: unknown): Disposition => {
  if (error instanceof DomainError) {
    // Conflicts and limits are temporary; all other refusals are permanent.
    const passes = error.kind === 'conflict' || error.kind === 'limited';
    return { kind: passes ? 'retry' : 'park', code: error.code };
  }
  return { kind: 'retry', code: 'unexpected' };
};
