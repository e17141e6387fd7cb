import fc from 'fast-check';

export interface HostileText {
  /** Words, signs and halves of the grammar that the parser knows. */
  readonly parts: readonly string[];
  /** Longest text in characters. Default 24,000. */
  readonly longest?: number;
  /** Default 25. */
  readonly runs?: number;
}

const SHORTEST = 1_500;
/** A shorter cost says more about the clock and the compiler than about the text. */
const MEASURABLE_MS = 25;
/**
 * Four times the input may cost so many times as much: 4 in theory where the cost is linear, 16 where it is quadratic. The
 * room between them is for the garbage collector.
 */
const MOST_GROWTH = 8;
const REPEATS = 5;

const cpuOf = (work: () => unknown): number => {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
};

/** The least CPU milliseconds of several runs: what else the machine does only adds to them. */
export const cheapest = (work: () => unknown): number =>
  Math.min(...Array.from({ length: REPEATS }, () => cpuOf(work)));

/**
 * How much more CPU work takes when its input quadruples, at the first size from which it can be measured. Null where even
 * the largest input costs next to nothing. CPU time of this process and not the clock, and a ratio and not a number of
 * milliseconds, so that a busy machine changes nothing.
 */
export const costGrowth = (
  workOf: (size: number) => () => unknown,
  { from, to }: { readonly from: number; readonly to: number },
): number | null => {
  for (let size = from; size <= to; size *= 2) {
    if (cpuOf(workOf(size)) < MEASURABLE_MS) continue;
    const [small, large] = [cheapest(workOf(size / 4)), cheapest(workOf(size))];
    // The first time was slow for another reason, such as the compiler.
    if (large < MEASURABLE_MS) continue;
    return large / Math.max(small, 0.01);
  }
  return null;
};

/**
 * Repeats random sequences of the parts between random ends, and fails where four times the text costs more than eight times
 * as much. The seed is fixed: the same texts in every run.
 */
export const expectLinearCost = (run: (text: string) => unknown, hostile: HostileText): void => {
  const { parts, longest = 24_000, runs = 25 } = hostile;
  const some = fc.array(fc.constantFrom(...parts), { maxLength: 3 }).map((each) => each.join(''));
  const repeated = fc.array(fc.constantFrom(...parts), { minLength: 1, maxLength: 4 }).map((each) => each.join(''));
  for (const [begin, part, end] of fc.sample(fc.tuple(some, repeated, some), { seed: 1_107, numRuns: runs })) {
    const workOf = (size: number) => {
      const text = begin + part.repeat(Math.ceil(size / part.length)) + end;
      return () => run(text);
    };
    const growth = costGrowth(workOf, { from: SHORTEST, to: longest });
    if (growth === null || growth <= MOST_GROWTH) continue;
    throw new Error(
      `Four times the text costs ${growth.toFixed(1)} times as much: ${JSON.stringify([begin, part, end])}`,
    );
  }
};
