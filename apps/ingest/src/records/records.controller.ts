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
import { FairWork } from '../limits/fair-work.js';
import { doInTurn } from '../limits/share-work.js';
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
    @Inject(FairWork) private readonly fairWork: FairWork,
  ) {}

  /** Reads once the memory has read the requested part of the session. */
  private async readAfter<T>(
    tenantId: string,
    memoryId: string,
    { actorId, sessionId, afterSequence, waitMs }: ReadAfter,
    kind: string,
    read: () => Promise<T>,
  ): Promise<T> {
    // Its turn has come before it was handled.
    if (afterSequence === undefined) return read();
    if (actorId !== undefined && sessionId !== undefined) {
      await this.awaitExtraction.execute({ tenantId, memoryId, actorId, sessionId }, afterSequence, waitMs);
    }
    return doInTurn(this.fairWork, tenantId, kind, read);
  }

  @Route(listRecords)
  async list(@Input() { tenantId, reach, path, query }: CallOf<typeof listRecords>) {
    const { longTermMemoryStrategyId: strategyId, actorId, sessionId, afterSequence, waitMs, ...filter } = query;
    const after = { actorId, sessionId, afterSequence, waitMs };
    const records = await this.readAfter(tenantId, path.memoryId, after, listRecords.id, () =>
      this.listRecords.execute(reach, path.memoryId, { strategyId, ...filter }),
    );
    return records.map((record) => recordResponse(record));
  }

  @Route(getProfile)
  async profile(@Input() { tenantId, reach, path: { memoryId, actorId }, query }: CallOf<typeof getProfile>) {
    const entries = await this.readAfter(tenantId, memoryId, { ...query, actorId }, getProfile.id, () =>
      this.readProfile.execute(reach, memoryId, actorId),
    );
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
    const { explain, ...asked } = body;
    const hits = await this.readAfter(tenantId, path.memoryId, query, searchRecords.id, () =>
      this.searchRecords.execute(reach, path.memoryId, query.namespace, asked),
    );
    return hits.map((hit) => recordResponse(hit, hit.score, explain ? hit.foundBy : undefined));
  }
}
