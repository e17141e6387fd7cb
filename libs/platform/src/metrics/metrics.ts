import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { METRICS, type LabelOf, type MetricName, type MetricOf } from './catalogue.js';

export const METRIC_PREFIX = 'turnkeeper_';

/**
 * Metrics of one process. Names, labels and buckets come from the catalogue. Repeated calls for one metric are allowed.
 */
export interface Metrics {
  readonly registry: Registry;
  counter<N extends MetricOf<'counter'>>(name: N): Counter<LabelOf<N>>;
  /** @param collect sets the gauge just before it is read */
  gauge<N extends MetricOf<'gauge'>>(name: N, collect?: (gauge: Gauge<LabelOf<N>>) => void): Gauge<LabelOf<N>>;
  histogram<N extends MetricOf<'histogram'>>(name: N): Histogram<LabelOf<N>>;
}

export const createMetrics = (): Metrics => {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const made = new Map<MetricName, Counter | Gauge | Histogram>();
  const getOrCreate = <M extends Counter | Gauge | Histogram>(name: MetricName, create: () => M): M => {
    const metric = made.get(name) ?? create();
    made.set(name, metric);
    return metric as M;
  };
  const common = (name: MetricName) => ({
    name: `${METRIC_PREFIX}${name}`,
    help: METRICS[name].help,
    labelNames: [...METRICS[name].labels] as string[],
    registers: [registry],
  });
  return {
    registry,
    counter: (name) => getOrCreate(name, () => new Counter(common(name))),
    gauge: (name, collect) =>
      getOrCreate(name, () => {
        const gauge: Gauge = new Gauge({ ...common(name), ...(collect ? { collect: () => collect(gauge) } : {}) });
        return gauge;
      }),
    histogram: (name) =>
      getOrCreate(name, () => new Histogram({ ...common(name), buckets: [...METRICS[name].buckets] })),
  };
};
