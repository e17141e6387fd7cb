import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { workspaceRoot } from '../shared/workspace.mjs';
import { kubectlProgram, objectsIn, render } from './helm.mjs';

export const baseFolder = join(workspaceRoot, 'deploy', 'kustomize', 'base');
export const SECRET = 'turnkeeper-servers';

/** Values of the chart that the base is a rendering of; ScaledObject and the like are left to overlays. */
const VALUES = { existingSecret: SECRET, worker: { keda: { enabled: false } }, nameOverride: 'turnkeeper' };

const HELM_ONLY = new Set(['helm.sh/chart', 'app.kubernetes.io/managed-by', 'checksum/config']);
const isHelms = (name) => HELM_ONLY.has(name) || name.startsWith('helm.sh/hook');

/** Labels and annotations of objects and of their pods, without Helm's; none is left empty. */
const withoutHelm = (value) => {
  if (Array.isArray(value)) return value.map(withoutHelm);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([name]) => !isHelms(name));
  const kept = entries.map(([name, inner]) => [name, withoutHelm(inner)]);
  const isEmptied = ([name, inner]) => ['labels', 'annotations'].includes(name) && Object.keys(inner).length === 0;
  return Object.fromEntries(kept.filter((entry) => !isEmptied(entry)));
};

const plain = (object) => {
  const { metadata, ...rest } = withoutHelm(object);
  const named = { ...metadata };
  delete named.namespace;
  const { apiVersion, kind, ...body } = rest;
  return { apiVersion, kind, metadata: named, ...body };
};

/** The chart's objects without what belongs to Helm: hooks, release labels, the namespace. */
export const baseObjects = () => objectsIn(render(VALUES, 'turnkeeper')).map(plain);

const HEADER = '# Generated from the Helm chart (npm run kustomize); a test compares the two.\n';

/** @returns {Record<string, string>} file name → contents */
export const baseFiles = () => {
  const objects = baseObjects();
  return {
    'turnkeeper.yaml':
      HEADER + objects.map((object) => stringify(object, { lineWidth: 0, aliasDuplicateObjects: false })).join('---\n'),
    'kustomization.yaml':
      HEADER +
      stringify({
        apiVersion: 'kustomize.config.k8s.io/v1beta1',
        kind: 'Kustomization',
        resources: ['turnkeeper.yaml'],
      }),
  };
};

/** Objects that `kubectl kustomize` builds from a folder. */
export const kustomize = (folder) => {
  const { status, stdout, stderr } = spawnSync(kubectlProgram(), ['kustomize', folder], {
    encoding: 'utf8',
    maxBuffer: 64e6,
  });
  if (status !== 0) throw new Error(stderr);
  return objectsIn(stdout);
};
