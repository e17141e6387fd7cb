import { METRIC_PREFIX, METRICS, type MetricDescription, type MetricService } from '@turnkeeper/platform';

/** Contents of docs/metrics.md. */
export const metricsMarkdown = (): string =>
  `${[
    '# Metrics',
    '',
    'Both services answer `GET /metrics` in the Prometheus text format. This page is generated from',
    '`libs/platform/src/metrics/catalogue.ts` (`npm run docs`). The series of the Node.js process (`process_*`, `nodejs_*`)',
    'come on top. No label names a tenant, memory or session, so the number of series is bounded.',
    '',
    'Alerts and a Grafana dashboard on these series are in `deploy/helm/turnkeeper/monitoring`; what to do about an alert is',
    'in [operate/runbooks.md](operate/runbooks.md).',
    '',
    'Gauges of the worker about the installation (`follower_lag_*`, `oldest_due_seconds`, `parked_*`, `queue_up`,',
    '`unfinished_*`, `inactive_endpoints`) are the same from every worker: take the maximum, not the sum.',
    '',
    ...table('ingest', 'Ingest'),
    '',
    ...table('worker', 'Worker'),
  ].join('\n')}\n`;

const table = (service: MetricService, title: string): string[] => [
  `## ${title}`,
  '',
  '| series | type | labels | meaning | use |',
  '| --- | --- | --- | --- | --- |',
  ...Object.entries<MetricDescription>(METRICS)
    .filter(([, { services }]) => services.includes(service))
    .map(([name, { type, labels, help, use }]) => {
      const labelled = labels.map((label) => `\`${label}\``).join(', ') || '–';
      return `| \`${METRIC_PREFIX}${name}\` | ${type} | ${labelled} | ${help} | ${use} |`;
    }),
];
