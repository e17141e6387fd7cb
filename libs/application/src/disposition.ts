import { DomainError } from '@turnkeeper/domain';

/** What becomes of a message that could not be handled. */
export type Disposition =
  /** Deliver it again, later. */
  | { readonly kind: 'retry'; readonly code: string }
  /** Trying again cannot help: set it aside, visible. */
  | { readonly kind: 'park'; readonly code: string };

/** The one place that decides: the type of the failure is the message's fate, and handlers do not choose. */
export const dispositionOf = (error: unknown): Disposition => {
  if (error instanceof DomainError) {
    // A conflict or a limit passes with time; every other refusal says the same thing for ever.
    const passes = error.kind === 'conflict' || error.kind === 'limited';
    return { kind: passes ? 'retry' : 'park', code: error.code };
  }
  return { kind: 'retry', code: 'unexpected' };
};
