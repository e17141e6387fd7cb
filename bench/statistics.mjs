const sorted = (values) => [...values].sort((a, b) => a - b);

/**
 * The quantile at a share such as 0.99, by nearest rank: of n sorted values the one at index floor(n * share), at most
 * the last. Always a measured value, so at 0.5 it can differ from the median. NaN if there are no values.
 */
export const quantile = (values, share) =>
  sorted(values)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? NaN;

/** The middle value, or the mean of the two middle values. NaN if there are no values. */
export const median = (values) => {
  const half = values.length / 2;
  const [low, high] = [Math.ceil(half) - 1, Math.floor(half)].map((index) => sorted(values)[index] ?? NaN);
  return (low + high) / 2;
};
