import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { sleep } from '../../shared/wait.mjs';
import { workspaceRoot } from '../../shared/workspace.mjs';
import { signal } from '../site.mjs';

/**
 * The times of a deployment, as the chart renders them.
 *
 * @param {'ingest' | 'worker'} app
 * @returns {{ graceSeconds: number, preStopSeconds: number, liveness: { periodSeconds: number, timeoutSeconds: number,
 *             failureThreshold: number } }}
 */
export const timesOf = (app) => {
  const text = readFileSync(join(workspaceRoot, 'deploy', 'kustomize', 'base', 'turnkeeper.yaml'), 'utf8');
  const { spec } = parseAllDocuments(text)
    .map((document) => document.toJS())
    .find((object) => object?.kind === 'Deployment' && object.metadata.name.endsWith(app)).spec.template;
  const [container] = spec.containers;
  return {
    graceSeconds: spec.terminationGracePeriodSeconds,
    preStopSeconds: container.lifecycle?.preStop.sleep.seconds ?? 0,
    liveness: container.livenessProbe,
  };
};

/** Ends a process as Kubernetes does; resolves to the seconds it took and how it ended. */
export const endPod = async (service, { graceSeconds, preStopSeconds }) => {
  const started = performance.now();
  await sleep(preStopSeconds * 1_000);
  signal(service.pid, 'SIGTERM');
  const kill = setTimeout(() => signal(service.pid, 'SIGKILL'), (graceSeconds - preStopSeconds) * 1_000);
  const how = await service.exited;
  clearTimeout(kill);
  return { seconds: (performance.now() - started) / 1_000, how };
};

/**
 * Probes a process once per period until it fails its liveness probe as often as the chart allows; resolves to the seconds
 * that took.
 */
export const untilUnhealthy = async (port, { periodSeconds, timeoutSeconds, failureThreshold }) => {
  const started = performance.now();
  for (let [probe, failures] = [1, 0]; failures < failureThreshold; probe += 1) {
    await sleep(started + probe * periodSeconds * 1_000 - performance.now());
    const signalled = AbortSignal.timeout(timeoutSeconds * 1_000);
    const alive = await fetch(`http://127.0.0.1:${port}/livez`, { signal: signalled }).then(
      ({ ok }) => ok,
      () => false,
    );
    failures = alive ? 0 : failures + 1;
  }
  return (performance.now() - started) / 1_000;
};
