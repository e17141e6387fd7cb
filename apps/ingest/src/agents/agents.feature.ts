import { StartAgent, StopAgent } from '@turnkeeper/application';
import type { Feature } from '../feature.js';
import { AGENT_STORE } from '../tokens.js';
import { AgentsController } from './agents.controller.js';

export const agentsFeature: Feature = {
  controllers: [AgentsController],
  providers: (stores) => [
    { provide: AGENT_STORE, useValue: stores.agents },
    { provide: StartAgent, useValue: new StartAgent(stores) },
    { provide: StopAgent, useValue: new StopAgent(stores) },
  ],
};
