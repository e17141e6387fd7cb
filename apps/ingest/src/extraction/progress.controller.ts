import { Controller, Inject } from '@nestjs/common';
import { routes } from '@turnkeeper/contracts';
import { Input, Route, type CallOf } from '../http/route.js';
import { APP, type App } from '../composition.js';

@Controller()
export class ExtractionController {
  constructor(@Inject(APP) private readonly app: App) {}

  @Route(routes.getExtraction)
  async get(@Input() { tenantId, path }: CallOf<typeof routes.getExtraction>) {
    const { caughtUp, strategies } = await this.app.extractionStatus.execute(tenantId, path.memoryId);
    return { caughtUp, strategies: [...strategies] };
  }
}
