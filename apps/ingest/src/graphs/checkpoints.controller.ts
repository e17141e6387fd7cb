import { Controller, Inject } from '@nestjs/common';
import { type CheckpointPlace, type CheckpointScope } from '@turnkeeper/application';
import { routes, type CheckpointView, type SearchCheckpointsBody } from '@turnkeeper/contracts';
import type { Reach } from '@turnkeeper/domain';
import { cursorOfParts, listResponse, partsOfCursor } from '../http/paging.js';
import { Input, Route, type CallOf } from '../http/route.js';
import { APP, type App } from '../composition.js';

/** Checkpoints of agent graphs, for `@turnkeeper/langgraph`. */
@Controller()
export class CheckpointsController {
  constructor(@Inject(APP) private readonly app: App) {}

  @Route(routes.putCheckpoint)
  async put(@Input() { tenantId, path, body }: CallOf<typeof routes.putCheckpoint>) {
    await this.app.checkpoints.put({ tenantId, ...path }, body);
    return { checkpointId: body.checkpointId };
  }

  @Route(routes.putCheckpointWrites)
  async putWrites(@Input() { tenantId, path, body }: CallOf<typeof routes.putCheckpointWrites>) {
    await this.app.checkpoints.putWrites({ tenantId, ...path }, body);
    return { checkpointId: body.checkpointId };
  }

  @Route(routes.batchCheckpoints)
  batch(@Input() { tenantId, reach, path, body }: CallOf<typeof routes.batchCheckpoints>) {
    return this.app.graphCheckpoints.batch(reach, { tenantId, ...path }, body.operations);
  }

  @Route(routes.getCheckpoint)
  get(@Input() { tenantId, path, query }: CallOf<typeof routes.getCheckpoint>) {
    return this.app.graphCheckpoints.get({ tenantId, ...path }, query.namespace, query.checkpointId);
  }

  @Route(routes.searchCheckpoints)
  ofSession(@Input() { tenantId, reach, path, body }: CallOf<typeof routes.searchCheckpoints>) {
    return this.search(reach, { tenantId, ...path }, body);
  }

  @Route(routes.searchMemoryCheckpoints)
  ofMemory(@Input() { tenantId, reach, path, body }: CallOf<typeof routes.searchMemoryCheckpoints>) {
    const { actorId, sessionId, ...search } = body;
    return this.search(reach, { tenantId, ...path, actorId, sessionId }, search);
  }

  @Route(routes.deleteSessionCheckpoints)
  deleteOfSession(@Input() { tenantId, reach, path }: CallOf<typeof routes.deleteSessionCheckpoints>) {
    return this.app.graphCheckpoints.delete(reach, { tenantId, ...path });
  }

  @Route(routes.deleteThreadCheckpoints)
  deleteThread(@Input() { tenantId, reach, path, query }: CallOf<typeof routes.deleteThreadCheckpoints>) {
    return this.app.graphCheckpoints.deleteOfOnlyActor(reach, { tenantId, ...path }, query.sessionId);
  }

  @Route(routes.getThreadActor)
  async actor(@Input() { tenantId, reach, path, query }: CallOf<typeof routes.getThreadActor>) {
    return { actorId: await this.app.graphCheckpoints.actorOf(reach, { tenantId, ...path }, query.sessionId) };
  }

  private async search(
    reach: Reach,
    scope: CheckpointScope,
    { after, limit, ...search }: Omit<SearchCheckpointsBody, 'actorId' | 'sessionId'>,
  ) {
    const place = after === undefined ? null : placeIn(after);
    const found = await this.app.graphCheckpoints.search(reach, scope, { ...search, limit: limit + 1, after: place });
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
