import type { FactoryProvider, Type } from '@nestjs/common';
import type { Stores } from '../stores.js';
import { STORES } from './tokens.js';

/**
 * Providers of use cases that need nothing but stores. A use case is a plain class without decorators, whose constructor
 * takes its ports as one object; TypeScript checks that `Stores` has them all.
 */
export const useCases = (...types: readonly (new (stores: Stores) => object)[]): FactoryProvider[] =>
  types.map((type) => ({ provide: type as Type, inject: [STORES], useFactory: (stores: Stores) => new type(stores) }));
