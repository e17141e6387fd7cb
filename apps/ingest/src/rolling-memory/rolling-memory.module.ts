import { Module } from '@nestjs/common';
import { CaptureMemoryState, ReadMemoryState, RestoreActor } from '@turnkeeper/application';
import { useCases } from '@turnkeeper/runtime/nest';
import { RollingMemoryController } from './rolling-memory.controller.js';

@Module({
  controllers: [RollingMemoryController],
  providers: useCases(CaptureMemoryState, ReadMemoryState, RestoreActor),
})
export class RollingMemoryModule {}
