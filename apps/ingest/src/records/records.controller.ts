import { Controller, Inject } from '@nestjs/common';
import { routes, type ReadAfter } from '@turnkeeper/contracts';
import { Input, Route, type CallOf } from '../http/route.js';
import { doInTurn } from '../limits/share-work.js';
import { profileEntryResponse, recordResponse } from './record-response.js';
import { APP, type App } from '../composition.js';

const { listRecords, getProfile, getRecord, correctRecord, deleteRecord, searchRecords } = routes;

@Controller()
export class RecordsController {
  constructor(
    @Inject(APP)
    private readonly app: Pick<
      App,
      | 'searchRecords'
      | 'listRecords'
      | 'readProfile'
      | 'getRecord'
      | 'correctRecord'
      | 'deleteRecord'
      | 'awaitExtraction'
      | 'fairWork'
    >,
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
      await this.app.awaitExtraction.execute({ tenantId, memoryId, actorId, sessionId }, afterSequence, waitMs);
    }
    return doInTurn(this.app.fairWork, tenantId, kind, read);
  }

  @Route(listRecords)
  async list(@Input() { tenantId, reach, path, query }: CallOf<typeof listRecords>) {
    const { longTermMemoryStrategyId: strategyId, actorId, sessionId, afterSequence, waitMs, ...filter } = query;
    const after = { actorId, sessionId, afterSequence, waitMs };
    const records = await this.readAfter(tenantId, path.memoryId, after, listRecords.id, () =>
      this.app.listRecords.execute(reach, path.memoryId, { strategyId, ...filter }),
    );
    return records.map((record) => recordResponse(record));
  }

  @Route(getProfile)
  async profile(@Input() { tenantId, reach, path: { memoryId, actorId }, query }: CallOf<typeof getProfile>) {
    const entries = await this.readAfter(tenantId, memoryId, { ...query, actorId }, getProfile.id, () =>
      this.app.readProfile.execute(reach, memoryId, actorId),
    );
    return { actorId, attributes: entries.map(profileEntryResponse) };
  }

  @Route(getRecord)
  async get(@Input() { tenantId, path }: CallOf<typeof getRecord>) {
    return recordResponse(await this.app.getRecord.execute(tenantId, path.memoryId, path.recordId));
  }

  @Route(correctRecord)
  async correct(@Input() { tenantId, path, body }: CallOf<typeof correctRecord>) {
    return recordResponse(await this.app.correctRecord.execute(tenantId, path.memoryId, path.recordId, body.memory));
  }

  @Route(deleteRecord)
  delete(@Input() { tenantId, path }: CallOf<typeof deleteRecord>) {
    return this.app.deleteRecord.execute(tenantId, path.memoryId, path.recordId);
  }

  @Route(searchRecords)
  async search(@Input() { tenantId, reach, path, query, body }: CallOf<typeof searchRecords>) {
    const { explain, ...asked } = body;
    const hits = await this.readAfter(tenantId, path.memoryId, query, searchRecords.id, () =>
      this.app.searchRecords.execute(reach, path.memoryId, query.namespace, asked),
    );
    return hits.map((hit) => recordResponse(hit, hit.score, explain ? hit.foundBy : undefined));
  }
}
