import { Controller, Inject } from '@nestjs/common';
import { ParkedWindows, ReadSessionExtraction } from '@turnkeeper/application';
import { routes, type InputOf, type OutputOf } from '@turnkeeper/contracts';
import { TenantId } from '../auth/auth.guard.js';
import { Input, Route } from '../http/route.js';

const { getSessionExtraction, listParkedWindows, replayParkedWindows } = routes;

@Controller()
export class SessionExtractionController {
  constructor(
    @Inject(ReadSessionExtraction) private readonly sessionExtraction: ReadSessionExtraction,
    @Inject(ParkedWindows) private readonly parkedWindows: ParkedWindows,
  ) {}

  @Route(getSessionExtraction)
  async ofSession(
    @TenantId() tenantId: string,
    @Input(getSessionExtraction) { path }: InputOf<typeof getSessionExtraction>,
  ): Promise<OutputOf<typeof getSessionExtraction>> {
    const { newestSequence, strategies } = await this.sessionExtraction.execute({ tenantId, ...path });
    return { newestSequence, strategies: strategies.map((one) => ({ ...one, parked: [...one.parked] })) };
  }

  @Route(listParkedWindows)
  async parked(
    @TenantId() tenantId: string,
    @Input(listParkedWindows) { path, query }: InputOf<typeof listParkedWindows>,
  ): Promise<OutputOf<typeof listParkedWindows>> {
    return [...(await this.parkedWindows.list(tenantId, path.memoryId, query.limit))];
  }

  @Route(replayParkedWindows)
  async replay(
    @TenantId() tenantId: string,
    @Input(replayParkedWindows) { path, body }: InputOf<typeof replayParkedWindows>,
  ): Promise<OutputOf<typeof replayParkedWindows>> {
    const { strategyId, actorId, sessionId, askAgain } = body;
    const isOne = strategyId !== undefined && actorId !== undefined && sessionId !== undefined;
    const key = isOne ? { strategyId, actorId, sessionId } : null;
    return { replayed: await this.parkedWindows.replay(tenantId, path.memoryId, key, { askAgain }) };
  }
}
