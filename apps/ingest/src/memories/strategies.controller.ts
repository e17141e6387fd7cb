import { Controller, Inject } from '@nestjs/common';
import { requireMemory, type StrategyView } from '@turnkeeper/application';
import { routes } from '@turnkeeper/contracts';
import { StrategyNotFound } from '@turnkeeper/domain';
import { IfMatch, type VersionCheck } from '../http/etag.js';
import { Input, Route, type CallOf } from '../http/route.js';
import { recordDeletionResponse } from '../records/record-deletions.controller.js';
import { strategyResponse } from './memory-response.js';
import { APP, type App } from '../composition.js';

@Controller()
export class StrategiesController {
  constructor(@Inject(APP) private readonly app: App) {}

  @Route(routes.listStrategies)
  async list(@Input() { tenantId, path }: CallOf<typeof routes.listStrategies>) {
    return (await this.strategies(tenantId, path.memoryId)).map(strategyResponse);
  }

  @Route(routes.addStrategy)
  async add(@Input() { tenantId, path, body }: CallOf<typeof routes.addStrategy>) {
    return strategyResponse(await this.app.addStrategy.execute(tenantId, path.memoryId, body));
  }

  @Route(routes.getStrategy)
  async get(@Input() { tenantId, path }: CallOf<typeof routes.getStrategy>) {
    const strategies = await this.strategies(tenantId, path.memoryId);
    const strategy = strategies.find(({ strategyId }) => strategyId === path.strategyId);
    if (strategy === undefined) throw new StrategyNotFound();
    return strategyResponse(strategy);
  }

  @Route(routes.changeStrategy)
  async change(
    @Input() { tenantId, path, body }: CallOf<typeof routes.changeStrategy>,
    @IfMatch() check: VersionCheck,
  ) {
    const { memoryId, strategyId } = path;
    const isCurrent = (strategy: StrategyView): void => check(strategyResponse(strategy));
    return strategyResponse(await this.app.changeStrategy.execute(tenantId, memoryId, strategyId, body, isCurrent));
  }

  @Route(routes.deleteStrategy)
  async delete(
    @Input() { tenantId, path, query: { records } }: CallOf<typeof routes.deleteStrategy>,
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
