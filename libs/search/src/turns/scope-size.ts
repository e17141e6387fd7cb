/** Fewer turns count like these wherever a score depends on their number: most of them are neighbours of each other. */
export const FEWEST_TURNS = 30;

/** Where a number of turns is between the fewest that count and `many`, on a logarithmic scale: 0–1. */
export const shareOfMany = (turns: number, many: number): number =>
  Math.log(Math.min(many, Math.max(FEWEST_TURNS, turns)) / FEWEST_TURNS) / Math.log(many / FEWEST_TURNS);
