import { Controller, Inject } from '@nestjs/common';
import { requireMemory } from '@turnkeeper/application';
import { routes } from '@turnkeeper/contracts';
import { pageResponse } from '../http/paging.js';
import { IfMatch, type VersionCheck } from '../http/etag.js';
import { Input, Route, type CallOf } from '../http/route.js';
import { createdMemoryResponse, memoryResponse } from './memory-response.js';
import { APP, type App } from '../composition.js';

@Controller()
export class MemoriesController {
  constructor(@Inject(APP) private readonly app: App) {}

  @Route(routes.createMemory)
  async create(@Input() { tenantId, body }: CallOf<typeof routes.createMemory>) {
    return createdMemoryResponse(await this.app.createMemory.execute(tenantId, body));
  }

  @Route(routes.listMemories)
  async list(@Input() { tenantId, query: page }: CallOf<typeof routes.listMemories>) {
    const { rows, total } = await this.app.memories.list(tenantId, {
      offset: (page.page - 1) * page.size,
      limit: page.size,
    });
    return pageResponse(rows.map(memoryResponse), page, total);
  }

  @Route(routes.getMemory)
  async get(@Input() { tenantId, path }: CallOf<typeof routes.getMemory>) {
    return memoryResponse(await requireMemory(this.app.memories, tenantId, path.memoryId));
  }

  @Route(routes.changeMemory)
  async change(@Input() { tenantId, path, body }: CallOf<typeof routes.changeMemory>, @IfMatch() check: VersionCheck) {
    return memoryResponse(
      await this.app.changeMemory.execute(tenantId, path.memoryId, body, (memory) => check(memoryResponse(memory))),
    );
  }

  @Route(routes.deleteMemory)
  delete(@Input() { tenantId, path }: CallOf<typeof routes.deleteMemory>) {
    return this.app.deleteMemory.execute(tenantId, path.memoryId);
  }

  @Route(routes.getUsage)
  usage(@Input() { tenantId, path }: CallOf<typeof routes.getUsage>) {
    return this.app.browseMemory.usage(tenantId, path.memoryId);
  }
}
