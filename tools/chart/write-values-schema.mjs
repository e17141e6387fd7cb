import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { workspaceRoot } from '../shared/workspace.mjs';

const folder = join(workspaceRoot, 'deploy', 'helm', 'turnkeeper');

/** Free-form objects and lists, which Kubernetes validates. */
const FREE = new Set([
  ...['commonLabels', 'annotations', 'podAnnotations', 'nodeSelector', 'affinity', 'labels', 'resources', 'storeRef'],
]);
/** Set by the chart itself. */
const PLACED = new Set(['INGEST_HOST', 'INGEST_PORT', 'INGEST_OPERATIONS_PORT', 'WORKER_HOST', 'WORKER_PORT']);

/**
 * Writes `values.schema.json`: the structure of values.yaml, and under `config` every non-secret setting. `helm
 * install` then rejects a typo in a value.
 *
 * @param {Record<string, { about: string, secret?: boolean }>} settingsTable
 */
export const writeValuesSchema = (settingsTable) => {
  const values = parse(readFileSync(join(folder, 'values.yaml'), 'utf8'));
  const schema = { $schema: 'http://json-schema.org/draft-07/schema#', ...schemaOf(values) };
  const settings = Object.entries(settingsTable).filter(
    ([name, { secret }]) => secret !== true && name !== 'NATS_URL' && !PLACED.has(name),
  );
  schema.properties.config = {
    type: 'object',
    additionalProperties: false,
    properties: Object.fromEntries(
      settings.map(([name, { about }]) => [name, { description: about, type: ['string', 'number', 'boolean'] }]),
    ),
  };
  writeFileSync(join(folder, 'values.schema.json'), `${JSON.stringify(schema, null, 2)}\n`);
};

const schemaOf = (value, name = '') => {
  if (Array.isArray(value)) return { type: 'array' };
  if (value === null || typeof value !== 'object')
    return { type: typeof value === 'number' ? 'integer' : typeof value };
  if (FREE.has(name)) return { type: 'object' };
  const properties = Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, schemaOf(inner, key)]));
  // Helm passes the values of a parent chart as `global`.
  if (name === '') properties.global = { type: 'object' };
  return { type: 'object', additionalProperties: false, properties };
};
