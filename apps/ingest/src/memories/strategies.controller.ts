import { Controller, Inject } from '@nestjs/common';
import { requireMemory, type StrategyView } from '@turnkeeper/application';
import { routes } from '@turnkeeper/contracts';
import { StrategyNotFound } from '@turnkeeper/domain';
import { IfMatch, type VersionCheck } from '../http/etag.js';
import { Input, Route, type CallOf } from '../http/route.js';
import { recordDeletionResponse } from '../records/record-deletions.controller.js';
import { strategyResponse } from './memory-response.js';
import { APP, type App } from '../composition.js';

const { listStrategies, addStrategy, getStrategy, changeStrategy, deleteStrategy } = routes;

@Controller()
export class StrategiesController {
  constructor(
    @Inject(APP) private readonly app: Pick<App, 'addStrategy' | 'changeStrategy' | 'deleteStrategy' | 'memories'>,
  ) {}

  @Route(listStrategies)
  async list(@Input() { tenantId, path }: CallOf<typeof listStrategies>) {
    return (await this.strategies(tenantId, path.memoryId)).map(strategyResponse);
  }

  @Route(addStrategy)
  async add(@Input() { tenantId, path, body }: CallOf<typeof addStrategy>) {
    return strategyResponse(await this.app.addStrategy.execute(tenantId, path.memoryId, body));
  }

  @Route(getStrategy)
  async get(@Input() { tenantId, path }: CallOf<typeof getStrategy>) {
    const strategies = await this.strategies(tenantId, path.memoryId);
    const strategy = strategies.find(({ strategyId }) => strategyId === path.strategyId);
    if (strategy === undefined) throw new StrategyNotFound();
    return strategyResponse(strategy);
  }

  @Route(changeStrategy)
  async change(@Input() { tenantId, path, body }: CallOf<typeof changeStrategy>, @IfMatch() check: VersionCheck) {
    const { memoryId, strategyId } = path;
    const isCurrent = (strategy: StrategyView): void => check(strategyResponse(strategy));
    return strategyResponse(await this.app.changeStrategy.execute(tenantId, memoryId, strategyId, body, isCurrent));
  }

  @Route(deleteStrategy)
  async delete(
    @Input() { tenantId, path, query: { records } }: CallOf<typeof deleteStrategy>,
    @IfMatch() check: VersionCheck,
  ) {
    const { memoryId, strategyId } = path;
    const isCurrent = (strategy: StrategyView): void => check(strategyResponse(strategy));
    const deletion = await this.app.deleteStrategy.execute(tenantId, memoryId, strategyId, records, isCurrent);
    return { strategyId, records, recordDeletion: deletion === null ? null : recordDeletionResponse(deletion) };
  }

  private async strategies(tenantId: string, memoryId: string): Promise<readonly StrategyView[]> {
    await requireMemory(this.app.memories, tenantId, memoryId);
    return this.app.memories.strategies(tenantId, memoryId);
  }
}
