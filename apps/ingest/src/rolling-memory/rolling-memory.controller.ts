import { Controller, Inject } from '@nestjs/common';
import { routes, type RestoreQuery } from '@turnkeeper/contracts';
import type { Reach } from '@turnkeeper/domain';
import { inworldRoutes, readMemoryState, rollingStateOf } from '@turnkeeper/vendors';
import { Input, Route, type CallOf } from '../http/route.js';
import { APP, type App } from '../composition.js';

@Controller()
export class RollingMemoryController {
  constructor(@Inject(APP) private readonly app: App) {}

  @Route(inworldRoutes.captureMemoryState)
  async capture(@Input() { tenantId, path, body }: CallOf<typeof inworldRoutes.captureMemoryState>) {
    const { applied, version, facts, summary } = await this.app.captureMemoryState.execute(
      { tenantId, ...path },
      readMemoryState(body),
    );
    return { applied, version, facts: [...facts], summary };
  }

  @Route(inworldRoutes.getMemoryState)
  async state(@Input() { tenantId, path }: CallOf<typeof inworldRoutes.getMemoryState>) {
    return rollingStateOf(await this.app.readMemoryState.execute({ tenantId, ...path }));
  }

  @Route(routes.restoreActor)
  async restore(@Input() { reach, path, query }: CallOf<typeof routes.restoreActor>) {
    return this.restored(reach, path.actorId, query);
  }

  @Route(routes.restoreActorFromBody)
  async restoreFromBody(@Input() { reach, path, body }: CallOf<typeof routes.restoreActorFromBody>) {
    return this.restored(reach, path.actorId, body);
  }

  private async restored(reach: Reach, actorId: string, wish: RestoreQuery) {
    const { facts, messages, ...restored } = await this.app.restoreActor.execute(reach, actorId, wish);
    return { ...restored, facts: [...facts], messages: [...messages] };
  }
}
