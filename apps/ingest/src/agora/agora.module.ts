import { Module } from '@nestjs/common';
import { StartAgent } from '@turnkeeper/application';
import { AgoraAgents, JoinAgoraAgent } from '@turnkeeper/vendors';
import { AgentsModule } from '../agents/agents.module.js';
import type { Stores } from '@turnkeeper/runtime';
import { STORES } from '@turnkeeper/runtime/nest';
import { AgoraConversationController } from './agora-conversation.controller.js';
import { AgoraController } from './agora.controller.js';

@Module({
  imports: [AgentsModule],
  controllers: [AgoraController, AgoraConversationController],
  providers: [
    { provide: AgoraAgents, inject: [STORES], useFactory: ({ agents }: Stores) => new AgoraAgents(agents) },
    {
      provide: JoinAgoraAgent,
      inject: [StartAgent, STORES],
      useFactory: (startAgent: StartAgent, stores: Stores) => new JoinAgoraAgent(startAgent, stores),
    },
  ],
})
export class AgoraModule {}
