import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

export { Counter, Gauge, Histogram, Registry } from 'prom-client';

/** Metrics of one process, prefixed `turnkeeper_`, base units, without tenant or session labels. */
export interface Metrics {
  readonly registry: Registry;
  counter<L extends string>(name: string, help: string, labels?: readonly L[]): Counter<L>;
  gauge<L extends string>(name: string, help: string, labels?: readonly L[]): Gauge<L>;
  histogram<L extends string>(name: string, help: string, buckets: number[], labels?: readonly L[]): Histogram<L>;
}

export const createMetrics = (): Metrics => {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const common = <L extends string>(name: string, help: string, labels: readonly L[] = []) => ({
    name: `turnkeeper_${name}`,
    help,
    labelNames: [...labels],
    registers: [registry],
  });
  return {
    registry,
    counter: (name, help, labels) => new Counter(common(name, help, labels)),
    gauge: (name, help, labels) => new Gauge(common(name, help, labels)),
    histogram: (name, help, buckets, labels) => new Histogram({ ...common(name, help, labels), buckets }),
  };
};
