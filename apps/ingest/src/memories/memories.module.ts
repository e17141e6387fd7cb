import { Module } from '@nestjs/common';
import {
  AddStrategy,
  ChangeMemory,
  ChangeStrategy,
  CreateMemory,
  DeleteMemory,
  DeleteStrategy,
} from '@turnkeeper/application';
import { KnownLimits } from '../limits/known-limits.js';
import { LimitsModule } from '../limits/limits.module.js';
import { SessionsModule } from '../sessions/sessions.module.js';
import type { Stores } from '@turnkeeper/runtime';
import { STORES, useCases } from '@turnkeeper/runtime/nest';
import { MemoriesController } from './memories.controller.js';
import { StrategiesController } from './strategies.controller.js';

@Module({
  imports: [LimitsModule, SessionsModule],
  controllers: [MemoriesController, StrategiesController],
  providers: [
    {
      provide: CreateMemory,
      inject: [STORES, KnownLimits],
      useFactory: (stores: Stores, limits: KnownLimits) =>
        new CreateMemory({ ...stores, mostMemories: limits.mostOf('memories') }),
    },
    ...useCases(ChangeMemory, DeleteMemory, AddStrategy, ChangeStrategy, DeleteStrategy),
  ],
  exports: [DeleteMemory],
})
export class MemoriesModule {}
