/**
 * Why a sentence was not read.
 *
 * - `role`: the whole message, for its role is in no table
 * - `prompt`: once for a window of a CUSTOM strategy: rules cannot follow its prompt
 */
export type SkipReason = 'role' | 'prompt' | 'language' | 'code' | 'quoted' | 'instructions' | 'secret';
/** How many sentences of a window were not read, by reason; reasons that did not occur are left out. */
export type Skipped = Readonly<Partial<Record<SkipReason, number>>>;

export const countSkipped = (reasons: readonly SkipReason[]): Skipped => {
  const counts: Partial<Record<SkipReason, number>> = {};
  for (const reason of reasons) counts[reason] = (counts[reason] ?? 0) + 1;
  return counts;
};
