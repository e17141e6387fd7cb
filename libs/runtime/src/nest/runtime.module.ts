import { Global, Module, type DynamicModule, type Provider } from '@nestjs/common';
import type { Runtime } from '../runtime.js';
import { createStores, type Stores } from '../stores.js';
import {
  AGENT_STORE,
  CLOCK,
  CONNECTOR_STORE,
  DELIVERY_STORE,
  EVENT_STORE,
  FIRST_ANSWERS,
  GRAPH_ITEMS,
  LOGGER,
  MEMORY_STORE,
  NOTICE_STORE,
  RESOURCES,
  SETTINGS,
  STORES,
  VENDOR_APP_STORE,
  WEBHOOK_ENDPOINT_STORE,
} from './tokens.js';

/** Where to find the adapters of ports that have a token. */
const PORTS: ReadonlyMap<symbol, keyof Stores> = new Map([
  [MEMORY_STORE, 'memories'],
  [AGENT_STORE, 'agents'],
  [EVENT_STORE, 'eventStore'],
  [GRAPH_ITEMS, 'graphItems'],
  [VENDOR_APP_STORE, 'vendorApps'],
  [WEBHOOK_ENDPOINT_STORE, 'endpoints'],
  [DELIVERY_STORE, 'deliveries'],
  [CONNECTOR_STORE, 'connectors'],
  [NOTICE_STORE, 'notices'],
  [FIRST_ANSWERS, 'firstAnswers'],
  [CLOCK, 'clock'],
]);

/** Makes what the process opened before Nest started available to all modules. */
@Global()
@Module({})
export class RuntimeModule {
  static with(resources: Runtime): DynamicModule {
    const stores = createStores(resources);
    const providers: Provider[] = [
      { provide: RESOURCES, useValue: resources },
      { provide: SETTINGS, useValue: resources.settings },
      { provide: LOGGER, useValue: resources.logger },
      { provide: STORES, useValue: stores },
      ...[...PORTS].map(([token, name]) => ({ provide: token, useValue: stores[name] })),
    ];
    return { module: RuntimeModule, providers, exports: providers };
  }
}
