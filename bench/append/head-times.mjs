const NAMES = ['head_wait', 'head_hold'];

/** `head_wait` and `head_hold` of the processes at these addresses, in seconds. */
export const headTimes = async (urls) => {
  const texts = await Promise.all(urls.map(async (url) => (await fetch(url)).text()));
  return new HeadTimes(Object.fromEntries(NAMES.map((name) => [name, countsOf(name, texts)])));
};

/** Buckets of all processes combined, by upper bound. */
const countsOf = (name, texts) => {
  const buckets = new Map();
  let sum = 0;
  for (const text of texts) {
    for (const [, le, count] of text.matchAll(
      new RegExp(`^turnkeeper_${name}_seconds_bucket\\{.*?le="([^"]+)".*?\\} (\\S+)`, 'gm'),
    )) {
      const bound = le === '+Inf' ? Number.POSITIVE_INFINITY : Number(le);
      buckets.set(bound, (buckets.get(bound) ?? 0) + Number(count));
    }
    for (const [, value] of text.matchAll(new RegExp(`^turnkeeper_${name}_seconds_sum\\S* (\\S+)`, 'gm')))
      sum += Number(value);
  }
  return { buckets, sum };
};

class HeadTimes {
  constructor(counts) {
    this.counts = counts;
  }

  /** Since an earlier snapshot: the mean, and the upper bounds of p99 and of the maximum. */
  since(earlier) {
    return Object.fromEntries(
      NAMES.map((name) => {
        const [now, then] = [this.counts[name], earlier.counts[name]];
        const buckets = [...now.buckets]
          .map(([bound, count]) => ({ bound, count: count - (then.buckets.get(bound) ?? 0) }))
          .sort((a, b) => a.bound - b.bound);
        const total = buckets.at(-1)?.count ?? 0;
        const below = (share) => buckets.find(({ count }) => total > 0 && count >= share * total)?.bound ?? Number.NaN;
        return [name, { total, mean: (now.sum - then.sum) / total, p99: below(0.99), most: below(1) }];
      }),
    );
  }
}
