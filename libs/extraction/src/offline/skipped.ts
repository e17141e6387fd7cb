/**
 * Why a sentence was skipped.
 *
 * - `role`: the whole message, because its role is unknown
 * - `prompt`: once per window of a CUSTOM strategy, because rules cannot follow its prompt
 */
export type SkipReason = 'role' | 'prompt' | 'language' | 'code' | 'quoted' | 'instructions' | 'secret';
/** Number of skipped sentences in a window, by reason; absent reasons did not occur. */
export type Skipped = Readonly<Partial<Record<SkipReason, number>>>;

export const countSkipped = (reasons: readonly SkipReason[]): Skipped => {
  const counts: Partial<Record<SkipReason, number>> = {};
  for (const reason of reasons) counts[reason] = (counts[reason] ?? 0) + 1;
  return counts;
};
