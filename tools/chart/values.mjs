/** The renderings to check: common user values, alone and combined. */
const existing = { existingSecret: 'turnkeeper-servers' };

export const VALUES = {
  'an existing Secret': existing,
  'the trial servers': { trial: { enabled: true } },
  'an external secret': {
    externalSecret: { enabled: true, storeRef: { kind: 'ClusterSecretStore', name: 'vault' }, remoteKey: 'turnkeeper' },
  },
  'a fixed number of pods': { ...existing, ingest: { replicas: 3, autoscaling: { enabled: false } } },
  'KEDA with the JetStream trigger': {
    ...existing,
    worker: { keda: { enabled: true, natsMonitoringEndpoint: 'nats.nats:8222' } },
  },
  'a Gateway API route': {
    ...existing,
    httpRoute: { enabled: true, parentRefs: [{ name: 'public' }], hostnames: ['memory.example.com'] },
  },
  'an Ingress with TLS': {
    ...existing,
    ingress: {
      enabled: true,
      className: 'nginx',
      hosts: ['memory.example.com'],
      tls: [{ secretName: 'tls', hosts: ['memory.example.com'] }],
    },
  },
  monitoring: {
    ...existing,
    ingest: { operationsPort: 8082 },
    migrate: { existingSecret: 'owner' },
    metrics: { serviceMonitor: { enabled: true }, rules: { enabled: true }, dashboard: { enabled: true } },
  },
  'digests, placement and annotations': {
    ...existing,
    image: {
      registry: 'registry.example.com/team',
      digests: {
        ingest: `sha256:${'a'.repeat(64)}`,
        worker: `sha256:${'b'.repeat(64)}`,
        cli: `sha256:${'c'.repeat(64)}`,
      },
      pullSecrets: [{ name: 'pull' }],
    },
    commonLabels: { team: 'voice' },
    serviceAccount: { annotations: { 'example.com/role': 'turnkeeper' } },
    extraVolumes: [{ name: 'ca', secret: { secretName: 'postgres-ca' } }],
    extraVolumeMounts: [{ name: 'ca', mountPath: '/etc/turnkeeper/ca', readOnly: true }],
    migrate: {
      priorityClassName: 'low',
      tolerations: [{ key: 'dedicated', operator: 'Exists' }],
      podAnnotations: { 'sidecar.istio.io/inject': 'false' },
      extraEnv: [{ name: 'NODE_EXTRA_CA_CERTS', value: '/etc/turnkeeper/ca/ca.pem' }],
    },
    worker: { priorityClassName: 'high', annotations: { 'reloader.stakater.com/auto': 'true' } },
    ingest: {
      annotations: { 'reloader.stakater.com/auto': 'true' },
      podAnnotations: { a: 'b' },
      nodeSelector: { disk: 'fast' },
      tolerations: [{ key: 'dedicated', operator: 'Exists' }],
      extraEnv: [{ name: 'OIDC_ISSUER', value: 'https://login.example.com' }],
    },
  },
  'restricted traffic': {
    ...existing,
    networkPolicy: {
      ingestFrom: [{ namespaceSelector: { matchLabels: { app: 'agents' } } }],
      serversTo: [{ ipBlock: { cidr: '10.20.0.0/16' } }],
    },
  },
  'no policies, spread, budgets or migration': {
    ...existing,
    networkPolicy: { enabled: false },
    topologySpread: { enabled: false },
    ingest: { podDisruptionBudget: { enabled: false } },
    worker: { podDisruptionBudget: { enabled: false } },
    migrate: { enabled: false },
    serviceAccount: { create: false, name: 'existing' },
  },
  'a long shutdown': {
    ...existing,
    config: { SHUTDOWN_DRAIN_SECONDS: 20, SHUTDOWN_DEADLINE_SECONDS: 60 },
  },
};
