import * as kubernetes from '@kubernetes/client-node';

/** Model classes by apiVersion and kind; null for operator resources, whose types are not in the package. */
const MODELS = {
  'v1 ConfigMap': 'V1ConfigMap',
  'v1 Secret': 'V1Secret',
  'v1 Service': 'V1Service',
  'v1 ServiceAccount': 'V1ServiceAccount',
  'apps/v1 Deployment': 'V1Deployment',
  'apps/v1 StatefulSet': 'V1StatefulSet',
  'batch/v1 Job': 'V1Job',
  'autoscaling/v2 HorizontalPodAutoscaler': 'V2HorizontalPodAutoscaler',
  'policy/v1 PodDisruptionBudget': 'V1PodDisruptionBudget',
  'networking.k8s.io/v1 NetworkPolicy': 'V1NetworkPolicy',
  'networking.k8s.io/v1 Ingress': 'V1Ingress',
  'gateway.networking.k8s.io/v1 HTTPRoute': null,
  'keda.sh/v1alpha1 ScaledObject': null,
  'monitoring.coreos.com/v1 ServiceMonitor': null,
  'monitoring.coreos.com/v1 PrometheusRule': null,
  'external-secrets.io/v1 ExternalSecret': null,
};

/**
 * Fields unknown to Kubernetes and values of the wrong type, by path. `kubectl apply` rejects them only in strict mode;
 * otherwise it drops them silently.
 */
export const modelFaults = (object) => {
  const name = `${object.apiVersion} ${object.kind}`;
  if (!(name in MODELS)) return [`${name}: not among the kinds that the chart may use`];
  const model = MODELS[name];
  return model === null ? [] : faultsOf(object, model, object.kind);
};

const faultsOf = (value, type, path) => {
  if (value === null || value === undefined) return [];
  const list = /^Array<(.+)>$/.exec(type);
  if (list)
    return Array.isArray(value)
      ? value.flatMap((item, index) => faultsOf(item, list[1], `${path}[${index}]`))
      : [`${path}: must be a list`];
  const map = /^\{ \[key: string\]: (.+); \}$/.exec(type);
  if (map) return Object.entries(value).flatMap(([key, item]) => faultsOf(item, map[1], `${path}.${key}`));
  const model = kubernetes[type];
  if (typeof model?.getAttributeTypeMap === 'function') return fieldFaults(value, model, path);
  return typeMatches(value, type) ? [] : [`${path}: must be ${type}, is ${typeof value}`];
};

const fieldFaults = (value, model, path) => {
  if (typeof value !== 'object' || Array.isArray(value)) return [`${path}: must be an object`];
  const fields = new Map(model.getAttributeTypeMap().map(({ baseName, type }) => [baseName, type]));
  return Object.entries(value).flatMap(([key, item]) =>
    fields.has(key) ? faultsOf(item, fields.get(key), `${path}.${key}`) : [`${path}.${key}: unknown field`],
  );
};

const typeMatches = (value, type) => {
  if (type === 'IntOrString') return ['number', 'string'].includes(typeof value);
  if (['string', 'number', 'boolean'].includes(type)) return typeof value === type;
  return true; // quantities, dates and free objects
};
