import { Controller, Inject } from '@nestjs/common';
import {
  BrowseMemory,
  ChangeMemory,
  CreateMemory,
  DeleteMemory,
  requireMemory,
  type MemoryStore,
} from '@turnkeeper/application';
import { routes } from '@turnkeeper/contracts';
import { pageResponse } from '../http/paging.js';
import { IfMatch, type VersionCheck } from '../http/etag.js';
import { Input, Route, type CallOf } from '../http/route.js';
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
  async create(@Input() { tenantId, body }: CallOf<typeof createMemory>) {
    return createdMemoryResponse(await this.createMemory.execute(tenantId, body));
  }

  @Route(listMemories)
  async list(@Input() { tenantId, query: page }: CallOf<typeof listMemories>) {
    const { rows, total } = await this.memories.list(tenantId, {
      offset: (page.page - 1) * page.size,
      limit: page.size,
    });
    return pageResponse(rows.map(memoryResponse), page, total);
  }

  @Route(getMemory)
  async get(@Input() { tenantId, path }: CallOf<typeof getMemory>) {
    return memoryResponse(await requireMemory(this.memories, tenantId, path.memoryId));
  }

  @Route(changeMemory)
  async change(@Input() { tenantId, path, body }: CallOf<typeof changeMemory>, @IfMatch() check: VersionCheck) {
    return memoryResponse(
      await this.changeMemory.execute(tenantId, path.memoryId, body, (memory) => check(memoryResponse(memory))),
    );
  }

  @Route(deleteMemory)
  delete(@Input() { tenantId, path }: CallOf<typeof deleteMemory>) {
    return this.deleteMemory.execute(tenantId, path.memoryId);
  }

  @Route(getUsage)
  usage(@Input() { tenantId, path }: CallOf<typeof getUsage>) {
    return this.browse.usage(tenantId, path.memoryId);
  }
}
