import { Controller, Inject } from '@nestjs/common';
import { type ParkedWindowPlace } from '@turnkeeper/application';
import { instant, routes, uuid } from '@turnkeeper/contracts';
import { InvalidCursor } from '../http/cursor.js';
import { cursorOfParts, listResponse, partsOfCursor } from '../http/paging.js';
import { Input, Route, type CallOf } from '../http/route.js';
import { APP, type App } from '../composition.js';

const cursorOfParked = ({ parkedAt, strategyId, actorId, sessionId, toSequence }: ParkedWindowPlace): string =>
  cursorOfParts([parkedAt, strategyId, actorId, sessionId, String(toSequence)]);

const parkedPlaceOf = (after: string): ParkedWindowPlace => {
  const [parkedAt = '', strategyId = '', actorId = '', sessionId = '', sequence = ''] = partsOfCursor(after, 5);
  const isPlace =
    instant.safeParse(parkedAt).success && uuid.safeParse(strategyId).success && /^\d{1,15}$/.test(sequence);
  if (!isPlace || /\0/.test(actorId + sessionId)) throw new InvalidCursor();
  return { parkedAt, strategyId, actorId, sessionId, toSequence: Number(sequence) };
};

@Controller()
export class SessionExtractionController {
  constructor(@Inject(APP) private readonly app: App) {}

  @Route(routes.getSessionExtraction)
  async ofSession(@Input() { tenantId, path }: CallOf<typeof routes.getSessionExtraction>) {
    const { newestSequence, strategies } = await this.app.readSessionExtraction.execute({ tenantId, ...path });
    return { newestSequence, strategies: strategies.map((one) => ({ ...one, parked: [...one.parked] })) };
  }

  @Route(routes.listParkedWindows)
  async parked(@Input() { tenantId, path, query }: CallOf<typeof routes.listParkedWindows>) {
    const { limit, after } = query;
    const place = after === undefined ? undefined : parkedPlaceOf(after);
    const found = await this.app.parkedWindows.list(tenantId, path.memoryId, { limit: limit + 1, after: place });
    return listResponse(found, limit, (window) => window, cursorOfParked);
  }

  @Route(routes.replayParkedWindows)
  async replay(@Input() { tenantId, path, body }: CallOf<typeof routes.replayParkedWindows>) {
    const { strategyId, actorId, sessionId, askAgain } = body;
    const isOne = strategyId !== undefined && actorId !== undefined && sessionId !== undefined;
    const key = isOne ? { strategyId, actorId, sessionId } : null;
    return { replayed: await this.app.parkedWindows.replay(tenantId, path.memoryId, key, { askAgain }) };
  }
}
