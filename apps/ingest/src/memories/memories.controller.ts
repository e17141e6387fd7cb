import { Controller, Inject } from '@nestjs/common';
import { CreateMemory, requireMemory, type MemoryStore } from '@turnkeeper/application';
import { routes, type InputOf, type OutputOf } from '@turnkeeper/contracts';
import { TenantId } from '../auth/auth.guard.js';
import { pageResponse } from '../http/paging.js';
import { Input, Route } from '../http/route.js';
import { MEMORY_STORE } from '../tokens.js';
import { memoryResponse, strategyResponse } from './memory-response.js';

const { createMemory, listMemories, getMemory, listStrategies } = routes;

@Controller()
export class MemoriesController {
  constructor(
    @Inject(CreateMemory) private readonly createMemory: CreateMemory,
    @Inject(MEMORY_STORE) private readonly memories: MemoryStore,
  ) {}

  @Route(createMemory)
  async create(
    @TenantId() tenantId: string,
    @Input(createMemory) { body }: InputOf<typeof createMemory>,
  ): Promise<OutputOf<typeof createMemory>> {
    const { memory, strategies } = await this.createMemory.execute(tenantId, body);
    return { ...memoryResponse(memory), longTermMemoryStrategies: strategies.map(strategyResponse) };
  }

  @Route(listMemories)
  async list(
    @TenantId() tenantId: string,
    @Input(listMemories) { query: page }: InputOf<typeof listMemories>,
  ): Promise<OutputOf<typeof listMemories>> {
    const { rows, total } = await this.memories.list(tenantId, {
      offset: (page.page - 1) * page.size,
      limit: page.size,
    });
    return pageResponse(rows.map(memoryResponse), page, total);
  }

  @Route(getMemory)
  async get(
    @TenantId() tenantId: string,
    @Input(getMemory) { path }: InputOf<typeof getMemory>,
  ): Promise<OutputOf<typeof getMemory>> {
    return memoryResponse(await requireMemory(this.memories, tenantId, path.memoryId));
  }

  @Route(listStrategies)
  async strategies(
    @TenantId() tenantId: string,
    @Input(listStrategies) { path }: InputOf<typeof listStrategies>,
  ): Promise<OutputOf<typeof listStrategies>> {
    const memory = await requireMemory(this.memories, tenantId, path.memoryId);
    const strategies = await this.memories.strategies(tenantId, memory.memoryId);
    return strategies.map(strategyResponse);
  }
}
