/**
 * Why a message, or a part of it, was not read.
 *
 * - `role`: its role is unknown
 * - `prompt`: once per window of a CUSTOM strategy, because only a model can follow its prompt
 * - `instructions`: it addresses the system instead of the other speaker
 * - `secret`: a part of it is a secret, or answers a question that asks for one
 */
export type SkipReason = 'role' | 'prompt' | 'instructions' | 'secret';
/** Number of such messages in a window, by reason; absent reasons did not occur. */
export type Skipped = Readonly<Partial<Record<SkipReason, number>>>;

export const countSkipped = (reasons: readonly SkipReason[]): Skipped => {
  const counts: Partial<Record<SkipReason, number>> = {};
  for (const reason of reasons) counts[reason] = (counts[reason] ?? 0) + 1;
  return counts;
};
