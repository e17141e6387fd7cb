import { Controller, Inject } from '@nestjs/common';
import { SearchTurns, type TurnHit } from '@turnkeeper/application';
import { routes, type InputOf, type OutputOf } from '@turnkeeper/contracts';
import { TenantId } from '../auth/auth.guard.js';
import { Input, Route } from '../http/route.js';
import { eventResponse } from './event-response.js';

const { searchMemoryTurns, searchActorTurns, searchSessionTurns } = routes;

@Controller()
export class TurnSearchController {
  constructor(@Inject(SearchTurns) private readonly searchTurns: SearchTurns) {}

  @Route(searchMemoryTurns)
  async inMemory(
    @TenantId() tenantId: string,
    @Input(searchMemoryTurns) { path, body }: InputOf<typeof searchMemoryTurns>,
  ): Promise<OutputOf<typeof searchMemoryTurns>> {
    const hits = await this.searchTurns.execute({ tenantId, ...path }, body);
    return hits.map((hit) => hitResponse(hit, body.explain));
  }

  @Route(searchActorTurns)
  async ofActor(
    @TenantId() tenantId: string,
    @Input(searchActorTurns) { path, body }: InputOf<typeof searchActorTurns>,
  ): Promise<OutputOf<typeof searchActorTurns>> {
    const hits = await this.searchTurns.execute({ tenantId, ...path }, body);
    return hits.map((hit) => hitResponse(hit, body.explain));
  }

  @Route(searchSessionTurns)
  async inSession(
    @TenantId() tenantId: string,
    @Input(searchSessionTurns) { path, body }: InputOf<typeof searchSessionTurns>,
  ): Promise<OutputOf<typeof searchSessionTurns>> {
    const { afterSequence, ...rest } = body;
    const hits = await this.searchTurns.execute({ tenantId, ...path }, rest, afterSequence);
    return hits.map((hit) => hitResponse(hit, body.explain));
  }
}

const hitResponse = ({ event, score, parts, neighbours }: TurnHit, explain: boolean) => ({
  score,
  actorId: event.actorId ?? '',
  sessionId: event.sessionId ?? '',
  event: eventResponse(event),
  before: neighbours.filter(({ position }) => position < event.position).map(eventResponse),
  after: neighbours.filter(({ position }) => position > event.position).map(eventResponse),
  ...(explain ? { explain: parts } : {}),
});
