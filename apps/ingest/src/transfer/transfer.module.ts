import { Module } from '@nestjs/common';
import { ExportMemory, ImportMemory } from '@turnkeeper/application';
import { KnownLimits } from '../limits/known-limits.js';
import { LimitsModule } from '../limits/limits.module.js';
import type { Stores } from '@turnkeeper/runtime';
import { STORES, useCases } from '@turnkeeper/runtime/nest';
import { TransferController } from './transfer.controller.js';

@Module({
  imports: [LimitsModule],
  controllers: [TransferController],
  providers: [
    ...useCases(ExportMemory),
    {
      provide: ImportMemory,
      inject: [STORES, KnownLimits],
      useFactory: (stores: Stores, limits: KnownLimits) =>
        new ImportMemory({ ...stores, mostMemories: limits.mostOf('memories') }),
    },
  ],
})
export class TransferModule {}
