import { Module } from '@nestjs/common';
import { AppendToAgent, InstructAgent, ResetAgent, StartAgent, StopAgent, UpdateAgent } from '@turnkeeper/application';
import { CreateZegoInstance, zegoActions, ZegoGate } from '@turnkeeper/vendors';
import { AgentsModule } from '../agents/agents.module.js';
import { KnownLimits } from '../limits/known-limits.js';
import { LimitsModule } from '../limits/limits.module.js';
import type { Stores } from '@turnkeeper/runtime';
import { STORES, useCases } from '@turnkeeper/runtime/nest';
import { ZEGO_ACTIONS, ZegoController } from './zego.controller.js';

@Module({
  imports: [AgentsModule, LimitsModule],
  controllers: [ZegoController],
  providers: [
    ...useCases(ZegoGate),
    {
      provide: ZEGO_ACTIONS,
      inject: [STORES, KnownLimits, StartAgent, StopAgent, AppendToAgent, ResetAgent, UpdateAgent, InstructAgent],
      useFactory: (
        stores: Stores,
        limits: KnownLimits,
        start: StartAgent,
        stopAgent: StopAgent,
        appendToAgent: AppendToAgent,
        resetAgent: ResetAgent,
        updateAgent: UpdateAgent,
        instructAgent: InstructAgent,
      ) => {
        const create = new CreateZegoInstance(start, stores.vendorAgents, stores.ids);
        const mostAgents = limits.mostOf('vendorAgents');
        const useCases = { create, stopAgent, appendToAgent, resetAgent, updateAgent, instructAgent };
        return zegoActions({ ...stores, ...useCases, mostAgents });
      },
    },
  ],
})
export class ZegoModule {}
