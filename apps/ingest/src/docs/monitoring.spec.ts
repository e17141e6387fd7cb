import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { METRICS, METRIC_PREFIX, type MetricDescription } from '@turnkeeper/platform';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

const root = join(import.meta.dirname, '../../../..');
const read = (path: string): Promise<string> => readFile(join(root, path), 'utf8');
const MONITORING = 'deploy/helm/turnkeeper/monitoring';

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly annotations: Readonly<Record<string, string>>;
}
const alerts = async (): Promise<readonly Rule[]> =>
  (parse(await read(`${MONITORING}/alerts.yaml`)) as { groups: { rules: Rule[] }[] }).groups.flatMap(
    ({ rules }) => rules,
  );
const panels = async (): Promise<readonly { title: string; targets: { expr: string }[] }[]> =>
  (JSON.parse(await read(`${MONITORING}/dashboard.json`)) as { panels: [] }).panels;

/** Labels added by the scrape, and the label of histogram buckets. */
const ADDED = ['instance', 'job', 'le', 'namespace'];

/** Series and labels in a query that the services do not export. */
const faultsOf = (query: string): string[] => {
  const faults: string[] = [];
  const labels = new Set<string>(ADDED);
  for (const [series] of query.matchAll(/turnkeeper_[a-z_]+/g)) {
    const metric = metricOf(series);
    if (metric === null) faults.push(`${series}: no such series`);
    else for (const label of metric.labels) labels.add(label);
  }
  const used = [
    ...[...query.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, list = '']) => list.split(',')),
    ...[...query.matchAll(/[{,]\s*([a-z_]+)\s*(?:=~|!~|!=|=)/g)].map(([, label = '']) => label),
  ].map((label) => label.trim());
  return [...faults, ...used.filter((label) => !labels.has(label)).map((label) => `${label}: no such label`)];
};

const metricOf = (series: string): MetricDescription | null => {
  const metrics: Readonly<Record<string, MetricDescription>> = METRICS;
  const name = series.slice(METRIC_PREFIX.length);
  const whole = metrics[name];
  if (whole !== undefined) return whole.type === 'histogram' ? null : whole;
  const [, base = '', suffix] = /^(.*)_(bucket|count|sum)$/.exec(name) ?? [];
  return suffix !== undefined && metrics[base]?.type === 'histogram' ? metrics[base] : null;
};

describe('monitoring', () => {
  it('uses only series and labels that the services export', async () => {
    const queries = [
      ...(await alerts()).map(({ alert, expr }) => [alert, expr] as const),
      ...(await panels()).flatMap(({ title, targets }) => targets.map(({ expr }) => [title, expr] as const)),
    ];
    expect(queries.length).toBeGreaterThan(30);
    expect(queries.map(([name, query]) => [name, faultsOf(query)]).filter(([, faults]) => faults!.length > 0)).toEqual(
      [],
    );
  });

  it.each([
    ['sum(rate(turnkeeper_appended_event_total[5m]))', 'turnkeeper_appended_event_total: no such series'],
    ['turnkeeper_head_wait_seconds', 'turnkeeper_head_wait_seconds: no such series'],
    ['max by (king) (turnkeeper_parked_items)', 'king: no such label'],
    ['turnkeeper_parked_items{knd="window"}', 'knd: no such label'],
  ])('would detect the fault in %s', (query, fault) => expect(faultsOf(query)).toContain(fault));

  it('has no series with a label that the scrape sets, which would rename it', () => {
    const set = [...ADDED, 'endpoint', 'pod', 'service', 'container'];
    const clashing = Object.entries(METRICS).filter(([, { labels }]) => labels.some((label) => set.includes(label)));
    expect(clashing.map(([name]) => name)).toEqual([]);
  });

  it('has a runbook for every alert, and no others', async () => {
    const page = await read('docs/operate/runbooks.md');
    const sections = [...page.matchAll(/^## (\w+)$/gm)].map(([, name]) => name);
    expect(sections).toEqual((await alerts()).map(({ alert }) => alert));
    for (const { alert, annotations } of await alerts()) {
      expect(annotations['runbook_url']).toBe(`docs/operate/runbooks.md#${alert.toLowerCase()}`);
    }
    // What to run or to query, and what to do.
    for (const section of page.split(/^## /m).slice(1)) {
      expect(section).toMatch(/\*\*Look:\*\*[^]*`[^`]+`[^]*\*\*Do:\*\*/);
    }
  });

  it('has a dashboard panel or an alert for every series', async () => {
    const queries = [
      ...(await alerts()).map(({ expr }) => expr),
      ...(await panels()).flatMap(({ targets }) => targets.map(({ expr }) => expr)),
    ].join('\n');
    const unwatched = Object.keys(METRICS).filter((name) => !queries.includes(METRIC_PREFIX + name));
    expect(unwatched).toEqual(UNWATCHED);
  });

  it('documents only series that a service exports', async () => {
    const names = await readdir(join(root, 'apps'), { recursive: true });
    const sources = names.filter((name) => /\/src\/.*(?<!spec)\.ts$/.test(name) && !name.includes('node_modules'));
    const code = [
      ...(await Promise.all(sources.map((name) => read(join('apps', name))))),
      await read('libs/platform/src/metrics/log-metrics.ts'),
      await read('libs/runtime/src/runtime.ts'),
    ].join('\n');
    expect(Object.keys(METRICS).filter((name) => !code.includes(`'${name}'`))).toEqual([]);
  });
});

/** For diagnosis only; each follows from a series that is watched. */
const UNWATCHED = [
  'embeddings_behind_events',
  'embeddings_refused_total',
  'unknown_events_read_total',
  'relay_failures_total',
  'content_published_events_total',
  'content_skipped_events_total',
  'content_failures_total',
  'jetstream_lost_events_total',
  'connector_calls_folded_total',
  'consumer_messages_total',
  'consumer_interruptions_total',
  'parked_oldest_seconds',
  'parked_total',
  'purged_events_total',
];
