import { AppendToAgent, InstructAgent, ResetAgent, StartAgent, StopAgent, UpdateAgent } from '@turnkeeper/application';
import type { Feature } from '../feature.js';
import { CreateZegoInstance } from './create-instance.js';
import { zegoActions } from './zego-actions.js';
import { zegoDialect } from './zego-dialect.js';
import { ZegoGate } from './zego-gate.js';
import { ZEGO_ACTIONS, ZegoController } from './zego.controller.js';

/** Requires the agents feature. */
export const zegoFeature: Feature = {
  controllers: [ZegoController],
  providers: (stores) => [
    { provide: ZegoGate, useValue: new ZegoGate(stores) },
    {
      provide: ZEGO_ACTIONS,
      useFactory: (
        start: StartAgent,
        stopAgent: StopAgent,
        appendToAgent: AppendToAgent,
        resetAgent: ResetAgent,
        updateAgent: UpdateAgent,
      ) =>
        zegoActions({
          ...stores,
          create: new CreateZegoInstance(start, stores.ids),
          stopAgent,
          appendToAgent,
          resetAgent,
          updateAgent,
          instructAgent: new InstructAgent(stores),
        }),
      inject: [StartAgent, StopAgent, AppendToAgent, ResetAgent, UpdateAgent],
    },
  ],
  dialect: zegoDialect,
};
