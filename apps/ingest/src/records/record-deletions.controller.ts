import { Controller, Inject } from '@nestjs/common';
import { RequestRecordDeletion, type RecordDeletion } from '@turnkeeper/application';
import { routes, type InputOf, type OutputOf } from '@turnkeeper/contracts';
import { TenantId } from '../auth/auth.guard.js';
import { listResponse } from '../http/paging.js';
import { Input, Route } from '../http/route.js';

const { deleteRecords, listRecordDeletions, getRecordDeletion } = routes;

export const recordDeletionResponse = ({ deletionId, tenantId: _, ...deletion }: RecordDeletion) => ({
  id: deletionId,
  ...deletion,
});

/** Deletes many records at once. */
@Controller()
export class RecordDeletionsController {
  constructor(@Inject(RequestRecordDeletion) private readonly deletions: RequestRecordDeletion) {}

  @Route(deleteRecords)
  async delete(
    @TenantId() tenantId: string,
    @Input(deleteRecords) { path, body }: InputOf<typeof deleteRecords>,
  ): Promise<OutputOf<typeof deleteRecords>> {
    const { namespace = null, strategyId = null, actorId = null, createdFrom = null, createdTo = null } = body;
    const filter = { namespace, strategyId, actorId, createdFrom, createdTo };
    return recordDeletionResponse(await this.deletions.execute(tenantId, path.memoryId, filter));
  }

  @Route(listRecordDeletions)
  async list(
    @TenantId() tenantId: string,
    @Input(listRecordDeletions) { path, query: { limit, after } }: InputOf<typeof listRecordDeletions>,
  ): Promise<OutputOf<typeof listRecordDeletions>> {
    const found = await this.deletions.list(tenantId, path.memoryId, { limit: limit + 1, after });
    return listResponse(found, limit, recordDeletionResponse, ({ deletionId }) => deletionId);
  }

  @Route(getRecordDeletion)
  async get(
    @TenantId() tenantId: string,
    @Input(getRecordDeletion) { path }: InputOf<typeof getRecordDeletion>,
  ): Promise<OutputOf<typeof getRecordDeletion>> {
    return recordDeletionResponse(await this.deletions.get(tenantId, path.memoryId, path.deletionId));
  }
}
