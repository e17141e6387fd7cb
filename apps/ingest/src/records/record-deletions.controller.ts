import { Controller, Inject } from '@nestjs/common';
import { type RecordDeletion } from '@turnkeeper/application';
import { routes } from '@turnkeeper/contracts';
import { listResponse } from '../http/paging.js';
import { Input, Route, type CallOf } from '../http/route.js';
import { APP, type App } from '../composition.js';

export const recordDeletionResponse = ({ deletionId, tenantId: _, ...deletion }: RecordDeletion) => ({
  id: deletionId,
  ...deletion,
});

/** Deletes many records at once. */
@Controller()
export class RecordDeletionsController {
  constructor(@Inject(APP) private readonly app: App) {}

  @Route(routes.deleteRecords)
  async delete(@Input() { tenantId, path, body }: CallOf<typeof routes.deleteRecords>) {
    const { namespace = null, strategyId = null, actorId = null, createdFrom = null, createdTo = null } = body;
    const filter = { namespace, strategyId, actorId, createdFrom, createdTo };
    return recordDeletionResponse(await this.app.requestRecordDeletion.execute(tenantId, path.memoryId, filter));
  }

  @Route(routes.listRecordDeletions)
  async list(@Input() { tenantId, path, query: { limit, after } }: CallOf<typeof routes.listRecordDeletions>) {
    const found = await this.app.requestRecordDeletion.list(tenantId, path.memoryId, { limit: limit + 1, after });
    return listResponse(found, limit, recordDeletionResponse, ({ deletionId }) => deletionId);
  }

  @Route(routes.getRecordDeletion)
  async get(@Input() { tenantId, path }: CallOf<typeof routes.getRecordDeletion>) {
    return recordDeletionResponse(await this.app.requestRecordDeletion.get(tenantId, path.memoryId, path.deletionId));
  }
}
