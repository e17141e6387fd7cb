import { Inject, Module, type OnModuleInit } from '@nestjs/common';
import type { Stores } from '@turnkeeper/runtime';
import { RESOURCES, STORES } from '@turnkeeper/runtime/nest';
import { Loops } from '../loops.js';
import type { WorkerResources } from '../resources.js';
import { foldCountsTicker } from './fold-counts.js';
import { tracePurgeTicker } from '../tracing/trace-purge.js';
import { operationsTicker } from './operations-ticker.js';

@Module({})
export class OperationsModule implements OnModuleInit {
  constructor(
    @Inject(Loops) private readonly loops: Loops,
    @Inject(RESOURCES) private readonly resources: WorkerResources,
    @Inject(STORES) private readonly stores: Stores,
  ) {}

  onModuleInit(): void {
    this.loops.add(
      foldCountsTicker(this.resources),
      operationsTicker(this.resources, this.stores),
      tracePurgeTicker(this.resources),
    );
  }
}
