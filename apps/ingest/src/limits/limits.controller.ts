import { Controller, Inject } from '@nestjs/common';
import { routes } from '@turnkeeper/contracts';
import { Input, Route, type CallOf } from '../http/route.js';
import { APP, type App } from '../composition.js';

@Controller()
export class LimitsController {
  constructor(@Inject(APP) private readonly app: App) {}

  @Route(routes.getLimits)
  async get(@Input() { tenantId }: CallOf<typeof routes.getLimits>) {
    const [limits, modelUsage] = await Promise.all([
      this.app.readLimits.execute(tenantId),
      this.app.readLimits.modelUsage(tenantId),
    ]);
    return { limits, modelUsage };
  }
}
