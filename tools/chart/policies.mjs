/**
 * Policies that every rendering must follow, beyond being valid. Each rule returns the violations of one object.
 *
 * @type {Record<string, (object: any, all: any[]) => string[]>}
 */
export const POLICIES = {
  'runs without root': (object) =>
    podOf(object, ({ securityContext }) => (securityContext?.runAsNonRoot === true ? [] : ['runAsNonRoot is not set'])),

  'has the default seccomp profile': (object) =>
    podOf(object, ({ securityContext }) =>
      securityContext?.seccompProfile?.type === 'RuntimeDefault' ? [] : ['seccompProfile is not RuntimeDefault'],
    ),

  'has restricted containers': (object) =>
    containersOf(object, (/** @type {any} */ { securityContext: context = {} }) => [
      ...(context.allowPrivilegeEscalation === false ? [] : ['allows privilege escalation']),
      ...(context.readOnlyRootFilesystem === true ? [] : ['has a writable root file system']),
      ...(context.capabilities?.drop?.includes('ALL') ? [] : ['keeps capabilities']),
      ...(context.privileged ? ['is privileged'] : []),
    ]),

  'mounts no token of the Kubernetes API': (object) =>
    podOf(object, ({ automountServiceAccountToken }) =>
      automountServiceAccountToken === false ? [] : ['automountServiceAccountToken is not false'],
    ),

  'shares nothing with its node': (object) =>
    podOf(object, (pod) => [
      ...['hostNetwork', 'hostPID', 'hostIPC'].filter((name) => pod[name]).map((name) => `${name} is set`),
      ...(pod.volumes ?? []).filter(({ hostPath }) => hostPath).map(({ name }) => `volume ${name} is on the node`),
    ]),

  'requests memory and CPU and limits memory': (object) =>
    containersOf(object, (/** @type {any} */ { resources = {} }) => [
      ...(resources.requests?.cpu && resources.requests?.memory ? [] : ['has no requests']),
      ...(resources.limits?.memory ? [] : ['has no memory limit']),
    ]),

  'names an image version': (object) =>
    containersOf(object, ({ image }) =>
      /(:(?!latest$)[^:/]+|@sha256:[0-9a-f]{64})$/.test(image) ? [] : [`image ${image}`],
    ),

  'probes its services, and liveness needs no dependency': (object) =>
    object.kind !== 'Deployment'
      ? []
      : containersOf(object, ({ startupProbe, readinessProbe, livenessProbe }) => [
          ...(startupProbe ? [] : ['has no startup probe']),
          ...(readinessProbe?.httpGet?.path === '/readyz' ? [] : ['readiness is not /readyz']),
          ...(livenessProbe?.httpGet?.path === '/livez' ? [] : ['liveness is not /livez']),
        ]),

  'gives a pod longer than its shutdown takes': (object, all) =>
    object.kind !== 'Deployment'
      ? []
      : podOf(object, (pod) => {
          const settings = all.find(({ kind }) => kind === 'ConfigMap')?.data ?? {};
          const preStop = pod.containers[0].lifecycle?.preStop?.sleep?.seconds ?? 0;
          const drain = preStop > 0 ? Number(settings.SHUTDOWN_DRAIN_SECONDS ?? 5) : 0;
          const needed = preStop + drain + Number(settings.SHUTDOWN_DEADLINE_SECONDS ?? 10);
          return pod.terminationGracePeriodSeconds > needed
            ? []
            : [`${pod.terminationGracePeriodSeconds} s of grace, needs more than ${needed}`];
        }),

  'never takes the last pod away in a rolling update': (object) =>
    object.kind === 'Deployment' && object.spec.strategy?.rollingUpdate?.maxUnavailable !== 0
      ? ['maxUnavailable is not 0']
      : [],

  'lets unhealthy pods be evicted': (object) =>
    object.kind === 'PodDisruptionBudget' && object.spec.unhealthyPodEvictionPolicy !== 'AlwaysAllow'
      ? ['unhealthyPodEvictionPolicy is not AlwaysAllow']
      : [],

  'keeps webhooks away from cloud metadata': (object) =>
    object.kind !== 'NetworkPolicy'
      ? []
      : object.spec.egress
          .flatMap(({ to = [] }) => to)
          .filter(({ ipBlock }) => ipBlock?.cidr === '0.0.0.0/0' && !ipBlock.except?.includes('169.254.0.0/16'))
          .map(() => 'egress reaches 169.254.0.0/16'),

  'selects pods that exist': (object, all) => {
    if (!['Service', 'PodDisruptionBudget', 'NetworkPolicy'].includes(object.kind)) return [];
    const selector = object.spec.selector?.matchLabels ?? object.spec.podSelector?.matchLabels ?? object.spec.selector;
    const pods = all.map(templateOf).filter(Boolean);
    const matches = ({ metadata }) => Object.entries(selector).every(([key, value]) => metadata.labels[key] === value);
    return pods.some(matches) ? [] : ['selects no pod'];
  },
};

/** The violations of all objects, with their locations. */
export const policyFaults = (objects) =>
  objects.flatMap((object) =>
    Object.entries(POLICIES).flatMap(([rule, check]) =>
      check(object, objects).map((fault) => `${object.kind}/${object.metadata.name}: ${rule}: ${fault}`),
    ),
  );

const templateOf = (object) =>
  ['Deployment', 'StatefulSet', 'Job'].includes(object.kind) ? object.spec.template : undefined;
const podOf = (object, check) => {
  const template = templateOf(object);
  return template ? check(template.spec) : [];
};
const containersOf = (object, check) =>
  podOf(object, ({ containers, initContainers = [] }) =>
    [...initContainers, ...containers].flatMap((container) =>
      check(container).map((fault) => `${container.name} ${fault}`),
    ),
  );
