import { Inject, Module, type OnModuleInit } from '@nestjs/common';
import type { Stores } from '@turnkeeper/runtime';
import { RESOURCES, STORES } from '@turnkeeper/runtime/nest';
import { Loops } from '../loops.js';
import type { WorkerResources } from '../resources.js';
import { connectorTickers } from './connector-tickers.js';

@Module({})
export class ConnectorsModule implements OnModuleInit {
  constructor(
    @Inject(Loops) private readonly loops: Loops,
    @Inject(RESOURCES) private readonly resources: WorkerResources,
    @Inject(STORES) private readonly stores: Stores,
  ) {}

  onModuleInit(): void {
    this.loops.add(...connectorTickers(this.resources, this.stores));
  }
}
