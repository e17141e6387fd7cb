import type { Provider, Type } from '@nestjs/common';
import type { Dialect } from './http/dialect.js';
import type { KnownLimits } from './limits/known-limits.js';
import type { IngestResources } from './resources.js';
import type { Stores } from './stores.js';

/** A feature of the API: its routes and the use cases behind them. */
export interface Feature {
  readonly controllers: readonly Type[];
  readonly providers: (stores: Stores, resources: IngestResources, limits: KnownLimits) => readonly Provider[];
  /** For routes that imitate a vendor's API. */
  readonly dialect?: Dialect;
}
