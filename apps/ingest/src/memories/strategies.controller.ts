import { Controller, Inject } from '@nestjs/common';
import {
  AddStrategy,
  ChangeStrategy,
  DeleteStrategy,
  requireMemory,
  type MemoryStore,
  type StrategyView,
} from '@turnkeeper/application';
import { routes, type InputOf, type OutputOf } from '@turnkeeper/contracts';
import { StrategyNotFound } from '@turnkeeper/domain';
import { TenantId } from '../auth/auth.guard.js';
import { IfMatch, type VersionCheck } from '../http/etag.js';
import { Input, Route } from '../http/route.js';
import { MEMORY_STORE } from '@turnkeeper/runtime/nest';
import { recordDeletionResponse } from '../records/record-deletions.controller.js';
import { strategyResponse } from './memory-response.js';

const { listStrategies, addStrategy, getStrategy, changeStrategy, deleteStrategy } = routes;

@Controller()
export class StrategiesController {
  constructor(
    @Inject(AddStrategy) private readonly addStrategy: AddStrategy,
    @Inject(ChangeStrategy) private readonly changeStrategy: ChangeStrategy,
    @Inject(DeleteStrategy) private readonly deleteStrategy: DeleteStrategy,
    @Inject(MEMORY_STORE) private readonly memories: MemoryStore,
  ) {}

  @Route(listStrategies)
  async list(
    @TenantId() tenantId: string,
    @Input(listStrategies) { path }: InputOf<typeof listStrategies>,
  ): Promise<OutputOf<typeof listStrategies>> {
    return (await this.strategies(tenantId, path.memoryId)).map(strategyResponse);
  }

  @Route(addStrategy)
  async add(
    @TenantId() tenantId: string,
    @Input(addStrategy) { path, body }: InputOf<typeof addStrategy>,
  ): Promise<OutputOf<typeof addStrategy>> {
    return strategyResponse(await this.addStrategy.execute(tenantId, path.memoryId, body));
  }

  @Route(getStrategy)
  async get(
    @TenantId() tenantId: string,
    @Input(getStrategy) { path }: InputOf<typeof getStrategy>,
  ): Promise<OutputOf<typeof getStrategy>> {
    const strategies = await this.strategies(tenantId, path.memoryId);
    const strategy = strategies.find(({ strategyId }) => strategyId === path.strategyId);
    if (strategy === undefined) throw new StrategyNotFound();
    return strategyResponse(strategy);
  }

  @Route(changeStrategy)
  async change(
    @TenantId() tenantId: string,
    @Input(changeStrategy) { path, body }: InputOf<typeof changeStrategy>,
    @IfMatch() check: VersionCheck,
  ): Promise<OutputOf<typeof changeStrategy>> {
    const { memoryId, strategyId } = path;
    const isCurrent = (strategy: StrategyView): void => check(strategyResponse(strategy));
    return strategyResponse(await this.changeStrategy.execute(tenantId, memoryId, strategyId, body, isCurrent));
  }

  @Route(deleteStrategy)
  async delete(
    @TenantId() tenantId: string,
    @Input(deleteStrategy) { path, query: { records } }: InputOf<typeof deleteStrategy>,
    @IfMatch() check: VersionCheck,
  ): Promise<OutputOf<typeof deleteStrategy>> {
    const { memoryId, strategyId } = path;
    const isCurrent = (strategy: StrategyView): void => check(strategyResponse(strategy));
    const deletion = await this.deleteStrategy.execute(tenantId, memoryId, strategyId, records, isCurrent);
    return { strategyId, records, recordDeletion: deletion === null ? null : recordDeletionResponse(deletion) };
  }

  private async strategies(tenantId: string, memoryId: string): Promise<readonly StrategyView[]> {
    await requireMemory(this.memories, tenantId, memoryId);
    return this.memories.strategies(tenantId, memoryId);
  }
}
