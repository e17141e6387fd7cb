import { InstructAgent, StartAgent } from '@turnkeeper/application';
import type { Feature } from '../feature.js';
import { CLOCK } from '../tokens.js';
import { AgoraAgents } from './agora-agents.js';
import { AgoraConversationController } from './agora-conversation.controller.js';
import { agoraDialect } from './agora-dialect.js';
import { AgoraController } from './agora.controller.js';
import { JoinAgoraAgent } from './join-agora-agent.js';

/** Requires the agents feature. */
export const agoraFeature: Feature = {
  controllers: [AgoraController, AgoraConversationController],
  providers: (stores) => [
    { provide: CLOCK, useValue: stores.clock },
    { provide: AgoraAgents, useValue: new AgoraAgents(stores.agents) },
    { provide: InstructAgent, useValue: new InstructAgent(stores) },
    {
      provide: JoinAgoraAgent,
      useFactory: (startAgent: StartAgent) => new JoinAgoraAgent(startAgent, stores),
      inject: [StartAgent],
    },
  ],
  dialect: agoraDialect,
};
