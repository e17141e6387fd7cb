import type { Provider, Type } from '@nestjs/common';
import type { IngestResources } from './resources.js';
import type { Stores } from './stores.js';

/** One idea of the API: its routes, and the use cases behind them. */
export interface Feature {
  readonly controllers: readonly Type[];
  readonly providers: (stores: Stores, resources: IngestResources) => readonly Provider[];
}
