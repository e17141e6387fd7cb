import { Global, Module, type DynamicModule, type Provider } from '@nestjs/common';
import type { Runtime } from '../runtime.js';
import { createStores } from '../stores.js';
import { RESOURCES, SETTINGS, STORES } from './tokens.js';

/** Makes what the process opened before Nest started available to all modules. */
@Global()
@Module({})
export class RuntimeModule {
  static with(resources: Runtime): DynamicModule {
    const providers: Provider[] = [
      { provide: RESOURCES, useValue: resources },
      { provide: SETTINGS, useValue: resources.settings },
      { provide: STORES, useValue: createStores(resources) },
    ];
    return { module: RuntimeModule, providers, exports: providers };
  }
}
