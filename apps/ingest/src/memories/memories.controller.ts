import { Body, Controller, Get, HttpCode, Inject, Param, Post, Query } from '@nestjs/common';
import { CreateMemory, requireMemory, type MemoryStore } from '@turnkeeper/application';
import { createMemoryBody, pageQuery, parseOrRefuse } from '@turnkeeper/contracts';
import { RequireScope, TenantId } from '../auth/auth.guard.js';
import { pageResponse } from '../http/paging.js';
import { memoryIdOf } from '../http/path.js';
import { MEMORY_STORE } from '../tokens.js';
import { memoryResponse, strategyResponse } from './memory-response.js';

const memoriesPage = pageQuery(100);

@Controller('memory/memories')
export class MemoriesController {
  constructor(
    @Inject(CreateMemory) private readonly createMemory: CreateMemory,
    @Inject(MEMORY_STORE) private readonly memories: MemoryStore,
  ) {}

  @Post()
  @HttpCode(200)
  @RequireScope('memory:write')
  async create(@TenantId() tenantId: string, @Body() body: unknown) {
    const { memory, strategies } = await this.createMemory.execute(
      tenantId,
      parseOrRefuse('memory', createMemoryBody, body),
    );
    return { ...memoryResponse(memory), longTermMemoryStrategies: strategies.map(strategyResponse) };
  }

  @Get()
  @RequireScope('memory:read')
  async list(@TenantId() tenantId: string, @Query() query: unknown) {
    const page = parseOrRefuse('query', memoriesPage, query);
    const { rows, total } = await this.memories.list(tenantId, {
      offset: (page.page - 1) * page.size,
      limit: page.size,
    });
    return pageResponse(rows.map(memoryResponse), page, total);
  }

  @Get(':memoryId')
  @RequireScope('memory:read')
  async get(@TenantId() tenantId: string, @Param('memoryId') memoryId: string) {
    return memoryResponse(await requireMemory(this.memories, tenantId, memoryIdOf(memoryId)));
  }

  @Get(':memoryId/long-term-memory-strategies')
  @RequireScope('memory:read')
  async strategies(@TenantId() tenantId: string, @Param('memoryId') memoryId: string) {
    const memory = await requireMemory(this.memories, tenantId, memoryIdOf(memoryId));
    const strategies = await this.memories.strategies(tenantId, memory.memoryId);
    return strategies.map(strategyResponse);
  }
}
