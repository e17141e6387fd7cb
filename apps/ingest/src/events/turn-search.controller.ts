import { Controller, Inject } from '@nestjs/common';
import { type TurnHit } from '@turnkeeper/application';
import { routes } from '@turnkeeper/contracts';
import { Input, Route, type CallOf } from '../http/route.js';
import { eventResponse } from './event-response.js';
import { APP, type App } from '../composition.js';

@Controller()
export class TurnSearchController {
  constructor(@Inject(APP) private readonly app: App) {}

  @Route(routes.searchMemoryTurns)
  async inMemory(@Input() { tenantId, reach, path, body }: CallOf<typeof routes.searchMemoryTurns>) {
    const hits = await this.app.searchTurns.execute(reach, { tenantId, ...path }, body);
    return hits.map((hit) => hitResponse(hit, body.explain));
  }

  @Route(routes.searchActorTurns)
  async ofActor(@Input() { tenantId, reach, path, body }: CallOf<typeof routes.searchActorTurns>) {
    const hits = await this.app.searchTurns.execute(reach, { tenantId, ...path }, body);
    return hits.map((hit) => hitResponse(hit, body.explain));
  }

  @Route(routes.searchSessionTurns)
  async inSession(@Input() { tenantId, reach, path, body }: CallOf<typeof routes.searchSessionTurns>) {
    const { afterSequence, ...rest } = body;
    const hits = await this.app.searchTurns.execute(reach, { tenantId, ...path }, rest, afterSequence);
    return hits.map((hit) => hitResponse(hit, body.explain));
  }
}

/** Without what an interruption cut off: a model takes what a search returns for said. The history returns it. */
const heardResponse = (event: TurnHit['event']) => {
  if (event.data.metadata?.['interrupted'] !== true) return eventResponse(event);
  const { original: _, ...metadata } = event.data.metadata;
  return eventResponse({ ...event, data: { ...event.data, metadata } });
};

const hitResponse = ({ event, score, parts, neighbours }: TurnHit, explain: boolean) => ({
  score,
  actorId: event.actorId ?? '',
  sessionId: event.sessionId ?? '',
  event: heardResponse(event),
  before: neighbours.filter(({ position }) => position < event.position).map(heardResponse),
  after: neighbours.filter(({ position }) => position > event.position).map(heardResponse),
  ...(explain ? { explain: parts } : {}),
});
