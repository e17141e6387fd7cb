import type { HistoryLinks, WebhookRules, WebhookTransport } from '@turnkeeper/application';
import { batchMetrics, type Logger, type Metrics, type Settings } from '@turnkeeper/platform';
import { signingKey } from '@turnkeeper/postgres';
import { historyLinksOf, openRuntime, webhookAddresses, type Runtime } from '@turnkeeper/runtime';
import { createWebhookRules, createWebhookTransport } from '@turnkeeper/webhooks';
import { openRelay, type RelayResources } from './relay/relay.js';

export interface IngestResources extends Runtime, RelayResources {
  readonly webhookRules: WebhookRules;
  /** For endpoint tests; the worker sends deliveries. */
  readonly webhookTransport: WebhookTransport & { close(): Promise<void> };
  readonly historyLinks: HistoryLinks;
  /** Signing key of erasure receipts. */
  readonly erasureKey: () => Promise<string>;
}

/** Everything with a connection or a loop; `shutdownSteps` closes it. */
export const openResources = async (settings: Settings, logger: Logger, metrics: Metrics): Promise<IngestResources> => {
  const { APPEND_LANES: lanes, APPEND_MAX_BATCH: maxBatch } = settings;
  const runtime = await openRuntime(settings, logger, metrics, {
    service: 'ingest',
    append: { lanes, maxBatch, onBatch: batchMetrics(metrics) },
  });
  const addresses = webhookAddresses(settings);
  return {
    ...runtime,
    ...openRelay(runtime),
    webhookRules: createWebhookRules(addresses),
    webhookTransport: createWebhookTransport({ ...addresses, timeoutMs: settings.WEBHOOK_TIMEOUT_SECONDS * 1_000 }),
    erasureKey: signingKey(runtime.dataSource, runtime.cipher, 'erasure_receipts', undefined),
    historyLinks: historyLinksOf(runtime),
  };
};
