import { Controller, Inject } from '@nestjs/common';
import { CaptureMemoryState, ReadMemoryState, RestoreActor } from '@turnkeeper/application';
import { routes, type InputOf, type OutputOf, type RestoreQuery } from '@turnkeeper/contracts';
import { inworldRoutes, readMemoryState, rollingStateOf } from '@turnkeeper/vendors';
import { TenantId } from '../auth/auth.guard.js';
import { Input, Route } from '../http/route.js';

const { captureMemoryState, getMemoryState } = inworldRoutes;

@Controller()
export class RollingMemoryController {
  constructor(
    @Inject(CaptureMemoryState) private readonly captureMemoryState: CaptureMemoryState,
    @Inject(ReadMemoryState) private readonly readMemoryState: ReadMemoryState,
    @Inject(RestoreActor) private readonly restoreActor: RestoreActor,
  ) {}

  @Route(captureMemoryState)
  async capture(
    @TenantId() tenantId: string,
    @Input(captureMemoryState) { path, body }: InputOf<typeof captureMemoryState>,
  ): Promise<OutputOf<typeof captureMemoryState>> {
    const { applied, version, facts, summary } = await this.captureMemoryState.execute(
      { tenantId, ...path },
      readMemoryState(body),
    );
    return { applied, version, facts: [...facts], summary };
  }

  @Route(getMemoryState)
  async state(
    @TenantId() tenantId: string,
    @Input(getMemoryState) { path }: InputOf<typeof getMemoryState>,
  ): Promise<OutputOf<typeof getMemoryState>> {
    return rollingStateOf(await this.readMemoryState.execute({ tenantId, ...path }));
  }

  @Route(routes.restoreActor)
  async restore(
    @TenantId() tenantId: string,
    @Input(routes.restoreActor) { path, query }: InputOf<typeof routes.restoreActor>,
  ): Promise<OutputOf<typeof routes.restoreActor>> {
    return this.restored(tenantId, path.actorId, query);
  }

  @Route(routes.restoreActorFromBody)
  async restoreFromBody(
    @TenantId() tenantId: string,
    @Input(routes.restoreActorFromBody) { path, body }: InputOf<typeof routes.restoreActorFromBody>,
  ): Promise<OutputOf<typeof routes.restoreActorFromBody>> {
    return this.restored(tenantId, path.actorId, body);
  }

  private async restored(tenantId: string, actorId: string, wish: RestoreQuery) {
    const { facts, messages, ...restored } = await this.restoreActor.execute(tenantId, actorId, wish);
    return { ...restored, facts: [...facts], messages: [...messages] };
  }
}
