import type { HistoryLinks } from '@turnkeeper/application';
import type { Settings } from '@turnkeeper/platform';
import { signingKey } from '@turnkeeper/postgres';
import { createHistoryLinks, type AddressPolicy } from '@turnkeeper/webhooks';
import type { Runtime } from './runtime.js';

/** Addresses to which webhooks may be sent. */
export const webhookAddresses = (settings: Settings): AddressPolicy & { readonly allowHttp: boolean } => ({
  allowPrivate: settings.WEBHOOK_ALLOW_PRIVATE_ADDRESSES,
  allowCidrs: settings.WEBHOOK_ALLOW_CIDRS,
  allowHttp: settings.WEBHOOK_ALLOW_HTTP,
});

/** Links to an agent's whole history: the worker signs them, ingest checks them. */
export const historyLinksOf = ({ settings, dataSource, cipher }: Runtime): HistoryLinks =>
  createHistoryLinks({
    baseUrl: settings.PUBLIC_URL,
    days: settings.HISTORY_LINK_DAYS,
    secret: signingKey(dataSource, cipher, 'history_links', settings.HISTORY_LINK_SECRET),
  });
