import { Controller, Inject } from '@nestjs/common';
import { GraphCheckpoints, type CheckpointPlace, type CheckpointScope } from '@turnkeeper/application';
import {
  routes,
  type CheckpointView,
  type InputOf,
  type OutputOf,
  type SearchCheckpointsBody,
} from '@turnkeeper/contracts';
import { TenantId } from '../auth/auth.guard.js';
import { cursorOfParts, listResponse, partsOfCursor } from '../http/paging.js';
import { Input, Route } from '../http/route.js';

const {
  putCheckpoint,
  putCheckpointWrites,
  batchCheckpoints,
  getCheckpoint,
  searchCheckpoints,
  searchMemoryCheckpoints,
  deleteSessionCheckpoints,
  deleteThreadCheckpoints,
} = routes;

/** Checkpoints of agent graphs, for `@turnkeeper/langgraph`. */
@Controller()
export class CheckpointsController {
  constructor(@Inject(GraphCheckpoints) private readonly checkpoints: GraphCheckpoints) {}

  @Route(putCheckpoint)
  async put(
    @TenantId() tenantId: string,
    @Input(putCheckpoint) { path, body }: InputOf<typeof putCheckpoint>,
  ): Promise<OutputOf<typeof putCheckpoint>> {
    await this.checkpoints.put({ tenantId, ...path }, body);
    return { checkpointId: body.checkpointId };
  }

  @Route(putCheckpointWrites)
  async putWrites(
    @TenantId() tenantId: string,
    @Input(putCheckpointWrites) { path, body }: InputOf<typeof putCheckpointWrites>,
  ): Promise<OutputOf<typeof putCheckpointWrites>> {
    await this.checkpoints.putWrites({ tenantId, ...path }, body);
    return { checkpointId: body.checkpointId };
  }

  @Route(batchCheckpoints)
  batch(
    @TenantId() tenantId: string,
    @Input(batchCheckpoints) { path, body }: InputOf<typeof batchCheckpoints>,
  ): Promise<void> {
    return this.checkpoints.batch({ tenantId, ...path }, body.operations);
  }

  @Route(getCheckpoint)
  get(
    @TenantId() tenantId: string,
    @Input(getCheckpoint) { path, query }: InputOf<typeof getCheckpoint>,
  ): Promise<OutputOf<typeof getCheckpoint>> {
    return this.checkpoints.get({ tenantId, ...path }, query.namespace, query.checkpointId);
  }

  @Route(searchCheckpoints)
  ofSession(
    @TenantId() tenantId: string,
    @Input(searchCheckpoints) { path, body }: InputOf<typeof searchCheckpoints>,
  ): Promise<OutputOf<typeof searchCheckpoints>> {
    return this.search({ tenantId, ...path }, body);
  }

  @Route(searchMemoryCheckpoints)
  ofMemory(
    @TenantId() tenantId: string,
    @Input(searchMemoryCheckpoints) { path, body }: InputOf<typeof searchMemoryCheckpoints>,
  ): Promise<OutputOf<typeof searchMemoryCheckpoints>> {
    const { actorId, sessionId, ...search } = body;
    return this.search({ tenantId, ...path, actorId, sessionId }, search);
  }

  @Route(deleteSessionCheckpoints)
  deleteOfSession(
    @TenantId() tenantId: string,
    @Input(deleteSessionCheckpoints) { path }: InputOf<typeof deleteSessionCheckpoints>,
  ): Promise<void> {
    return this.checkpoints.delete({ tenantId, ...path });
  }

  @Route(deleteThreadCheckpoints)
  deleteThread(
    @TenantId() tenantId: string,
    @Input(deleteThreadCheckpoints) { path, query }: InputOf<typeof deleteThreadCheckpoints>,
  ): Promise<void> {
    return this.checkpoints.delete({ tenantId, ...path, sessionId: query.sessionId });
  }

  private async search(
    scope: CheckpointScope,
    { after, limit, ...search }: Omit<SearchCheckpointsBody, 'actorId' | 'sessionId'>,
  ) {
    const place = after === undefined ? null : placeIn(after);
    const found = await this.checkpoints.search(scope, { ...search, limit: limit + 1, after: place });
    return listResponse(
      found,
      limit,
      (one) => one,
      ({ checkpointId, sessionId, actorId, namespace }: CheckpointView) =>
        cursorOfParts([checkpointId, sessionId, actorId, namespace]),
    );
  }
}

const placeIn = (cursor: string): CheckpointPlace => {
  const [checkpointId = '', sessionId = '', actorId = '', namespace = ''] = partsOfCursor(cursor, 4);
  return { checkpointId, sessionId, actorId, namespace };
};
