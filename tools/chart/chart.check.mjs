import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { settingsTable } from '@turnkeeper/platform';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { chartFolder, helm, objectsIn, render } from './helm.mjs';
import { modelFaults } from './models.mjs';
import { POLICIES, policyFaults } from './policies.mjs';
import { VALUES } from './values.mjs';

const objectsOf = (values) => objectsIn(render(values));
const plain = () => objectsOf(VALUES['an existing Secret']);

describe('the Helm chart', () => {
  it('passes helm lint --strict', () => {
    const { code, output } = helm(['lint', '--strict', chartFolder, '--set', 'existingSecret=servers']);
    expect(output).toContain('0 chart(s) failed');
    expect(code).toBe(0);
  });

  it.each(Object.keys(VALUES))('renders valid objects that follow the policies with %s', (name) => {
    const objects = objectsOf(VALUES[name]);
    expect(objects.length).toBeGreaterThan(5);
    expect(objects.flatMap(modelFaults)).toEqual([]);
    expect(policyFaults(objects)).toEqual([]);
    const names = objects.map(({ kind, metadata }) => `${kind}/${metadata.name}`);
    expect(names.filter((one, index) => names.indexOf(one) !== index)).toEqual([]);
  });

  it.each([
    ['a collector of traces', { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector.tracing:4318' }, 4318],
    ['a model', { LLM_BASE_URL: 'http://models.internal:8000/v1' }, 8000],
    ['the model of chat requests', { CHAT_MODEL_URL: 'http://models.internal:8001/v1' }, 8001],
    ['a model of embeddings', { EMBEDDINGS_URL: 'http://models.internal:8002/v1' }, 8002],
    ['an OpenID issuer', { OIDC_ISSUER: 'https://login.internal:8443/realm' }, 8443],
  ])('lets %s be reached at a port of its own, and only where there is one', (_, config, port) => {
    const portsOf = (component, settings) =>
      objectsOf({ ...VALUES['an existing Secret'], config: settings })
        .find(({ kind, metadata }) => kind === 'NetworkPolicy' && metadata.name.endsWith(component))
        .spec.egress.flatMap(({ ports }) => ports.map((each) => each.port));
    const others = portsOf('worker', {});
    expect(others).not.toContain(port);
    for (const component of ['ingest', 'worker']) expect(portsOf(component, config)).toContain(port);
    expect(portsOf('migrate', config)).not.toContain(port);
    const [[setting, url]] = Object.entries(config);
    expect(portsOf('worker', { [setting]: url.replace(`:${port}`, '') })).toEqual(others);
  });

  it('gives files to every pod, and priority and placement to those that have them', () => {
    const pods = objectsOf(VALUES['digests, placement and annotations'])
      .filter(({ kind }) => ['Deployment', 'Job'].includes(kind))
      .map(({ spec }) => spec.template.spec);
    expect(pods).toHaveLength(3);
    for (const { volumes, containers } of pods) {
      expect([volumes[0].name, containers[0].volumeMounts[0].name]).toEqual(['ca', 'ca']);
    }
    expect(pods.map(({ priorityClassName }) => priorityClassName).sort()).toEqual(['high', 'low', undefined]);
    expect(pods.filter(({ tolerations }) => tolerations?.[0].key === 'dedicated')).toHaveLength(2);
  });

  it('gives annotations to the Deployments, and annotations and variables to the migration', () => {
    const objects = objectsOf(VALUES['digests, placement and annotations']);
    const reloaded = objects.filter(({ metadata }) => metadata.annotations?.['reloader.stakater.com/auto'] === 'true');
    expect(reloaded.map(({ kind }) => kind)).toEqual(['Deployment', 'Deployment']);
    const { metadata, spec } = objects.find(({ kind }) => kind === 'Job').spec.template;
    expect(metadata.annotations).toEqual({ 'sidecar.istio.io/inject': 'false' });
    const [{ env }] = spec.containers;
    expect(env).toContainEqual({ name: 'LOG_LEVEL', value: 'info' });
    expect(env).toContainEqual({ name: 'NODE_EXTRA_CA_CERTS', value: '/etc/turnkeeper/ca/ca.pem' });
  });

  it('refuses to render without the server URLs, and names the settings', () => {
    expect(() => render({})).toThrow(
      /Set existingSecret to a Secret with DATABASE_URL, NATS_URL, QUEUE_URL and SECRETS_KEY/,
    );
  });

  it.each([
    ['a setting that does not exist', { config: { LOG_LEVLE: 'info' } }],
    ['a secret setting in the ConfigMap', { config: { LLM_API_KEY: 'key' } }],
    ['a value of another type', { ingest: { replicas: 'three' } }],
    ['a value that does not exist', { ingest: { replica: 3 } }],
  ])('refuses %s', (_, values) => {
    expect(() => render({ existingSecret: 'servers', ...values })).toThrow(
      /values don't meet|additional properties|schema/i,
    );
  });
});

describe('settings in the chart', () => {
  const schema = JSON.parse(readFileSync(join(chartFolder, 'values.schema.json'), 'utf8'));
  const secret = (name) => settingsTable[name].secret === true || name === 'NATS_URL';
  const placed = ['INGEST_HOST', 'INGEST_PORT', 'INGEST_OPERATIONS_PORT', 'WORKER_HOST', 'WORKER_PORT'];

  it('are exactly the non-secret ones of the settings table', () => {
    const expected = Object.keys(settingsTable).filter((name) => !secret(name) && !placed.includes(name));
    expect(Object.keys(schema.properties.config.properties).sort()).toEqual(expected.sort());
  });

  it('have existing defaults', () => {
    const { config } = parse(readFileSync(join(chartFolder, 'values.yaml'), 'utf8'));
    expect(Object.keys(config).filter((name) => !(name in settingsTable))).toEqual([]);
  });

  it('in templates exist', () => {
    const templates = readdirSync(join(chartFolder, 'templates')).map((name) =>
      readFileSync(join(chartFolder, 'templates', name), 'utf8'),
    );
    const named = templates.join('\n').match(/\b[A-Z]+_[A-Z_]+\b/g) ?? [];
    const others = ['POSTGRES_PASSWORD', 'POSTGRES_DB', 'TURNKEEPER_EVENTS'];
    expect([...new Set(named)].filter((name) => !(name in settingsTable) && !others.includes(name))).toEqual([]);
  });
});

describe('the checks', () => {
  const deployment = (objects) => objects.find(({ kind }) => kind === 'Deployment');
  const pod = (objects) => deployment(objects).spec.template.spec;
  const container = (objects) => pod(objects).containers[0];
  const find = (objects, kind) => objects.find((object) => object.kind === kind);

  /** A violation of each policy, planted into a valid rendering. */
  const PLANTED = {
    'runs without root': (objects) => delete pod(objects).securityContext.runAsNonRoot,
    'has the default seccomp profile': (objects) => (pod(objects).securityContext.seccompProfile.type = 'Unconfined'),
    'has restricted containers': (objects) => (container(objects).securityContext.readOnlyRootFilesystem = false),
    'mounts no token of the Kubernetes API': (objects) => delete pod(objects).automountServiceAccountToken,
    'shares nothing with its node': (objects) => (pod(objects).hostNetwork = true),
    'requests memory and CPU and limits memory': (objects) => delete container(objects).resources.limits,
    'names an image version': (objects) => (container(objects).image = 'registry:5000/turnkeeper-ingest:latest'),
    'probes its services, and liveness needs no dependency': (objects) =>
      (container(objects).livenessProbe.httpGet.path = '/readyz'),
    'gives a pod longer than its shutdown takes': (objects) => (pod(objects).terminationGracePeriodSeconds = 15),
    'never takes the last pod away in a rolling update': (objects) =>
      (deployment(objects).spec.strategy.rollingUpdate.maxUnavailable = 1),
    'lets unhealthy pods be evicted': (objects) =>
      delete find(objects, 'PodDisruptionBudget').spec.unhealthyPodEvictionPolicy,
    'keeps webhooks away from cloud metadata': (objects) => {
      for (const { to = [] } of find(objects, 'NetworkPolicy').spec.egress)
        for (const { ipBlock } of to) delete ipBlock?.except;
    },
    'selects pods that exist': (objects) => (find(objects, 'Service').spec.selector.tier = 'none'),
  };

  it('each have a planted violation', () => expect(Object.keys(PLANTED).sort()).toEqual(Object.keys(POLICIES).sort()));

  it.each(Object.keys(PLANTED))('find a planted violation: %s', (rule) => {
    const objects = plain();
    PLANTED[rule](objects);
    expect(policyFaults(objects).some((fault) => fault.includes(`: ${rule}: `))).toBe(true);
  });

  it.each([
    ['an unknown field', (objects) => (container(objects).readynessProbe = {}), /readynessProbe: unknown field/],
    [
      'a value of another type',
      (objects) => (deployment(objects).spec.revisionHistoryLimit = '3'),
      /revisionHistoryLimit: must be number/,
    ],
    ['an unknown kind', (objects) => (deployment(objects).kind = 'Deploiment'), /not among the kinds/],
  ])('find %s', (_, plant, message) => {
    const objects = plain();
    plant(objects);
    expect(objects.flatMap(modelFaults).join('\n')).toMatch(message);
  });
});
