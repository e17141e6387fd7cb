import { ManageConnectors, ReceiveNotice } from '@turnkeeper/application';
import type { Feature } from '../feature.js';
import { CONNECTOR_STORE, NOTICE_STORE, PUBLIC_URL } from '../tokens.js';
import { CallbacksController } from './callbacks.controller.js';
import { ConnectorsController } from './connectors.controller.js';

export const connectorsFeature: Feature = {
  controllers: [ConnectorsController, CallbacksController],
  providers: (stores, { settings }) => [
    { provide: CONNECTOR_STORE, useValue: stores.connectors },
    { provide: NOTICE_STORE, useValue: stores.notices },
    { provide: PUBLIC_URL, useValue: (settings.PUBLIC_URL ?? '').replace(/(?<!\/)\/+$/, '') },
    { provide: ManageConnectors, useValue: new ManageConnectors(stores) },
    { provide: ReceiveNotice, useValue: new ReceiveNotice(stores) },
  ],
};
