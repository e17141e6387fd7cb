import fc from 'fast-check';

export interface HostileText {
  /** Tokens and fragments of the parser's grammar. */
  readonly parts: readonly string[];
  /** Maximum text length in characters. Default: 24,000. */
  readonly longest?: number;
  /** Default: 25. */
  readonly runs?: number;
}

const SHORTEST = 1_500;
/** Shorter runs measure the clock and the compiler rather than the text. */
const MEASURABLE_MS = 25;
/**
 * Maximum cost ratio for four times the input: in theory 4 if linear and 16 if quadratic. The margin is for the garbage
 * collector.
 */
const MAX_GROWTH = 8;
const REPEATS = 5;

const cpuOf = (work: () => unknown): number => {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
};

/** Minimum CPU milliseconds of several runs, since other load only adds to them. */
export const cheapest = (work: () => unknown): number =>
  Math.min(...Array.from({ length: REPEATS }, () => cpuOf(work)));

/**
 * Ratio of CPU work when the input quadruples, at the first measurable size. Null if even the largest input costs
 * almost nothing. Uses the CPU time of this process instead of wall time, and a ratio instead of milliseconds, so that
 * a busy machine does not affect it.
 */
const costGrowth = (
  workOf: (size: number) => () => unknown,
  { from, to }: { readonly from: number; readonly to: number },
): number | null => {
  for (let size = from; size <= to; size *= 2) {
    if (cpuOf(workOf(size)) < MEASURABLE_MS) continue;
    const [small, large] = [cheapest(workOf(size / 4)), cheapest(workOf(size))];
    // The first run was slow for another reason, such as compilation.
    if (large < MEASURABLE_MS) continue;
    return large / Math.max(small, 0.01);
  }
  return null;
};

/**
 * Repeats random sequences of the parts between random ends. Fails if four times the text costs more than eight times
 * as much. The seed is fixed, so every run uses the same texts.
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
    if (growth === null || growth <= MAX_GROWTH) continue;
    throw new Error(
      `Four times the text costs ${growth.toFixed(1)} times as much: ${JSON.stringify([begin, part, end])}`,
    );
  }
};
