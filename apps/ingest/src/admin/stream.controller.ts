import { Controller, HttpCode, Inject } from '@nestjs/common';
import { routes } from '@turnkeeper/contracts';
import { Route } from '../http/route.js';
import { APP, type App } from '../composition.js';

/** JetStream's copy of the log. */
@Controller()
export class StreamController {
  constructor(@Inject(APP) private readonly app: App) {}

  @Route(routes.reconcileStream)
  @HttpCode(200)
  async reconcile() {
    return { ...(await this.app.reconciler.reconcile()) };
  }
}
