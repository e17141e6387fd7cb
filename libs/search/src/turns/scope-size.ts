/** Fewer turns count like these wherever a score depends on their number: most of them are neighbours of each other. */
export const MIN_TURNS = 30;

/** Where a number of turns is between the fewest that count and `many`, on a logarithmic scale: 0–1. */
export const shareOfMany = (turns: number, many: number): number =>
  Math.log(Math.min(many, Math.max(MIN_TURNS, turns)) / MIN_TURNS) / Math.log(many / MIN_TURNS);
