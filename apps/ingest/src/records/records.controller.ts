import { Controller, Inject } from '@nestjs/common';
import {
  AwaitExtraction,
  CorrectRecord,
  DeleteRecord,
  GetRecord,
  ListRecords,
  ReadProfile,
  SearchRecords,
} from '@turnkeeper/application';
import { routes, type ReadAfter } from '@turnkeeper/contracts';
import { Input, Route, type CallOf } from '../http/route.js';
import { profileEntryResponse, recordResponse } from './record-response.js';

const { listRecords, getProfile, getRecord, correctRecord, deleteRecord, searchRecords } = routes;

@Controller()
export class RecordsController {
  constructor(
    @Inject(SearchRecords) private readonly searchRecords: SearchRecords,
    @Inject(ListRecords) private readonly listRecords: ListRecords,
    @Inject(ReadProfile) private readonly readProfile: ReadProfile,
    @Inject(GetRecord) private readonly getRecord: GetRecord,
    @Inject(CorrectRecord) private readonly correctRecord: CorrectRecord,
    @Inject(DeleteRecord) private readonly deleteRecord: DeleteRecord,
    @Inject(AwaitExtraction) private readonly awaitExtraction: AwaitExtraction,
  ) {}

  /** Blocks a read until the memory has read the requested part of the session. */
  private async untilRead(tenantId: string, memoryId: string, after: ReadAfter): Promise<void> {
    const { actorId, sessionId, afterSequence, waitMs } = after;
    if (afterSequence === undefined || actorId === undefined || sessionId === undefined) return;
    await this.awaitExtraction.execute({ tenantId, memoryId, actorId, sessionId }, afterSequence, waitMs);
  }

  @Route(listRecords)
  async list(@Input() { tenantId, reach, path, query }: CallOf<typeof listRecords>) {
    const { longTermMemoryStrategyId: strategyId, actorId, sessionId, afterSequence, waitMs, ...filter } = query;
    await this.untilRead(tenantId, path.memoryId, { actorId, sessionId, afterSequence, waitMs });
    const records = await this.listRecords.execute(reach, path.memoryId, { strategyId, ...filter });
    return records.map((record) => recordResponse(record));
  }

  @Route(getProfile)
  async profile(@Input() { tenantId, path: { memoryId, actorId }, query }: CallOf<typeof getProfile>) {
    await this.untilRead(tenantId, memoryId, { ...query, actorId });
    const entries = await this.readProfile.execute({ tenantId, memoryId }, actorId);
    return { actorId, attributes: entries.map(profileEntryResponse) };
  }

  @Route(getRecord)
  async get(@Input() { tenantId, path }: CallOf<typeof getRecord>) {
    return recordResponse(await this.getRecord.execute(tenantId, path.memoryId, path.recordId));
  }

  @Route(correctRecord)
  async correct(@Input() { tenantId, path, body }: CallOf<typeof correctRecord>) {
    return recordResponse(await this.correctRecord.execute(tenantId, path.memoryId, path.recordId, body.memory));
  }

  @Route(deleteRecord)
  delete(@Input() { tenantId, path }: CallOf<typeof deleteRecord>) {
    return this.deleteRecord.execute(tenantId, path.memoryId, path.recordId);
  }

  @Route(searchRecords)
  async search(@Input() { tenantId, reach, path, query, body }: CallOf<typeof searchRecords>) {
    await this.untilRead(tenantId, path.memoryId, query);
    const hits = await this.searchRecords.execute(reach, path.memoryId, query.namespace, body);
    return hits.map((hit) => recordResponse(hit, hit.score));
  }
}
