import { Inject, Module, type OnModuleInit } from '@nestjs/common';
import type { Stores } from '@turnkeeper/runtime';
import { RESOURCES, STORES } from '@turnkeeper/runtime/nest';
import { Loops } from '../loops.js';
import type { WorkerResources } from '../resources.js';
import { deleteRecordsTicker } from './delete-records.js';
import { purgeTicker } from './purge.js';

@Module({})
export class PurgeModule implements OnModuleInit {
  constructor(
    @Inject(Loops) private readonly loops: Loops,
    @Inject(RESOURCES) private readonly resources: WorkerResources,
    @Inject(STORES) private readonly stores: Stores,
  ) {}

  onModuleInit(): void {
    this.loops.add(deleteRecordsTicker(this.resources, this.stores), purgeTicker(this.resources, this.stores));
  }
}
