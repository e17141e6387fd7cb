import {
  AppendToAgent,
  FailAgent,
  GetLlmRequest,
  InterruptAgent,
  ResetAgent,
  StartAgent,
  StopAgent,
  UpdateAgent,
} from '@turnkeeper/application';
import type { Feature } from '../feature.js';
import { AGENT_STORE, EVENT_STORE } from '../tokens.js';
import { AgentsController } from './agents.controller.js';
import { ConversationController } from './conversation.controller.js';

export const agentsFeature: Feature = {
  controllers: [AgentsController, ConversationController],
  providers: (stores) => [
    { provide: AGENT_STORE, useValue: stores.agents },
    { provide: EVENT_STORE, useValue: stores.eventStore },
    { provide: StartAgent, useValue: new StartAgent(stores) },
    { provide: UpdateAgent, useValue: new UpdateAgent(stores) },
    { provide: StopAgent, useValue: new StopAgent(stores) },
    { provide: FailAgent, useValue: new FailAgent(stores) },
    { provide: AppendToAgent, useValue: new AppendToAgent(stores) },
    { provide: InterruptAgent, useValue: new InterruptAgent(stores) },
    { provide: ResetAgent, useValue: new ResetAgent(stores) },
    { provide: GetLlmRequest, useValue: new GetLlmRequest(stores) },
  ],
};
