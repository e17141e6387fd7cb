import { Inject, Module, type OnModuleInit } from '@nestjs/common';
import { StopIdleAgents } from '@turnkeeper/application';
import { RESOURCES, useCases } from '@turnkeeper/runtime/nest';
import { Loops } from '../loops.js';
import type { WorkerResources } from '../resources.js';
import { idleAgentsTicker } from './idle-agents.js';

@Module({ providers: useCases(StopIdleAgents) })
export class AgentsModule implements OnModuleInit {
  constructor(
    @Inject(Loops) private readonly loops: Loops,
    @Inject(RESOURCES) private readonly resources: WorkerResources,
    @Inject(StopIdleAgents) private readonly stopIdleAgents: StopIdleAgents,
  ) {}

  onModuleInit(): void {
    this.loops.add(idleAgentsTicker(this.stopIdleAgents, this.resources));
  }
}
