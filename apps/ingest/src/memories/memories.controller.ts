import { Controller, Inject } from '@nestjs/common';
import {
  BrowseMemory,
  ChangeMemory,
  CreateMemory,
  DeleteMemory,
  requireMemory,
  type MemoryStore,
} from '@turnkeeper/application';
import { routes, type InputOf, type OutputOf } from '@turnkeeper/contracts';
import { TenantId } from '../auth/auth.guard.js';
import { pageResponse } from '../http/paging.js';
import { IfMatch, type VersionCheck } from '../http/etag.js';
import { Input, Route } from '../http/route.js';
import { MEMORY_STORE } from '@turnkeeper/runtime/nest';
import { createdMemoryResponse, memoryResponse } from './memory-response.js';

const { createMemory, listMemories, getMemory, changeMemory, deleteMemory, getUsage } = routes;

@Controller()
export class MemoriesController {
  constructor(
    @Inject(CreateMemory) private readonly createMemory: CreateMemory,
    @Inject(ChangeMemory) private readonly changeMemory: ChangeMemory,
    @Inject(DeleteMemory) private readonly deleteMemory: DeleteMemory,
    @Inject(BrowseMemory) private readonly browse: BrowseMemory,
    @Inject(MEMORY_STORE) private readonly memories: MemoryStore,
  ) {}

  @Route(createMemory)
  async create(
    @TenantId() tenantId: string,
    @Input(createMemory) { body }: InputOf<typeof createMemory>,
  ): Promise<OutputOf<typeof createMemory>> {
    return createdMemoryResponse(await this.createMemory.execute(tenantId, body));
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

  @Route(changeMemory)
  async change(
    @TenantId() tenantId: string,
    @Input(changeMemory) { path, body }: InputOf<typeof changeMemory>,
    @IfMatch() check: VersionCheck,
  ): Promise<OutputOf<typeof changeMemory>> {
    return memoryResponse(
      await this.changeMemory.execute(tenantId, path.memoryId, body, (memory) => check(memoryResponse(memory))),
    );
  }

  @Route(deleteMemory)
  delete(@TenantId() tenantId: string, @Input(deleteMemory) { path }: InputOf<typeof deleteMemory>): Promise<void> {
    return this.deleteMemory.execute(tenantId, path.memoryId);
  }

  @Route(getUsage)
  usage(
    @TenantId() tenantId: string,
    @Input(getUsage) { path }: InputOf<typeof getUsage>,
  ): Promise<OutputOf<typeof getUsage>> {
    return this.browse.usage(tenantId, path.memoryId);
  }
}
