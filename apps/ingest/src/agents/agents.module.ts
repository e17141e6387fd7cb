import { Module } from '@nestjs/common';
import {
  AppendToAgent,
  FailAgent,
  GetLlmRequest,
  InstructAgent,
  InterruptAgent,
  ResetAgent,
  StartAgent,
  StopAgent,
  UpdateAgent,
} from '@turnkeeper/application';
import { useCases } from '@turnkeeper/runtime/nest';
import { AgentsController } from './agents.controller.js';
import { ConversationController } from './conversation.controller.js';

/** Use cases that vendors' routes share. */
const SHARED = [StartAgent, UpdateAgent, StopAgent, AppendToAgent, ResetAgent, InstructAgent] as const;

@Module({
  controllers: [AgentsController, ConversationController],
  providers: useCases(...SHARED, FailAgent, InterruptAgent, GetLlmRequest),
  exports: [...SHARED],
})
export class AgentsModule {}
