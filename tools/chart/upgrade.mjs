import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { parse, stringify } from 'yaml';
import { chartFolder, objectsIn, render } from './helm.mjs';

const released = (name) => join(import.meta.dirname, 'released', name);

/** With the trial servers, whose volumes must survive too. */
const withTrial = ({ trial = {}, ...values } = /** @type {any} */ ({})) => ({
  ...values,
  trial: { ...trial, enabled: true, password: 'kept' },
});

/** What `helm install` of the last release created, and what the chart renders now with the same values. */
export const beforeAndAfter = () => ({
  before: objectsIn(readFileSync(released('objects.yaml'), 'utf8')),
  after: objectsIn(render(withTrial(parse(readFileSync(released('values.yaml'), 'utf8'))))),
});

/** The files that record a release: its rendering, and its default values, which users have copied. */
export const releaseFiles = () => ({
  [released('objects.yaml')]: render(withTrial()),
  [released('values.yaml')]: stringify(parse(readFileSync(join(chartFolder, 'values.yaml'), 'utf8'))), // no comments
});

const nameOf = ({ kind, metadata }) => `${kind}/${metadata.name}`;
const isHook = ({ metadata }) => metadata.annotations?.['helm.sh/hook'] !== undefined;

/** Fields that Kubernetes refuses to change, by kind. */
const IMMUTABLE = {
  Deployment: ['selector'],
  StatefulSet: ['selector', 'serviceName', 'volumeClaimTemplates', 'podManagementPolicy'],
  Service: ['clusterIP'],
  Job: ['template', 'selector', 'completions'],
};

/** Why `helm upgrade` from one rendering to the other would fail, or lose something. */
export const upgradeFaults = (before, after) => {
  const now = new Map(after.map((object) => [nameOf(object), object]));
  return before.flatMap((object) => {
    const name = nameOf(object);
    const next = now.get(name);
    // Helm deletes a hook's object before it creates the next one.
    if (isHook(object)) return [];
    if (next === undefined) return [`${name}: would be deleted`];
    if (next.apiVersion !== object.apiVersion) return [`${name}: has another apiVersion`];
    const changed = (IMMUTABLE[object.kind] ?? []).filter(
      (field) => !isDeepStrictEqual(object.spec[field], next.spec[field]),
    );
    const settings = Object.keys(object.kind === 'ConfigMap' ? object.data : {}).filter((key) => !(key in next.data));
    return [
      ...changed.map((field) => `${name}: ${field} cannot be changed`),
      ...settings.map((key) => `${name}: ${key} would be lost`),
    ];
  });
};
