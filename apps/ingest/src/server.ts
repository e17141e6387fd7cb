import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import {
  listenOrSay,
  operationsServer,
  registerHealth,
  systemIds,
  watchConnections,
  type Drain,
} from '@turnkeeper/platform';
import type { Settings } from '@turnkeeper/platform';
import { runtimeChecks, statusSource } from '@turnkeeper/runtime';
import type { FastifyInstance } from 'fastify';
import { recordChanges } from './audit/record-changes.js';
import { limitRows } from './auth/limit-rows.js';
import { edgeOptions, registerEdge } from './edge/register-edge.js';
import { shareWork } from './limits/share-work.js';
import type { App } from './composition.js';
import { registerAccessLog } from './http/access-log.js';
import { rewriteVendorUrl } from './http/dialect.js';
import { answerProblem } from './http/problem.filter.js';
import { traceRequests } from './http/trace-requests.js';
import { challengeMcpCallers } from './mcp/challenge-callers.js';
import type { IngestResources } from './resources.js';

/** The HTTP server, before Nest adds the routes. */
export const createAdapter = (settings: Settings): FastifyAdapter =>
  new FastifyAdapter({
    ...edgeOptions(settings),
    genReqId: () => systemIds.next(),
    rewriteUrl: ({ url = '/' }) => rewriteVendorUrl(url),
    trustProxy: settings.TRUSTED_PROXIES.length === 0 ? false : [...settings.TRUSTED_PROXIES],
    routerOptions: { maxParamLength: 2_048 },
    forceCloseConnections: 'idle',
    // Requests that arrive on an open connection during shutdown are served to the end.
    return503OnClosing: false,
    frameworkErrors: answerProblem,
    // Skips Nest's middleware runner, which every request would pass although there is no middleware.
    skipMiddie: true,
  });

/** What every request passes before Nest sees it, in this order. */
export const registerHooks = (
  app: NestFastifyApplication,
  { settings, logger, metrics, tracing }: IngestResources,
  parts: Pick<App, 'auditLog' | 'admission' | 'bodyBudget' | 'fairWork' | 'mcpGate'>,
): void => {
  const server: FastifyInstance = app.getHttpAdapter().getInstance();
  watchConnections(server);
  traceRequests(server, tracing, settings.TRACE_CALLERS);
  registerAccessLog(server, logger, metrics);
  recordChanges(server, parts.auditLog, logger);
  registerEdge(server, settings, parts.admission, parts.bodyBudget);
  shareWork(server, parts.fairWork);
  limitRows(server);
  challengeMcpCallers(server, parts.mcpGate);
};

/** Health and metrics, on the API's port or their own. Returns their own server, null if there is none. */
export const registerOperations = (
  app: NestFastifyApplication,
  resources: IngestResources,
  drain: Drain,
): FastifyInstance | null => {
  const operations = resources.settings.INGEST_OPERATIONS_PORT === undefined ? null : operationsServer();
  const server = operations ?? app.getHttpAdapter().getInstance();
  const status = statusSource('ingest', resources);
  registerHealth(server, runtimeChecks(resources), resources.metrics, () => drain.isStopping, status);
  return operations;
};

/** Resolves when both servers accept connections. */
export const listen = async (
  app: NestFastifyApplication,
  operations: FastifyInstance | null,
  { INGEST_HOST: host, INGEST_PORT, INGEST_OPERATIONS_PORT }: Settings,
): Promise<void> => {
  const place = { host, port: INGEST_PORT };
  await listenOrSay(() => app.listen(place), { variable: 'INGEST_PORT', ...place });
  if (operations === null) return;
  const operationsPlace = { host, port: INGEST_OPERATIONS_PORT ?? 0 };
  await listenOrSay(() => operations.listen(operationsPlace), {
    variable: 'INGEST_OPERATIONS_PORT',
    ...operationsPlace,
  });
};
