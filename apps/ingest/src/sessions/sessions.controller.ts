import { Controller, Inject } from '@nestjs/common';
import { type CountedPage, type ListPlace, type RecentSession } from '@turnkeeper/application';
import { routes } from '@turnkeeper/contracts';
import { eventResponse } from '../events/event-response.js';
import { InvalidCursor } from '../http/cursor.js';
import { cursorOfParts, cursorPageResponse, listResponse, partsOfCursor } from '../http/paging.js';
import { Input, Route, type CallOf } from '../http/route.js';
import { APP, type App } from '../composition.js';

const placeOf = ({ page, size, after }: { page: number; size: number; after?: string | undefined }): ListPlace => ({
  limit: size,
  offset: after === undefined ? (page - 1) * size : 0,
  after,
});

const positionOf = (cursor: string): number => {
  const [text = ''] = partsOfCursor(cursor, 1);
  if (!/^\d{1,15}$/.test(text)) throw new InvalidCursor();
  return Number(text);
};

/** Actors and sessions of a memory: listing and erasure. */
@Controller()
export class SessionsController {
  constructor(@Inject(APP) private readonly app: App) {}

  @Route(routes.listActors)
  async actors(@Input() { tenantId, path: { memoryId }, query }: CallOf<typeof routes.listActors>) {
    const page = await this.app.browseMemory.actors(tenantId, memoryId, placeOf(query));
    return rowsWith(page, { memoryId, status: 'ACTIVE' }, query, ({ actorId }) => actorId);
  }

  @Route(routes.getActor)
  async actor(@Input() { tenantId, path: { memoryId, actorId } }: CallOf<typeof routes.getActor>) {
    return { memoryId, status: 'ACTIVE' as const, ...(await this.app.browseMemory.actor(tenantId, memoryId, actorId)) };
  }

  @Route(routes.deleteActor)
  async deleteActor(@Input() { tenantId, reach, path }: CallOf<typeof routes.deleteActor>) {
    const erasure = await this.app.eraseActor.inMemory(reach, path.memoryId, path.actorId);
    return this.app.erasureReceipts.receiptOf({ tenantId, ...path, sessionId: null }, erasure);
  }

  @Route(routes.deleteActorEverywhere)
  async deleteActorEverywhere(@Input() { tenantId, reach, path }: CallOf<typeof routes.deleteActorEverywhere>) {
    const erasure = await this.app.eraseActor.everywhere(reach, path.actorId);
    const receipt = await this.app.erasureReceipts.receiptOf(
      { tenantId, memoryId: null, ...path, sessionId: null },
      erasure,
    );
    return { memories: erasure.outcomes.length, ...receipt };
  }

  @Route(routes.listErasureKeys)
  async erasureKeys() {
    return this.app.erasureReceipts.publicKeys();
  }

  @Route(routes.listSessions)
  async sessions(@Input() { tenantId, path: { memoryId, actorId }, query }: CallOf<typeof routes.listSessions>) {
    const page = await this.app.browseMemory.sessions(tenantId, memoryId, actorId, placeOf(query));
    return rowsWith(page, { memoryId, status: 'ACTIVE' }, query, ({ sessionId }) => sessionId);
  }

  @Route(routes.listRecentSessions)
  async recentSessions(@Input() { tenantId, path: { memoryId }, query }: CallOf<typeof routes.listRecentSessions>) {
    const { actorId, limit, after } = query;
    const place = after === undefined ? undefined : positionOf(after);
    const found = await this.app.browseMemory.recent(tenantId, memoryId, { actorId, limit: limit + 1, after: place });
    const row = ({ lastPosition: _, ...session }: RecentSession) => ({
      memoryId,
      status: 'ACTIVE' as const,
      ...session,
    });
    return listResponse(found, limit, row, ({ lastPosition }) => cursorOfParts([String(lastPosition)]));
  }

  @Route(routes.getSession)
  async session(@Input() { tenantId, path }: CallOf<typeof routes.getSession>) {
    return {
      memoryId: path.memoryId,
      status: 'ACTIVE' as const,
      ...(await this.app.browseMemory.session({ tenantId, ...path })),
    };
  }

  @Route(routes.deleteSession)
  async deleteSession(@Input() { tenantId, reach, path }: CallOf<typeof routes.deleteSession>) {
    const outcome = await this.app.eraseSessions.session(reach, { tenantId, ...path });
    return this.app.erasureReceipts.receiptOf(
      { tenantId, ...path },
      { outcomes: [outcome], keys: { erased: 0, left: 0 } },
    );
  }

  @Route(routes.getEvent)
  async event(@Input() { tenantId, path: { eventId, ...session } }: CallOf<typeof routes.getEvent>) {
    return eventResponse(await this.app.browseMemory.event({ tenantId, ...session }, eventId));
  }

  @Route(routes.deleteEvent)
  deleteEvent(@Input() { tenantId, reach, path: { eventId, ...session } }: CallOf<typeof routes.deleteEvent>) {
    return this.app.eraseEvent.execute(reach, { tenantId, ...session }, eventId);
  }
}

/** A page of rows that all share some fields. */
const rowsWith = <T extends object, const C extends object>(
  { rows, total }: CountedPage<T>,
  common: C,
  query: { readonly page: number; readonly size: number },
  idOf: (row: T) => string,
) => {
  const last = rows.at(-1);
  const next = rows.length < query.size || last === undefined ? null : idOf(last);
  return cursorPageResponse(
    rows.map((row) => ({ ...common, ...row })),
    query,
    total,
    next,
  );
};
