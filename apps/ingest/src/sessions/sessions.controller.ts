import { Controller, Inject } from '@nestjs/common';
import {
  BrowseMemory,
  EraseActor,
  EraseEvent,
  EraseSessions,
  type CountedPage,
  type ListPlace,
  type RecentSession,
} from '@turnkeeper/application';
import { routes, type InputOf, type OutputOf } from '@turnkeeper/contracts';
import { TenantId } from '../auth/auth.guard.js';
import { eventResponse } from '../events/event-response.js';
import { InvalidCursor } from '../http/cursor.js';
import { cursorOfParts, cursorPageResponse, listResponse, partsOfCursor } from '../http/paging.js';
import { Input, Route } from '../http/route.js';
import { ErasureReceipts } from './erasure-receipts.js';

const {
  listActors,
  getActor,
  deleteActor,
  deleteActorEverywhere,
  listErasureKeys,
  listSessions,
  listRecentSessions,
  getSession,
  deleteSession,
  getEvent,
  deleteEvent,
} = routes;

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
  constructor(
    @Inject(BrowseMemory) private readonly browse: BrowseMemory,
    @Inject(EraseSessions) private readonly eraseSessions: EraseSessions,
    @Inject(EraseActor) private readonly eraseActor: EraseActor,
    @Inject(ErasureReceipts) private readonly receipts: ErasureReceipts,
    @Inject(EraseEvent) private readonly eraseEvent: EraseEvent,
  ) {}

  @Route(listActors)
  async actors(
    @TenantId() tenantId: string,
    @Input(listActors) { path: { memoryId }, query }: InputOf<typeof listActors>,
  ): Promise<OutputOf<typeof listActors>> {
    const page = await this.browse.actors(tenantId, memoryId, placeOf(query));
    return rowsWith(page, { memoryId, status: 'ACTIVE' }, query, ({ actorId }) => actorId);
  }

  @Route(getActor)
  async actor(
    @TenantId() tenantId: string,
    @Input(getActor) { path: { memoryId, actorId } }: InputOf<typeof getActor>,
  ): Promise<OutputOf<typeof getActor>> {
    return { memoryId, status: 'ACTIVE', ...(await this.browse.actor(tenantId, memoryId, actorId)) };
  }

  @Route(deleteActor)
  async deleteActor(
    @TenantId() tenantId: string,
    @Input(deleteActor) { path }: InputOf<typeof deleteActor>,
  ): Promise<OutputOf<typeof deleteActor>> {
    const erasure = await this.eraseActor.inMemory(tenantId, path.memoryId, path.actorId);
    return this.receipts.receiptOf({ tenantId, ...path, sessionId: null }, erasure);
  }

  @Route(deleteActorEverywhere)
  async deleteActorEverywhere(
    @TenantId() tenantId: string,
    @Input(deleteActorEverywhere) { path }: InputOf<typeof deleteActorEverywhere>,
  ): Promise<OutputOf<typeof deleteActorEverywhere>> {
    const erasure = await this.eraseActor.everywhere(tenantId, path.actorId);
    const receipt = await this.receipts.receiptOf({ tenantId, memoryId: null, ...path, sessionId: null }, erasure);
    return { memories: erasure.outcomes.length, ...receipt };
  }

  @Route(listErasureKeys)
  async erasureKeys(): Promise<OutputOf<typeof listErasureKeys>> {
    return this.receipts.publicKeys();
  }

  @Route(listSessions)
  async sessions(
    @TenantId() tenantId: string,
    @Input(listSessions) { path: { memoryId, actorId }, query }: InputOf<typeof listSessions>,
  ): Promise<OutputOf<typeof listSessions>> {
    const page = await this.browse.sessions(tenantId, memoryId, actorId, placeOf(query));
    return rowsWith(page, { memoryId, status: 'ACTIVE' }, query, ({ sessionId }) => sessionId);
  }

  @Route(listRecentSessions)
  async recentSessions(
    @TenantId() tenantId: string,
    @Input(listRecentSessions) { path: { memoryId }, query }: InputOf<typeof listRecentSessions>,
  ): Promise<OutputOf<typeof listRecentSessions>> {
    const { actorId, limit, after } = query;
    const place = after === undefined ? undefined : positionOf(after);
    const found = await this.browse.recent(tenantId, memoryId, { actorId, limit: limit + 1, after: place });
    const row = ({ lastPosition: _, ...session }: RecentSession) => ({
      memoryId,
      status: 'ACTIVE' as const,
      ...session,
    });
    return listResponse(found, limit, row, ({ lastPosition }) => cursorOfParts([String(lastPosition)]));
  }

  @Route(getSession)
  async session(
    @TenantId() tenantId: string,
    @Input(getSession) { path }: InputOf<typeof getSession>,
  ): Promise<OutputOf<typeof getSession>> {
    return { memoryId: path.memoryId, status: 'ACTIVE', ...(await this.browse.session({ tenantId, ...path })) };
  }

  @Route(deleteSession)
  async deleteSession(
    @TenantId() tenantId: string,
    @Input(deleteSession) { path }: InputOf<typeof deleteSession>,
  ): Promise<OutputOf<typeof deleteSession>> {
    const outcome = await this.eraseSessions.session({ tenantId, ...path });
    return this.receipts.receiptOf({ tenantId, ...path }, { outcomes: [outcome], keys: { erased: 0, left: 0 } });
  }

  @Route(getEvent)
  async event(
    @TenantId() tenantId: string,
    @Input(getEvent) { path: { eventId, ...session } }: InputOf<typeof getEvent>,
  ): Promise<OutputOf<typeof getEvent>> {
    return eventResponse(await this.browse.event({ tenantId, ...session }, eventId));
  }

  @Route(deleteEvent)
  deleteEvent(
    @TenantId() tenantId: string,
    @Input(deleteEvent) { path: { eventId, ...session } }: InputOf<typeof deleteEvent>,
  ): Promise<void> {
    return this.eraseEvent.execute({ tenantId, ...session }, eventId);
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
