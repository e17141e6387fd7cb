import { Controller, Inject } from '@nestjs/common';
import { CaptureMemoryState, RestoreActor } from '@turnkeeper/application';
import { routes, type InputOf, type OutputOf } from '@turnkeeper/contracts';
import { TenantId } from '../auth/auth.guard.js';
import { Input, Route } from '../http/route.js';

@Controller()
export class RollingMemoryController {
  constructor(
    @Inject(CaptureMemoryState) private readonly captureMemoryState: CaptureMemoryState,
    @Inject(RestoreActor) private readonly restoreActor: RestoreActor,
  ) {}

  @Route(routes.captureMemoryState)
  async capture(
    @TenantId() tenantId: string,
    @Input(routes.captureMemoryState) { path, body }: InputOf<typeof routes.captureMemoryState>,
  ): Promise<OutputOf<typeof routes.captureMemoryState>> {
    const { applied, version, facts, summary } = await this.captureMemoryState.execute({ tenantId, ...path }, body);
    return { applied, version, facts: [...facts], summary };
  }

  @Route(routes.restoreActor)
  async restore(
    @TenantId() tenantId: string,
    @Input(routes.restoreActor) { path, query }: InputOf<typeof routes.restoreActor>,
  ): Promise<OutputOf<typeof routes.restoreActor>> {
    const { facts, messages, ...restored } = await this.restoreActor.execute(tenantId, path.actorId, query);
    return { ...restored, facts: [...facts], messages: [...messages] };
  }
}
