import { Controller, Headers, Inject, Req, Res } from '@nestjs/common';
import { lastEventId, parseOrRefuse, routes, type OutputOf } from '@turnkeeper/contracts';
import { inworldRoutes, sessionUpdated } from '@turnkeeper/vendors';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Admitted } from '../edge/admit-on-headers.js';
import { eventResponse } from '../events/event-response.js';
import { Input, Route, type CallOf } from '../http/route.js';
import { APP, type App } from '../composition.js';

const lastIdOf = (header: string | undefined): number | undefined =>
  header === undefined || header === '' ? undefined : parseOrRefuse('Last-Event-ID', lastEventId, header);

/** What changes in a session, as server-sent events. */
@Controller()
export class StreamsController {
  constructor(@Inject(APP) private readonly app: App) {}

  @Route(routes.followEvents)
  async events(
    @Input() { tenantId, path, query }: CallOf<typeof routes.followEvents>,
    @Headers('last-event-id') lastId: string | undefined,
    @Req() request: FastifyRequest & Admitted,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const scope = { tenantId, ...path };
    const after = lastIdOf(lastId) ?? query.after;
    await this.app.followSession.check(scope);
    return this.app.eventStreams.open(
      request,
      reply,
      (signal) => this.app.followSession.events(scope, after, signal),
      (event) => ({
        id: event.sequence ?? 0,
        data: eventResponse(event) satisfies OutputOf<typeof routes.followEvents>,
      }),
    );
  }

  @Route(inworldRoutes.followMemoryState)
  async memoryState(
    @Input() { tenantId, path }: CallOf<typeof inworldRoutes.followMemoryState>,
    @Headers('last-event-id') lastId: string | undefined,
    @Req() request: FastifyRequest & Admitted,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const scope = { tenantId, ...path };
    const known = lastIdOf(lastId) ?? 0;
    await this.app.followSession.check(scope);
    return this.app.eventStreams.open(
      request,
      reply,
      (signal) => this.app.followSession.memoryStates(scope, known, signal),
      (state) => ({
        id: state.version,
        data: sessionUpdated(path, state) satisfies OutputOf<typeof inworldRoutes.followMemoryState>,
      }),
    );
  }
}
